import { apiBase } from '#lib/api.ts'
import type { Picture } from '#lib/contract/values.ts'
import { imageUrl, pictureSources, type PICTURE_WIDTHS } from '#lib/images.ts'

interface ProductPictureProps {
  picture: Picture | undefined
  /** Image path from the API, used when there is no responsive picture. */
  image: string
  sizes: string
  maxWidth: (typeof PICTURE_WIDTHS)[number]
  eager?: boolean
  className: string
}

/** Same markup as components/Picture.astro. The empty alt is right because the product's name is next to it. */
export function ProductPicture({ picture, image, sizes, maxWidth, eager = false, className }: ProductPictureProps) {
  const loading = eager ? 'eager' : 'lazy'
  if (!picture) return <img src={imageUrl(image, apiBase())} alt="" loading={loading} className={className} />
  const { sources, src } = pictureSources({ key: picture.key, width: Math.min(picture.width, maxWidth) }, apiBase())
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
        fetchPriority={eager ? 'high' : 'auto'}
      />
    </picture>
  )
}
