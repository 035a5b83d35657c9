import { API_BASE } from './api.ts'
import type { Picture } from './contract/values.ts'

export const PICTURE_WIDTHS = [240, 480, 720, 1080, 1600] as const
const PICTURE_FORMATS = ['avif', 'webp'] as const
type PictureFormat = (typeof PICTURE_FORMATS)[number]

const ABSOLUTE = /^https?:\/\//i
const UPLOADS = /^([^?#]*\/assets)\/uploads(?=\/)/
const API_SEGMENT = /\/api\/?$/

export function toImageUrl(image: string, apiBase: string = API_BASE): string {
  if (ABSOLUTE.test(image)) return image.replace(UPLOADS, '$1')
  const name = image
    .replace(/^\/+/, '')
    .replace(/^(assets\/)?(uploads\/)?/, '')
    .split('/')
    .filter(segment => segment !== '..' && segment !== '.' && segment !== '')
    .map(encodeURIComponent)
    .join('/')
  return `${apiBase.replace(API_SEGMENT, '')}/assets/${name}`
}

/** Less is not visible. */
const MIN_ORIGINAL_RATIO = 1.2

export function listPictureWidths(originalWidth: number): number[] {
  const widths = PICTURE_WIDTHS.filter(width => width <= originalWidth)
  const largest = widths.at(-1) ?? 0
  const hasAllWidths = largest === PICTURE_WIDTHS.at(-1)
  return hasAllWidths || originalWidth < largest * MIN_ORIGINAL_RATIO
    ? widths
    : [...widths, originalWidth]
}

export function toPictureFileName(key: string, width: number, format: PictureFormat): string {
  return `${key}-${width}.${format}`
}

export function listPictureFiles(key: string, originalWidth: number): string[] {
  const widths = listPictureWidths(originalWidth)
  return [
    ...PICTURE_FORMATS.flatMap(format =>
      widths.map(width => toPictureFileName(key, width, format))
    ),
    toFallbackFile({ key })
  ]
}

export function toFallbackFile({ key }: Pick<Picture, 'key'>): string {
  return `${key}.jpg`
}

interface PictureSources {
  sources: readonly { type: `image/${PictureFormat}`; srcset: string }[]
  src: string
}

const WIDE = 1.6
const NARROW = 2 / 3

/** True if the frame of a product would cut the food off. */
export function isShownWhole({ width, height }: Pick<Picture, 'width' | 'height'>): boolean {
  return width > height * WIDE || width < height * NARROW
}

export function toPictureSources(
  { key, width }: Pick<Picture, 'key' | 'width'>,
  maxWidth: number = width
): PictureSources {
  const sources = PICTURE_FORMATS.map(format => ({
    type: `image/${format}` as const,
    srcset: listPictureWidths(Math.min(width, maxWidth))
      .map(each => `${toImageUrl(toPictureFileName(key, each, format))} ${each}w`)
      .join(', ')
  }))
  return { sources, src: toImageUrl(`${key}.jpg`) }
}

/** For an `<img>` without sources. */
export function toImageAttributes(
  { picture, image }: { picture?: Picture | null | undefined; image: string },
  maxWidth?: number
): { srcset: string; src: string } {
  if (!picture) return { srcset: '', src: toImageUrl(image) }
  const { sources, src } = toPictureSources(picture, maxWidth)
  return { srcset: sources.at(-1)?.srcset ?? '', src }
}
