import { useRef } from 'react'
import type { FieldSpec } from '#lib/admin/fields.ts'
import { PRODUCT_LIMITS } from '#lib/constants.ts'
import type { Picture } from '#lib/contract/values.ts'
import { ProductPicture } from '../../catalog/ProductPicture.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { PictureDrop, UploadRows } from '../ui/PictureDrop.tsx'
import { usePictures, type Pictures } from '../ui/use-pictures.ts'
import type { RecordFormState } from '../ui/use-record-form.ts'

/** The picture of a record, named after the field `nameField`. */
export function usePhoto({ typed, change }: RecordFormState, nameField: string): Pictures {
  const picture = typed['picture'] as Picture | null
  return usePictures({
    list: picture ? [picture] : [],
    onChange: ([next = null]) => change('picture', next),
    getName: () => String(typed[nameField]).trim(),
    max: 1
  })
}

interface PhotoFieldProps {
  form: Pick<RecordFormState, 'field'>
  photo: Pictures
  specs: readonly FieldSpec[]
}

export function PhotoField({ form, photo: pictures, specs }: PhotoFieldProps) {
  const container = useRef<HTMLDivElement>(null)
  const [picture] = pictures.list
  return (
    <PictureDrop
      legend="Picture (optional)"
      chooseLabel={picture ? 'Choose another picture' : 'Choose a picture'}
      hint={specs.find(({ name }) => name === 'picture')?.hint ?? ''}
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
                state={form.field('picture.alt')}
                label="Describe the picture"
                value={picture.alt}
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
