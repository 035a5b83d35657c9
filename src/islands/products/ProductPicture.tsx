import { apiBase } from '#lib/api.ts'
import type { Picture } from '#lib/contract/values.ts'
import { imageUrl, pictureSources, type PICTURE_WIDTHS } from '#lib/images.ts'

interface ProductPictureProps {
  picture: Picture | undefined
  /** Where there is no responsive picture: the path that the API names. */
  image: string
  sizes: string
  /** The widest form worth offering; one of `PICTURE_WIDTHS`. */
  most: (typeof PICTURE_WIDTHS)[number]
  eager?: boolean
  className: string
}

/**
 * A product's picture beside its name, which says what is to be seen; on its own colour until it is there. The twin of
 * components/Picture.astro.
 */
export function ProductPicture({ picture, image, sizes, most, eager = false, className }: ProductPictureProps) {
  const loading = eager ? 'eager' : 'lazy'
  if (!picture) return <img src={imageUrl(image, apiBase())} alt="" loading={loading} className={className} />
  const { sources, src } = pictureSources({ key: picture.key, width: Math.min(picture.width, most) }, apiBase())
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
