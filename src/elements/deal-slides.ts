import { api, apiBase } from '#lib/api.ts'
import type { DiscountedProduct } from '#lib/contract/deals.ts'
import { imageUrl, pictureSources } from '#lib/images.ts'
import { logFailure } from '#lib/log.ts'
import { dealOffer, MESSAGES } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { formatDayAndTime } from '#lib/time.ts'

/** As wide as a slide is ever drawn, on a dense screen. */
const WIDEST = 720

/**
 * Brings the slides of a list up to date with the deals that run now: what runs no more goes, and what has begun since is
 * made from the template beside the list. Answers what is to be said when none is left.
 */
export async function updateSlides(list: Element, form: HTMLTemplateElement): Promise<string> {
  const { deals, otherwise } = await readDeals()
  const known = new Map(
    [...list.querySelectorAll<HTMLElement>('[data-deal]')].map(slide => [slide.dataset['deal'], slide])
  )
  const slides = deals.map(deal => {
    const slide = known.get(deal.product._id) ?? newSlide(form, deal)
    fill(slide, deal)
    return slide
  })
  for (const slide of known.values()) if (!slides.includes(slide)) slide.remove()
  // Those that stand where they should are left alone: a slide that is moved loses the focus.
  for (const [index, slide] of slides.entries()) {
    if (list.children[index] !== slide) list.insertBefore(slide, list.children[index] ?? null)
  }
  return slides.length === 0 ? otherwise : ''
}

async function readDeals(): Promise<{ deals: readonly DiscountedProduct[]; otherwise: string }> {
  try {
    const reply = await api('GET /discounted-products')
    return { deals: Array.isArray(reply) ? reply : [], otherwise: MESSAGES.dealsNone }
  } catch (error) {
    logFailure(MESSAGES.homeDealsFailed, error)
    return { deals: [], otherwise: MESSAGES.homeDealsFailed }
  }
}

function newSlide(
  form: HTMLTemplateElement,
  { product: { picture, image, ...product } }: DiscountedProduct
): HTMLElement {
  const slide = (form.content.cloneNode(true) as DocumentFragment).firstElementChild as HTMLElement
  slide.dataset['deal'] = product._id
  const drawn = slide.querySelector('img')
  if (!drawn) return slide
  if (picture) {
    const { sources, src } = pictureSources({ key: picture.key, width: Math.min(picture.width, WIDEST) }, apiBase())
    drawn.srcset = sources.at(-1)?.srcset ?? ''
    drawn.src = src
  } else {
    drawn.src = imageUrl(image, apiBase())
  }
  return slide
}

function fill(slide: HTMLElement, deal: DiscountedProduct): void {
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
