import { useId } from 'react'
import { PRODUCT_LIMITS } from '#lib/admin/limits.ts'
import type { Picture } from '#lib/contract/values.ts'
import { ProductPicture } from '../../../catalog/ProductPicture.tsx'
import { Icon } from '../../../ui/Icon.tsx'

interface PictureRowProps {
  picture: Picture
  index: number
  count: number
  onDescribe: (alt: string) => void
  onMove: (offset: -1 | 1) => void
  onRemove: () => void
}

export function PictureRow({ picture, index, count, onDescribe, onMove, onRemove }: PictureRowProps) {
  const id = useId()
  const position = `picture ${index + 1} of ${count}`
  const button = 'target rounded-full border border-ink/30 hover:bg-cream-deep disabled:text-ink/30'
  return (
    <li className="flex gap-3 rounded-card bg-cream-deep p-3">
      <span className="block h-24 w-24 shrink-0 overflow-hidden rounded-xl">
        <ProductPicture
          picture={picture}
          image={`${picture.key}.jpg`}
          sizes="96px"
          maxWidth={240}
          className="h-full w-full object-cover"
        />
      </span>
      <div className="grid min-w-0 grow gap-2">
        <label htmlFor={id} className="text-sm font-semibold">
          Describe the picture (for blind customers and Google)<span className="sr-only">, {position}</span>
        </label>
        <input
          id={id}
          className="field"
          value={picture.alt}
          maxLength={PRODUCT_LIMITS.alt}
          required
          onChange={({ target }) => onDescribe(target.value)}
        />
        <div className="flex gap-2">
          <button
            type="button"
            className={button}
            aria-label={`Move ${position} up`}
            disabled={index === 0}
            onClick={() => onMove(-1)}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            className={button}
            aria-label={`Move ${position} down`}
            disabled={index === count - 1}
            onClick={() => onMove(1)}
          >
            <Icon name="down" />
          </button>
          <button type="button" className={button} aria-label={`Remove ${position}`} onClick={onRemove}>
            <Icon name="close" />
          </button>
        </div>
      </div>
    </li>
  )
}
