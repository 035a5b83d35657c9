import { useRef } from 'react'
import { PRODUCT_LIMITS } from '#lib/admin/limits.ts'
import { PictureDrop } from './PictureDrop.tsx'
import { PictureRow } from './PictureRow.tsx'
import { UploadRow } from './UploadRow.tsx'
import type { Pictures } from './use-pictures.ts'

const HINT = `Drop pictures here or paste them. JPEG, PNG, WebP or AVIF, at most 10 MB each, up to ${PRODUCT_LIMITS.pictures} pictures. The first picture is the main one.`

export function PictureEditor({ pictures }: { pictures: Pictures }) {
  const list = useRef<HTMLUListElement>(null)

  // The focused button is removed with its row, so the list gets the focus.
  const remove = (key: string) => {
    pictures.remove(key)
    list.current?.focus()
  }

  return (
    <PictureDrop legend="Pictures" chooseLabel="Choose pictures" multiple hint={HINT} onAdd={pictures.add}>
      <ul ref={list} tabIndex={-1} aria-label="Product pictures" className="grid gap-3 outline-none">
        {pictures.list.map((picture, index) => (
          <PictureRow
            key={picture.key}
            picture={picture}
            index={index}
            count={pictures.list.length}
            onDescribe={alt => pictures.describe(picture.key, alt)}
            onMove={offset => pictures.move(picture.key, offset)}
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
    </PictureDrop>
  )
}
