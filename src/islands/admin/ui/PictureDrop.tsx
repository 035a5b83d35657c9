import {
  useEffect,
  useId,
  useRef,
  useState,
  type DragEvent,
  type InputHTMLAttributes,
  type ReactNode
} from 'react'
import type { FieldSpec } from '#lib/admin/fields.ts'
import { PRODUCT_LIMITS } from '#lib/constants.ts'
import type { Picture } from '#lib/contract/values.ts'
import { Button } from '../../ui/Button.tsx'
import { ProductPicture } from '../../catalog/ProductPicture.tsx'
import { Field } from '../../ui/Field.tsx'
import { type Pictures, usePictures } from './use-pictures.ts'
import type { RecordFormState } from './use-record-form.ts'

// With `image/*`, an iPhone would not convert HEIC photos to JPEG.
const ACCEPTED_TYPES = 'image/jpeg,image/png,image/webp,image/avif'

interface PictureDropProps {
  legend: string
  chooseLabel: string
  multiple?: boolean
  hint: string
  onAdd: (files: Iterable<File>) => void
  children: ReactNode
}

/** Files may also be pasted anywhere on the page. */
export function PictureDrop({
  legend,
  chooseLabel,
  multiple = false,
  hint,
  onAdd,
  children
}: PictureDropProps) {
  const [isDragOver, setIsDragOver] = useState(false)
  const id = useId()
  usePaste(onAdd)

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsDragOver(false)
    onAdd(event.dataTransfer.files)
  }

  return (
    <fieldset
      onDragOver={event => {
        event.preventDefault()
        setIsDragOver(true)
      }}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={drop}
      className="min-w-0"
    >
      <legend className="mb-2 font-semibold">{legend}</legend>
      {children}
      <div
        className={
          'mt-3 grid justify-items-center gap-3 rounded-card border-2 border-dashed p-4 ' +
          `text-center ${isDragOver ? 'border-chilli bg-cream-deep' : 'border-brass/60'}`
        }
      >
        <p id={`${id}how`} className="text-sm text-ink/70">
          {hint}
        </p>
        <div className="flex flex-wrap justify-center gap-3">
          <FileButton
            label={chooseLabel}
            accept={ACCEPTED_TYPES}
            multiple={multiple}
            aria-describedby={`${id}how`}
            onChoose={onAdd}
          />
          <FileButton
            label="Take a photo"
            accept="image/*"
            capture="environment"
            className="lg:hidden"
            aria-describedby={`${id}how`}
            onChoose={onAdd}
          />
        </div>
      </div>
    </fieldset>
  )
}

interface FileButtonProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: string
  onChoose: (files: File[]) => void
}

export function FileButton({ label, className = '', onChoose, ...input }: FileButtonProps) {
  return (
    <label
      className={
        'button-quiet relative cursor-pointer focus-within:outline focus-within:outline-[3px] ' +
        `focus-within:outline-offset-2 focus-within:outline-chilli ${className}`
      }
    >
      {label}
      <input
        {...input}
        type="file"
        className="sr-only"
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])])
          // Without this reset, choosing the same file again would fire no change event.
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

function usePaste(add: (files: Iterable<File>) => void): void {
  const latestAdd = useRef(add)
  latestAdd.current = add
  useEffect(() => {
    const handlePaste = ({ clipboardData }: ClipboardEvent) => {
      const files = [...(clipboardData?.files ?? [])].filter(({ type }) =>
        type.startsWith('image/')
      )
      // Excel and Word add a picture of the copied text.
      const isText = clipboardData?.types.includes('text/plain')
      if (files.length > 0 && !isText) latestAdd.current(files)
    }
    addEventListener('paste', handlePaste)
    return () => removeEventListener('paste', handlePaste)
  }, [])
}

export function UploadRows({ pictures: { uploads, retry, dismiss } }: { pictures: Pictures }) {
  return uploads.map(upload => (
    <li key={upload.id} className="rounded-card border border-brass/60 p-3">
      <p className="break-words font-semibold">{upload.file.name || 'Picture'}</p>
      <p
        role={upload.failed ? 'alert' : 'status'}
        className={upload.failed ? 'font-semibold text-chilli' : 'text-ink/70'}
      >
        {upload.message}
      </p>
      {upload.failed && (
        <div className="mt-2 flex flex-wrap gap-3">
          <Button label="Try again" onClick={() => retry(upload)} />
          <Button label="Remove" onClick={() => dismiss(upload)} />
        </div>
      )}
    </li>
  ))
}

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
          <div
            className={
              'grid gap-4 rounded-card bg-cream-deep p-3 sm:grid-cols-[14rem_minmax(0,1fr)]'
            }
          >
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
