import type { Picture } from './contract/values.ts'

/** Widths in CSS pixels of the forms that each picture is kept in; never wider than the original. */
export const PICTURE_WIDTHS = [240, 480, 720, 1080, 1600] as const
export const PICTURE_FORMATS = ['avif', 'webp'] as const
export type PictureFormat = (typeof PICTURE_FORMATS)[number]

const ABSOLUTE = /^https?:\/\//i
const UPLOADS = /^([^?#]*\/assets)\/uploads(?=\/)/
const API_SEGMENT = /\/api\/?$/

/**
 * Where a picture named by the API is found (the specification's rule for image paths): an absolute address loses the
 * `uploads` segment of its assets path; a relative one is resolved under `assets` beside the API base.
 */
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

/** An original that is wider than the step below it by less than this adds bytes, not sharpness. */
const WORTH_KEEPING = 1.2

/** The widths that a picture of this original width exists in; an original well between two steps is kept as it is too. */
export function pictureWidths(originalWidth: number): number[] {
  const steps = PICTURE_WIDTHS.filter(width => width <= originalWidth)
  const largest = steps.at(-1) ?? 0
  const isBeyond = largest === PICTURE_WIDTHS.at(-1)
  return isBeyond || originalWidth < largest * WORTH_KEEPING ? steps : [...steps, originalWidth]
}

/** The file of one form, relative to the assets folder: `mysore-pak-1a2b3c4d-480.avif`. */
export function pictureFile(key: string, width: number, format: PictureFormat): string {
  return `${key}-${width}.${format}`
}

/** All files of a picture, relative to the assets folder. */
export function pictureFiles(key: string, width: number): string[] {
  const steps = pictureWidths(width)
  return [...PICTURE_FORMATS.flatMap(format => steps.map(step => pictureFile(key, step, format))), `${key}.jpg`]
}

export interface PictureSources {
  /** The `srcset` of each `<source>`, best first. */
  sources: readonly { type: `image/${PictureFormat}`; srcset: string }[]
  /** The `src` of the `<img>`, for browsers that know neither format. */
  src: string
}

/** What a `<picture>` needs, for components and islands alike. */
export function pictureSources({ key, width }: Pick<Picture, 'key' | 'width'>, apiBase: string): PictureSources {
  const at = (file: string): string => imageUrl(file, apiBase)
  const sources = PICTURE_FORMATS.map(format => ({
    type: `image/${format}` as const,
    srcset: pictureWidths(width)
      .map(step => `${at(pictureFile(key, step, format))} ${step}w`)
      .join(', ')
  }))
  return { sources, src: at(`${key}.jpg`) }
}
