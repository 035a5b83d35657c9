import { useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { PRODUCT_LIMITS } from '#lib/constants.ts'
import type { Picture } from '#lib/contract/values.ts'
import { ProductPicture } from '../../catalog/ProductPicture.tsx'
import { focusMoveButton, MoveButtons } from '../ui/MovableList.tsx'
import { PictureDrop, UploadRows } from '../ui/PictureDrop.tsx'
import type { Pictures } from '../ui/use-pictures.ts'

const HINT =
  'Drop pictures here or paste them. JPEG, PNG, WebP or AVIF, at most 10 MB each, ' +
  `up to ${PRODUCT_LIMITS.pictures} pictures. The first picture is the main one.`

export function PictureEditor({ pictures }: { pictures: Pictures }) {
  const list = useRef<HTMLUListElement>(null)

  // The focused button is removed with its row, so the list gets the focus.
  const remove = (key: string) => {
    pictures.remove(key)
    list.current?.focus()
  }

  const move = (key: string, index: number, offset: -1 | 1) => {
    flushSync(() => pictures.move(key, offset))
    focusMoveButton(list.current?.children[index + offset], offset)
  }

  return (
    <PictureDrop
      legend="Pictures"
      chooseLabel="Choose pictures"
      multiple
      hint={HINT}
      onAdd={pictures.add}
    >
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Product pictures"
        className="grid gap-3 outline-none"
      >
        {pictures.list.map((picture, index) => (
          <PictureRow
            key={picture.key}
            pictures={pictures}
            picture={picture}
            index={index}
            onMove={offset => move(picture.key, index, offset)}
            onRemove={() => remove(picture.key)}
          />
        ))}
        <UploadRows pictures={pictures} />
      </ul>
    </PictureDrop>
  )
}

interface PictureRowProps {
  pictures: Pictures
  picture: Picture
  index: number
  onMove: (offset: -1 | 1) => void
  onRemove: () => void
}

function PictureRow({ pictures, picture, index, onMove, onRemove }: PictureRowProps) {
  const id = useId()
  const count = pictures.list.length
  const position = `picture ${index + 1} of ${count}`
  return (
    <li className="flex gap-3 rounded-card bg-cream-deep p-3">
      <span className="block h-24 w-24 shrink-0 overflow-hidden rounded-xl">
        <ProductPicture picture={picture} sizes="96px" maxWidth={240} />
      </span>
      <div className="grid min-w-0 grow gap-2">
        <label htmlFor={id} className="text-sm font-semibold">
          Describe the picture (for blind customers and Google)
          <span className="sr-only">, {position}</span>
        </label>
        <input
          id={id}
          className="field"
          value={picture.alt}
          maxLength={PRODUCT_LIMITS.alt}
          required
          onChange={({ target }) => pictures.describe(picture.key, target.value)}
        />
        <div className="flex gap-2">
          <MoveButtons
            name={position}
            index={index}
            count={count}
            onMove={onMove}
            onRemove={onRemove}
          />
        </div>
      </div>
    </li>
  )
}
