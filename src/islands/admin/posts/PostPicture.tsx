import { useRef } from 'react'
import { PRODUCT_LIMITS } from '#lib/constants.ts'
import { ProductPicture } from '../../catalog/ProductPicture.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import type { FieldState } from '../../ui/use-form.ts'
import { PictureDrop, UploadRows } from '../ui/PictureDrop.tsx'
import type { Pictures } from '../ui/use-pictures.ts'

const HINT =
  'Drop a picture here or paste it. JPEG, PNG, WebP or AVIF, at most 10 MB. Shown above the post and in the list.'

interface PostPictureProps {
  state: FieldState
  pictures: Pictures
  hint?: string
}

export function PostPicture({ state, pictures, hint = HINT }: PostPictureProps) {
  const container = useRef<HTMLDivElement>(null)
  const [picture] = pictures.list
  return (
    <PictureDrop
      legend="Picture (optional)"
      chooseLabel={picture ? 'Choose another picture' : 'Choose a picture'}
      hint={hint}
      onAdd={pictures.add}
    >
      <div ref={container} tabIndex={-1} className="grid gap-3 outline-none">
        {picture && (
          <div className="grid gap-4 rounded-card bg-cream-deep p-3 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <span className="block aspect-video w-full overflow-hidden rounded-xl">
              <ProductPicture
                picture={picture}
                sizes="(min-width: 640px) 224px, 90vw"
                maxWidth={720}
              />
            </span>
            <div className="grid content-start gap-3">
              <Field
                key={picture.key}
                state={state}
                label="Describe the picture"
                defaultValue={picture.alt}
                maxLength={PRODUCT_LIMITS.alt}
                hint="Read aloud to people who can’t see it."
                onChange={({ target }) => pictures.describe(picture.key, target.value)}
              />
              <Button
                label="Remove picture"
                className="justify-self-start"
                onClick={() => {
                  pictures.remove(picture.key)
                  container.current?.focus()
                }}
              />
            </div>
          </div>
        )}
        {pictures.uploads.length > 0 && (
          <ul className="grid gap-3">
            <UploadRows pictures={pictures} />
          </ul>
        )}
      </div>
    </PictureDrop>
  )
}
