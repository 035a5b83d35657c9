import type { Picture } from '#lib/contract/values.ts'
import { toImageUrl, toPictureSources } from '#lib/images.ts'

/** Fills in the `<img>` of a template. */
export function setPicture(
  image: HTMLImageElement | null,
  product: { picture?: Picture | null | undefined; image: string },
  maxWidth?: number
): void {
  const { sources, src } = product.picture
    ? toPictureSources(product.picture, maxWidth)
    : { sources: [], src: toImageUrl(product.image) }
  Object.assign(image ?? {}, { srcset: sources.at(-1)?.srcset ?? '', src })
}
