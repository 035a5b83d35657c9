import { api, apiBase } from '#lib/api.ts'
import type { DiscountedProduct } from '#lib/contract/deals.ts'
import { imageUrl, pictureSources } from '#lib/images.ts'
import { logFailure } from '#lib/log.ts'
import { dealOffer, MESSAGES } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { formatDayAndTime } from '#lib/time.ts'

/** Of a slide on a high-density screen, in pixels. */
const MAX_WIDTH = 720

/** Shows the deals that run now. Returns the message for an empty list, or ''. */
export async function updateSlides(list: Element, template: HTMLTemplateElement): Promise<string> {
  const { deals, emptyText } = await fetchDeals()
  const known = new Map(
    [...list.querySelectorAll<HTMLElement>('[data-deal]')].map(slide => [slide.dataset['deal'], slide])
  )
  const slides = deals.map(deal => {
    const slide = known.get(deal.product._id) ?? newSlide(template, deal)
    fillSlide(slide, deal)
    return slide
  })
  for (const slide of known.values()) if (!slides.includes(slide)) slide.remove()
  // Moving a slide would lose its focus.
  for (const [index, slide] of slides.entries()) {
    if (list.children[index] !== slide) list.insertBefore(slide, list.children[index] ?? null)
  }
  return slides.length === 0 ? emptyText : ''
}

async function fetchDeals(): Promise<{ deals: readonly DiscountedProduct[]; emptyText: string }> {
  try {
    const reply = await api('GET /discounted-products')
    return { deals: Array.isArray(reply) ? reply : [], emptyText: MESSAGES.dealsNone }
  } catch (error) {
    logFailure(MESSAGES.homeDealsFailed, error)
    return { deals: [], emptyText: MESSAGES.homeDealsFailed }
  }
}

function newSlide(
  template: HTMLTemplateElement,
  { product: { picture, image, ...product } }: DiscountedProduct
): HTMLElement {
  const slide = (template.content.cloneNode(true) as DocumentFragment).firstElementChild as HTMLElement
  slide.dataset['deal'] = product._id
  const img = slide.querySelector('img')
  if (!img) return slide
  if (picture) {
    const { sources, src } = pictureSources({ key: picture.key, width: Math.min(picture.width, MAX_WIDTH) }, apiBase())
    img.srcset = sources.at(-1)?.srcset ?? ''
    img.src = src
  } else {
    img.src = imageUrl(image, apiBase())
  }
  return slide
}

function fillSlide(slide: HTMLElement, deal: DiscountedProduct): void {
  const { name, product, originalPrice, discountedPrice, discountPercentage, endTime } = deal
  slide.hidden = false
  slide.dataset['end'] = endTime
  const link = slide.querySelector('a')
  if (link) link.href = paths.product(product._id)
  write(slide, 'a', name || MESSAGES.dealProductNameMissing)
  write(slide, '[data-live="price"]', formatRupees(originalPrice))
  write(slide, '[data-live="offer"]', dealOffer(Math.round(discountPercentage), formatRupees(discountedPrice)))
  write(slide, 'time', formatDayAndTime(endTime))
  slide.querySelector('time')?.setAttribute('datetime', endTime)
}

function write(slide: HTMLElement, part: string, text: string): void {
  const target = slide.querySelector(part)
  if (target && target.textContent?.trim() !== text) target.textContent = text
}
