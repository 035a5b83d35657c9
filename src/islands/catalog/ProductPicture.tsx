import type { Picture } from '#lib/contract/values.ts'
import { toImageUrl, toPictureSources, type PICTURE_WIDTHS } from '#lib/images.ts'

interface ProductPictureProps {
  picture: Picture | null | undefined
  image?: string
  sizes: string
  maxWidth: (typeof PICTURE_WIDTHS)[number]
  eager?: boolean
  className?: string
}

/** Same markup as components/Picture.astro. */
export function ProductPicture(props: ProductPictureProps) {
  const {
    picture,
    image = '',
    sizes,
    maxWidth,
    eager = false,
    className = 'h-full w-full object-cover'
  } = props
  const loading = eager ? 'eager' : 'lazy'
  if (!picture && image === '') return null
  if (!picture)
    return <img src={toImageUrl(image)} alt="" loading={loading} className={className} />
  const { sources, src } = toPictureSources(picture, maxWidth)
  return (
    <picture>
      {sources.map(({ type, srcset }) => (
        <source key={type} type={type} srcSet={srcset} sizes={sizes} />
      ))}
      <img
        className={className}
        src={src}
        alt=""
        width={picture.width}
        height={picture.height}
        style={{ backgroundColor: picture.color }}
        decoding="async"
        loading={loading}
        fetchPriority={eager ? 'high' : undefined}
      />
    </picture>
  )
}
