import type { Picture as PictureData } from '#lib/contract/values.ts'
import { langOf } from '#lib/contract/texts.ts'
import { isShownWhole, toImageUrl, toPictureSources, type PICTURE_WIDTHS } from '#lib/images.ts'

interface PictureProps {
  picture: PictureData | null | undefined
  /** Without a `picture`. */
  image?: string
  sizes: string
  maxWidth?: (typeof PICTURE_WIDTHS)[number] | undefined
  /** Only for the largest picture that is visible before scrolling. */
  eager?: boolean
  /** For pictures that are visible at once but must not delay the largest one. */
  lowPriority?: boolean
  /** On a ground of its own. Other pictures show a colour while they load. */
  transparent?: boolean
  /** In the frame of a product or a tile, which shows wide and narrow pictures whole. */
  framed?: boolean
  alt?: string
  className?: string
}

export function Picture(props: PictureProps) {
  const { picture, image = '', sizes, maxWidth, eager = false, lowPriority = false } = props
  const {
    transparent = false,
    framed = false,
    alt = '',
    className = 'h-full w-full object-cover'
  } = props
  const loading = eager ? 'eager' : 'lazy'
  if (!picture && image === '') return null
  if (!picture)
    return <img src={toImageUrl(image)} alt={alt} loading={loading} className={className} />
  const whole = framed && isShownWhole(picture)
  const style = {
    ...((whole || !transparent) && { backgroundColor: picture.color }),
    ...(whole && { objectFit: 'contain' as const })
  }
  const { sources, src } = toPictureSources(picture, maxWidth)
  return (
    <picture>
      {sources.map(({ type, srcset }) => (
        <source key={type} type={type} srcSet={srcset} sizes={sizes} />
      ))}
      <img
        className={className}
        src={src}
        alt={alt}
        lang={langOf(alt)}
        width={picture.width}
        height={picture.height}
        style={style}
        loading={loading}
        fetchPriority={eager ? 'high' : lowPriority ? 'low' : undefined}
      />
    </picture>
  )
}
