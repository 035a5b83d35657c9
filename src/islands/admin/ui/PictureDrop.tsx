import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { t, text } from '#lib/contract/texts.ts'
import type { Picture } from '#lib/contract/values.ts'
import { ShopError, toErrorText } from '#lib/errors.ts'
import { uploadPicture } from '#lib/stores/admin/pictures.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Field.tsx'
import type { FieldState } from '../../ui/use-form.ts'

const TOO_MANY = text('A product can have up to 8 pictures.')
// With `image/*`, an iPhone would not convert HEIC photos to JPEG.
const ACCEPTED_TYPES = 'image/jpeg,image/png,image/webp,image/avif'

interface Upload {
  id: number
  file: File
  message: string
  failed: boolean
}

export type UploadState = 'none' | 'running' | 'failed'
export type Pictures = ReturnType<typeof usePictures>

export interface PictureRules {
  list: readonly Picture[]
  onChange: (list: readonly Picture[]) => void
  getName: () => string
  onFailed?: (message: string) => void
  /** If it is 1, a new picture replaces the old one. */
  max: number
}

export function usePictures({ list, onChange, getName, onFailed, max }: PictureRules) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const latestList = useRef(list)
  latestList.current = list
  const latestName = useRef(getName)
  latestName.current = getName
  const lastId = useRef(0)

  const setPictures = (next: Picture[]) => {
    latestList.current = next
    onChange(next)
  }
  const removeUpload = (id: number) =>
    setUploads(current => current.filter(upload => upload.id !== id))
  const updateUpload = (id: number, change: Partial<Upload>) =>
    setUploads(current =>
      current.map(upload => (upload.id === id ? { ...upload, ...change } : upload))
    )

  const send = async ({ id, file }: Upload) => {
    if (max > 1 && latestList.current.length >= max)
      return updateUpload(id, { message: t(TOO_MANY), failed: true })
    updateUpload(id, { failed: false })
    try {
      const picture = await uploadPicture(file, latestName.current(), message =>
        updateUpload(id, { message })
      )
      removeUpload(id)
      const isDuplicate = latestList.current.some(({ key }) => key === picture.key)
      const isReplaced = max === 1 && id !== lastId.current
      if (isDuplicate || isReplaced) return
      setPictures([...latestList.current, picture].slice(-max))
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      const message = toErrorText(error, t('The picture could not be added.'))
      updateUpload(id, { message, failed: true })
      onFailed?.(message)
    }
  }

  return {
    list,
    uploads,
    state: toState(uploads),
    add: (files: Iterable<File>) => {
      const freeSlots = max === 1 ? 1 : max - latestList.current.length - uploads.length
      const added = [...files].slice(max === 1 ? -1 : 0).map((file, index) => {
        const failed = index >= freeSlots
        return { id: ++lastId.current, file, message: failed ? t(TOO_MANY) : '', failed }
      })
      setUploads(current => [...(max === 1 ? [] : current), ...added])
      for (const upload of added) if (!upload.failed) void send(upload)
    },
    retry: (upload: Upload) => void send(upload),
    dismiss: ({ id }: Upload) => removeUpload(id),
    describe: (key: string, alt: string) =>
      setPictures(
        latestList.current.map(picture => (picture.key === key ? { ...picture, alt } : picture))
      ),
    move: (index: number, offset: -1 | 1) => {
      const others = latestList.current.toSpliced(index, 1)
      const moved = latestList.current.slice(index, index + 1)
      setPictures(others.toSpliced(index + offset, 0, ...moved))
    },
    remove: (key: string) => setPictures(latestList.current.filter(picture => picture.key !== key))
  }
}

function toState(uploads: readonly Upload[]): UploadState {
  if (uploads.length === 0) return 'none'
  return uploads.every(({ failed }) => failed) ? 'failed' : 'running'
}

interface PictureDropProps {
  legend: string
  chooseLabel: string
  state?: FieldState
  multiple?: boolean
  hint: string
  onAdd: (files: Iterable<File>) => void
  children: ReactNode
}

export function PictureDrop(props: PictureDropProps) {
  const { legend, chooseLabel, state, multiple = false, hint, onAdd, children } = props
  const [isDragOver, setIsDragOver] = useState(false)
  const id = useId()
  const latestAdd = useRef(onAdd)
  latestAdd.current = onAdd
  // Files may be pasted anywhere on the page.
  useEffect(() => {
    const handlePaste = ({ clipboardData }: ClipboardEvent) => {
      const files = [...(clipboardData?.files ?? [])].filter(({ type }) => /^image\//.test(type))
      // Excel and Word add a picture of the copied text.
      const isText = clipboardData?.types.includes('text/plain')
      if (files.length > 0 && !isText) latestAdd.current(files)
    }
    addEventListener('paste', handlePaste)
    return () => removeEventListener('paste', handlePaste)
  }, [])

  return (
    <fieldset
      onDragOver={event => {
        event.preventDefault()
        setIsDragOver(true)
      }}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={event => {
        event.preventDefault()
        setIsDragOver(false)
        onAdd(event.dataTransfer.files)
      }}
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
        <p id={`${id}how`} className="hidden text-sm text-ink/70 lg:block">
          {hint}
        </p>
        <div className="flex flex-wrap justify-center gap-3">
          <FileButton
            label={
              <>
                <span className="lg:hidden">{t('Choose from your gallery')}</span>
                <span className="hidden lg:inline">{chooseLabel}</span>
              </>
            }
            accept={ACCEPTED_TYPES}
            multiple={multiple}
            data-field={state?.name}
            aria-describedby={state?.problem === undefined ? `${id}how` : state.describedBy}
            onChoose={onAdd}
          />
          <FileButton
            label={t('Take a photo')}
            accept="image/*"
            capture="environment"
            className="lg:hidden"
            onChoose={onAdd}
          />
        </div>
        {state && <Problem state={state} />}
      </div>
    </fieldset>
  )
}

interface FileButtonProps extends ComponentProps<'input'> {
  label: ReactNode
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

export function UploadRows({ pictures: { uploads, retry, dismiss } }: { pictures: Pictures }) {
  return uploads.map(upload => (
    <li key={upload.id} className="rounded-card border border-brass/60 p-3">
      <p className="break-words font-semibold">{upload.file.name || t('Picture')}</p>
      <p
        role={upload.failed ? 'alert' : 'status'}
        className={upload.failed ? 'font-semibold text-chilli' : 'text-ink/70'}
      >
        {upload.message}
      </p>
      {upload.failed && (
        <div className="mt-2 flex flex-wrap gap-3">
          <Button label={t('Try again')} onClick={() => retry(upload)} />
          <Button label={t('Remove')} onClick={() => dismiss(upload)} />
        </div>
      )}
    </li>
  ))
}
