import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { PRODUCT_LIMITS } from '#lib/constants.ts'
import { t } from '#lib/contract/texts.ts'
import type { Picture as PictureData } from '#lib/contract/values.ts'
import { $sitePictures, addSitePicture, loadSitePictures } from '#lib/stores/admin/settings.ts'
import { Picture } from '../../ui/Picture.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, Problem } from '../../ui/Field.tsx'
import type { FieldState } from '../../ui/use-form.ts'
import { focusMoveButton, MoveButtons } from './MovableList.tsx'
import { PictureDrop, type PictureRules, UploadRows, usePictures } from './PictureDrop.tsx'
import type { RecordFormState } from './use-record-form.ts'
import { Loaded } from './views.tsx'

interface FormProps {
  form: RecordFormState
}

export function ProductPictures({ form }: FormProps) {
  const { typed, change, field } = form
  const pictures = useFormPictures(form, {
    list: typed['pictures'] as readonly PictureData[],
    onChange: list => change('pictures', list),
    max: PRODUCT_LIMITS.pictures
  })
  const [described, setDescribed] = useState<string>()
  const list = useRef<HTMLUListElement>(null)
  const count = pictures.list.length

  // The focused button is removed with its row, so the list gets the focus.
  const remove = (key: string) => {
    pictures.remove(key)
    list.current?.focus()
  }
  const move = (index: number, offset: -1 | 1) => {
    flushSync(() => pictures.move(index, offset))
    focusMoveButton(list.current?.children[index + offset], offset)
  }

  return (
    <PictureDrop
      legend={t('Pictures')}
      chooseLabel={t('Choose pictures')}
      state={field('pictures')}
      multiple
      hint={t(
        'Drop pictures here or paste them. JPEG, PNG, WebP or AVIF, at most 10 MB each, ' +
          'up to {count} pictures. The first picture is the main one.',
        { count: PRODUCT_LIMITS.pictures }
      )}
      onAdd={pictures.add}
    >
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={t('Product pictures')}
        className="grid gap-3 outline-none"
      >
        {pictures.list.map((picture, index) => {
          const name = t('picture {number} of {count}', { number: index + 1, count })
          return (
            <li
              key={picture.key}
              className="flex flex-wrap items-center gap-3 rounded-card bg-cream-deep p-3"
            >
              <span className="block h-24 w-24 shrink-0 overflow-hidden rounded-xl">
                <Picture picture={picture} sizes="96px" maxWidth={240} />
              </span>
              {described !== picture.key && (
                <Button
                  look="link"
                  label={t('Edit description')}
                  aria-label={t('Edit description of {name}', { name })}
                  onClick={() => setDescribed(picture.key)}
                />
              )}
              <div className="ml-auto flex gap-2">
                <MoveButtons
                  name={name}
                  index={index}
                  count={count}
                  onMove={count > 1 ? offset => move(index, offset) : undefined}
                  onRemove={() => remove(picture.key)}
                />
              </div>
              {described === picture.key && (
                <label className="basis-full text-sm font-semibold">
                  {t('Description of {name}, for blind customers and Google', { name })}
                  <input
                    className="field mt-1 font-normal"
                    value={picture.alt}
                    placeholder={String(typed['name'])}
                    maxLength={PRODUCT_LIMITS.alt}
                    autoFocus
                    onChange={({ target }) => pictures.describe(picture.key, target.value)}
                  />
                </label>
              )}
            </li>
          )
        })}
        <UploadRows pictures={pictures} />
      </ul>
    </PictureDrop>
  )
}

export function PhotoField({ form, hint = '' }: FormProps & { hint: string | undefined }) {
  const photo = form.typed['picture'] as PictureData | null
  const pictures = useFormPictures(form, {
    list: photo ? [photo] : [],
    onChange: ([next = null]) => form.change('picture', next),
    max: 1
  })
  const container = useRef<HTMLDivElement>(null)
  const [picture] = pictures.list
  return (
    <PictureDrop
      legend={t('Picture (optional)')}
      chooseLabel={t(picture ? 'Choose another picture' : 'Choose a picture')}
      state={form.field('picture')}
      hint={t(hint)}
      onAdd={pictures.add}
    >
      <div ref={container} tabIndex={-1} className="grid gap-3 outline-none">
        {picture && (
          <div
            className={
              'grid gap-4 rounded-card bg-cream-deep p-3 sm:grid-cols-[14rem_minmax(0,1fr)]'
            }
          >
            <span className="block aspect-video w-full overflow-hidden rounded-xl">
              <Picture picture={picture} sizes="(min-width: 640px) 224px, 90vw" maxWidth={720} />
            </span>
            <div className="grid content-start gap-3">
              <Field
                state={form.field('picture.alt')}
                label={t('Describe the picture')}
                value={picture.alt}
                maxLength={PRODUCT_LIMITS.alt}
                hint={t('Read aloud to people who can’t see it.')}
                onChange={({ target }) => pictures.describe(picture.key, target.value)}
              />
              <Button
                label={t('Remove picture')}
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

function useFormPictures(
  { typed, setUpload, form, tellMissed }: RecordFormState,
  rules: Pick<PictureRules, 'list' | 'onChange' | 'max'>
) {
  const getName = () => String(typed['title'] ?? typed['name']).trim()
  const onFailed = (message: string) => form.ref.current ?? tellMissed(message)
  const pictures = usePictures({ ...rules, getName, onFailed })
  useEffect(() => setUpload(pictures.state), [pictures.state])
  return pictures
}

interface SitePictureFieldProps {
  state: FieldState
  label: string
  hint?: string | undefined
  name: string
  onChange: (name: string) => void
}

export function SitePictureField({ state, label, hint, name, onChange }: SitePictureFieldProps) {
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
          label={t(name === '' ? 'Choose picture' : 'Change picture')}
          onClick={() => setIsOpen(true)}
        />
        {name !== '' && <Button label={t('Remove picture')} onClick={() => choose('')} />}
      </div>
      <Problem state={state} />
      {hint && <p className="mt-1 text-sm text-ink/70">{hint}</p>}
      <Dialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('Choose a picture')}
        shape="box"
      >
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
        <Picture
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
  const dialog = useRef<HTMLDivElement>(null)
  const pictures = usePictures({
    list: [],
    // Not after the dialog was closed.
    onChange: ([picture]) => picture && dialog.current && onChoose(addSitePicture(picture)),
    getName: () => 'picture',
    max: 1
  })
  return (
    <div ref={dialog} className="grid max-h-[70dvh] gap-4 overflow-y-auto px-4 pb-4">
      <PictureDrop
        legend={t('New picture')}
        chooseLabel={t('Upload picture')}
        hint={t('Drop a picture here or paste it. JPEG, PNG, WebP or AVIF, at most 10 MB.')}
        onAdd={pictures.add}
      >
        <ul className="grid gap-3">
          <UploadRows pictures={pictures} />
        </ul>
      </PictureDrop>
      <h3 className="font-sans text-base font-semibold">{t('Pictures of this website')}</h3>
      <Loaded state={sitePictures} label={t('pictures')} onRetry={loadSitePictures}>
        {list =>
          list.length === 0 ? (
            <p>{t('No pictures yet. Add one above.')}</p>
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
                      <Picture picture={picture} sizes="200px" maxWidth={480} />
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
