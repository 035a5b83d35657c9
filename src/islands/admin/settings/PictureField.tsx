import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { Picture } from '#lib/contract/values.ts'
import { $sitePictures, addSitePicture, loadSitePictures } from '#lib/stores/admin/settings.ts'
import { ProductPicture } from '../../catalog/ProductPicture.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Problem } from '../../ui/Field.tsx'
import type { FieldState } from '../../ui/use-form.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { PictureDrop, UploadRows } from '../ui/PictureDrop.tsx'
import { usePictures } from '../ui/use-pictures.ts'

const DROP_HINT = 'Drop a picture here or paste it. JPEG, PNG, WebP or AVIF, at most 10 MB.'

interface PictureFieldProps {
  state: FieldState
  label: string
  hint?: string | undefined
  name: string
  onChange: (name: string) => void
}

export function PictureField({ state, label, hint, name, onChange }: PictureFieldProps) {
  const [isOpen, setIsOpen] = useState(false)
  const choose = (chosen: string) => {
    onChange(chosen)
    setIsOpen(false)
  }
  return (
    <div role="group" aria-label={label} className="min-w-0">
      <p className="mb-1 font-semibold">{label}</p>
      <div className="flex flex-wrap items-center gap-3">
        {name !== '' && <SitePictureView name={name} className="h-20 w-32" />}
        <Button
          data-field={state.name}
          aria-haspopup="dialog"
          aria-describedby={state.describedBy}
          label={name === '' ? 'Choose picture' : 'Change picture'}
          onClick={() => setIsOpen(true)}
        />
        {name !== '' && <Button label="Remove picture" onClick={() => choose('')} />}
      </div>
      <Problem state={state} />
      {hint && <p className="mt-1 text-sm text-ink/70">{hint}</p>}
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="Choose a picture" shape="box">
        <PictureChooser onChoose={choose} />
      </Dialog>
    </div>
  )
}

/** An upload in a restored draft is not in the list. Its name is also that of its file. */
export function SitePictureView({ name, className }: { name: string; className: string }) {
  const pictures = useStore($sitePictures)
  const picture =
    pictures.state === 'ready' ? pictures.value.find(known => known.name === name) : undefined
  return (
    <span className={`block shrink-0 overflow-hidden rounded-xl bg-cream-deep ${className}`}>
      {pictures.state !== 'loading' && (
        <ProductPicture
          picture={picture}
          image={`${name}.jpg`}
          sizes="(min-width: 640px) 320px, 90vw"
          maxWidth={720}
        />
      )}
    </span>
  )
}

function PictureChooser({ onChoose }: { onChoose: (name: string) => void }) {
  const sitePictures = useStore($sitePictures)
  const finishUpload = ([picture]: readonly Picture[]) =>
    picture && onChoose(addSitePicture(picture))
  const pictures = usePictures({
    list: [],
    onChange: finishUpload,
    getName: () => 'picture',
    max: 1
  })
  return (
    <div className="grid max-h-[70dvh] gap-4 overflow-y-auto px-4 pb-4">
      <PictureDrop
        legend="New picture"
        chooseLabel="Upload picture"
        hint={DROP_HINT}
        onAdd={pictures.add}
      >
        <ul className="grid gap-3">
          <UploadRows pictures={pictures} />
        </ul>
      </PictureDrop>
      <h3 className="font-sans text-base font-semibold">Pictures of this website</h3>
      <Loaded state={sitePictures} label="pictures" onRetry={loadSitePictures}>
        {list =>
          list.length === 0 ? (
            <p>No pictures yet. Add one above.</p>
          ) : (
            <ul className="grid grid-cols-2 gap-3">
              {list.map(picture => (
                <li key={picture.name}>
                  <button
                    type="button"
                    className="w-full rounded-xl text-left hover:text-chilli"
                    onClick={() => onChoose(picture.name)}
                  >
                    <span className="block aspect-video overflow-hidden rounded-xl bg-cream-deep">
                      <ProductPicture picture={picture} sizes="200px" maxWidth={480} />
                    </span>
                    <span className="block break-words py-1 text-sm">
                      {picture.alt || picture.name}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  )
}
