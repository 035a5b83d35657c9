import { useRef } from 'react'
import { PRODUCT_LIMITS } from '#lib/admin/limits.ts'
import { PictureDrop } from './PictureDrop.tsx'
import { PictureRow } from './PictureRow.tsx'
import { UploadRow } from './UploadRow.tsx'
import type { Pictures } from './use-pictures.ts'

const HINT = `Drop pictures here or paste them. JPEG, PNG, WebP or AVIF, at most 10 MB each and ${PRODUCT_LIMITS.pictures} in all. The first one stands for the product everywhere.`

/** The pictures of a product, in their order. */
export function PictureEditor({ pictures }: { pictures: Pictures }) {
  const list = useRef<HTMLUListElement>(null)

  // The row that is moved takes its buttons with it; one that goes leaves the focus to the list.
  const remove = (key: string) => {
    pictures.remove(key)
    list.current?.focus()
  }

  return (
    <PictureDrop legend="Pictures" choose="Choose pictures" multiple hint={HINT} onAdd={pictures.add}>
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
    </PictureDrop>
  )
}
