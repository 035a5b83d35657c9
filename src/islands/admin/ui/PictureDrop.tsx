import {
  useEffect,
  useId,
  useRef,
  useState,
  type DragEvent,
  type InputHTMLAttributes,
  type ReactNode
} from 'react'
import { Button } from '../../ui/Button.tsx'
import type { Pictures } from './use-pictures.ts'

// An iPhone converts HEIC photos to JPEG only if the accepted types are listed. With `image/*` it
// sends HEIC.
const ACCEPTED_TYPES = 'image/jpeg,image/png,image/webp,image/avif'

interface PictureDropProps {
  legend: string
  chooseLabel: string
  multiple?: boolean
  hint: string
  onAdd: (files: Iterable<File>) => void
  children: ReactNode
}

/**
 * Accepts dropped files, files pasted anywhere on the page, and files from a dialog or the camera.
 */
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
        className={`mt-3 grid justify-items-center gap-3 rounded-card border-2 border-dashed p-4 text-center ${isDragOver ? 'border-chilli bg-cream-deep' : 'border-brass/60'}`}
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
      className={`button-quiet relative cursor-pointer focus-within:outline focus-within:outline-[3px] focus-within:outline-offset-2 focus-within:outline-chilli ${className}`}
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
