import { useEffect, useId, useRef, useState, type DragEvent } from 'react'
import { PRODUCT_LIMITS } from '#lib/admin/limits.ts'
import { PictureRow } from './PictureRow.tsx'
import { UploadRow } from './UploadRow.tsx'
import type { Pictures } from './use-pictures.ts'

// Named one by one: an iPhone then turns its own format into a JPEG.
const TAKEN = 'image/jpeg,image/png,image/webp,image/avif'

/** The pictures of a product, in their order: dropped here, pasted anywhere in the page, chosen, or taken with the phone. */
export function PictureEditor({ pictures }: { pictures: Pictures }) {
  const [over, setOver] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const id = useId()
  usePaste(pictures.add)

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    pictures.add(event.dataTransfer.files)
  }
  // The row that is moved takes its buttons with it; one that goes leaves the focus to the list.
  const remove = (key: string) => {
    pictures.remove(key)
    list.current?.focus()
  }

  return (
    <fieldset
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className="min-w-0"
    >
      <legend className="mb-2 font-semibold">Pictures</legend>
      <ul ref={list} tabIndex={-1} aria-label="Pictures of the product" className="grid gap-3 outline-none">
        {pictures.list.map((picture, at) => (
          <PictureRow
            key={picture.key}
            picture={picture}
            at={at}
            count={pictures.list.length}
            onDescribe={alt => pictures.describe(picture.key, alt)}
            onMove={by => pictures.move(picture.key, by)}
            onRemove={() => remove(picture.key)}
          />
        ))}
        {pictures.uploads.map(upload => (
          <UploadRow
            key={upload.id}
            upload={upload}
            onRetry={() => pictures.retry(upload)}
            onDismiss={() => pictures.dismiss(upload)}
          />
        ))}
      </ul>
      <div
        className={`mt-3 grid justify-items-center gap-3 rounded-card border-2 border-dashed p-4 text-center ${over ? 'border-chilli bg-cream-deep' : 'border-brass/60'}`}
      >
        <p id={`${id}how`} className="text-sm text-ink/70">
          Drop pictures here or paste them. JPEG, PNG, WebP or AVIF, at most 10 MB each and {PRODUCT_LIMITS.pictures} in
          all. The first one stands for the product everywhere.
        </p>
        <div className="flex flex-wrap justify-center gap-3">
          <FileButton label="Choose pictures" describedBy={`${id}how`} onChoose={pictures.add} />
          <FileButton label="Take a photo" camera describedBy={`${id}how`} onChoose={pictures.add} />
        </div>
      </div>
    </fieldset>
  )
}

interface FileButtonProps {
  label: string
  describedBy: string
  /** Opens the phone's camera at once; of no use where there is a mouse. */
  camera?: boolean
  onChoose: (files: Iterable<File>) => void
}

function FileButton({ label, describedBy, camera = false, onChoose }: FileButtonProps) {
  return (
    <label
      className={`button-quiet relative cursor-pointer focus-within:outline focus-within:outline-[3px] focus-within:outline-offset-2 focus-within:outline-chilli ${camera ? 'lg:hidden' : ''}`}
    >
      {label}
      <input
        type="file"
        className="sr-only"
        aria-describedby={describedBy}
        {...(camera ? { accept: 'image/*', capture: 'environment' } : { accept: TAKEN, multiple: true })}
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])])
          // The same file may be chosen again after it was removed.
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

function usePaste(add: (files: Iterable<File>) => void): void {
  const latest = useRef(add)
  latest.current = add
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const files = [...(clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
      if (files.length > 0) latest.current(files)
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [])
}
