import type { ReactNode } from 'react'
import type { Picture } from '#lib/contract/values.ts'
import { ProductPicture } from '../../catalog/ProductPicture.tsx'
import { viewLink } from './list-query.ts'

const SHAPES = { square: { width: 'w-14', sizes: '56px' }, wide: { width: 'w-20', sizes: '80px' } } as const

interface PictureCellProps {
  query: string
  picture: Picture | null | undefined
  /** Image path from the API, or '' if there is no picture. */
  image: string
  shape?: keyof typeof SHAPES
  title: string
  children: ReactNode
}

export function PictureCell({ query, picture, image, shape = 'square', title, children }: PictureCellProps) {
  const { width, sizes } = SHAPES[shape]
  return (
    <a {...viewLink(query)} className="flex min-h-target items-center gap-3 hover:text-chilli">
      <span className={`block h-14 ${width} shrink-0 overflow-hidden rounded-xl bg-cream-deep`}>
        {image !== '' && <ProductPicture picture={picture} image={image} sizes={sizes} maxWidth={240} />}
      </span>
      <span className="min-w-0">
        <span className="block break-words">{title}</span>
        {children}
      </span>
    </a>
  )
}
