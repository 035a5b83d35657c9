import type { Picture } from './contract/values.ts'

export const PICTURE_WIDTHS = [240, 480, 720, 1080, 1600] as const
export const PICTURE_FORMATS = ['avif', 'webp'] as const
export type PictureFormat = (typeof PICTURE_FORMATS)[number]

const ABSOLUTE = /^https?:\/\//i
const UPLOADS = /^([^?#]*\/assets)\/uploads(?=\/)/
const API_SEGMENT = /\/api\/?$/

/** The specification's rule for image paths. */
export function imageUrl(image: string, apiBase: string): string {
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

/** An original that is less than 20% wider than the next step adds bytes, but no visible sharpness. */
const MIN_ORIGINAL_RATIO = 1.2

export function pictureWidths(originalWidth: number): number[] {
  const steps = PICTURE_WIDTHS.filter(width => width <= originalWidth)
  const largest = steps.at(-1) ?? 0
  const isBeyond = largest === PICTURE_WIDTHS.at(-1)
  return isBeyond || originalWidth < largest * MIN_ORIGINAL_RATIO ? steps : [...steps, originalWidth]
}

export function pictureFile(key: string, width: number, format: PictureFormat): string {
  return `${key}-${width}.${format}`
}

export function pictureFiles(key: string, width: number): string[] {
  const steps = pictureWidths(width)
  return [...PICTURE_FORMATS.flatMap(format => steps.map(step => pictureFile(key, step, format))), `${key}.jpg`]
}

export interface PictureSources {
  sources: readonly { type: `image/${PictureFormat}`; srcset: string }[]
  src: string
}

export function pictureSources({ key, width }: Pick<Picture, 'key' | 'width'>, apiBase: string): PictureSources {
  const urlOf = (file: string): string => imageUrl(file, apiBase)
  const sources = PICTURE_FORMATS.map(format => ({
    type: `image/${format}` as const,
    srcset: pictureWidths(width)
      .map(step => `${urlOf(pictureFile(key, step, format))} ${step}w`)
      .join(', ')
  }))
  return { sources, src: urlOf(`${key}.jpg`) }
}
