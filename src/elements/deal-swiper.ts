import Swiper from 'swiper'
import { api } from '#lib/api.ts'
import { logFailure, prefersReducedMotion, setText } from '#lib/browser.ts'
import type { DiscountedProduct } from '#lib/contract/deals.ts'
import { toImageUrl, toPictureSources } from '#lib/images.ts'
import { dealOfferText, MESSAGES } from '#lib/messages.ts'
import { formatRupees, percentOff } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { formatDayAndTime } from '#lib/time.ts'

class DealSwiper extends HTMLElement {
  connectedCallback(): void {
    const [previous, next] = this.parentElement?.querySelectorAll<HTMLElement>('[data-step]') ?? []
    if (!previous || !next) return
    this.toggleAttribute('data-swiper', true)
    this.scrollLeft = 0
    const speed = prefersReducedMotion() ? 0 : 250
    const swiper = new Swiper(this, {
      slidesPerView: 'auto',
      rewind: true,
      speed,
      wrapperClass: 'deal-track',
      slideClass: 'deal-slide'
    })
    const step = (steps: 1 | -1): void => {
      if (swiper.isLocked) {
        rotate(swiper.wrapperEl, steps, speed)
        swiper.update()
      } else if (steps === 1) swiper.slideNext()
      else swiper.slidePrev()
    }
    previous.addEventListener('click', () => step(-1))
    next.addEventListener('click', () => step(1))
    // When a link gets the focus, Swiper must show the link's slide, because the browser cannot
    // scroll to the slide.
    this.addEventListener('focusin', ({ target }) => {
      const index = swiper.slides.findIndex(slide => slide.contains(target as Node))
      if (index >= 0) swiper.slideTo(index)
    })
    const toggleButtons = (): void => {
      previous.hidden = next.hidden = swiper.slides.length < 2
    }
    toggleButtons()
    void this.#update(swiper).then(toggleButtons)
  }

  async #update(swiper: Swiper): Promise<void> {
    const [list, template] = [this.querySelector('ul'), this.querySelector('template')]
    const emptyNote = this.parentElement?.querySelector('[data-no-deals]')
    if (!list || !template || !emptyNote) return
    emptyNote.textContent = await updateSlides(list, template)
    swiper.update()
  }
}

customElements.define('deal-swiper', DealSwiper)

/**
 * Moves the first slide to the end, or the last one to the start. Swiper can't move slides that all
 * fit.
 */
function rotate(list: Element, steps: 1 | -1, duration: number): void {
  const slides = [...list.children]
  const [first, last] = [slides.at(0), slides.at(-1)]
  if (!first || !last) return
  const width = first.getBoundingClientRect().width
  if (steps === 1) last.after(first)
  else first.before(last)
  list.animate({ translate: [`${steps * width}px`, '0'] }, { duration, easing: 'ease' })
}

/** In pixels. Large enough for a slide on a high-density screen. */
const MAX_PICTURE_WIDTH = 720

/**
 * Shows the running deals and returns ''. If there are no deals, returns the text to show instead.
 */
async function updateSlides(list: Element, template: HTMLTemplateElement): Promise<string> {
  const { deals, emptyText } = await fetchDeals()
  const oldSlides = new Map(
    [...list.querySelectorAll<HTMLElement>('[data-deal]')].map(slide => [
      slide.dataset['deal'],
      slide
    ])
  )
  const slides = deals.map(deal => {
    const slide = oldSlides.get(deal.product._id) ?? newSlide(template, deal)
    fillSlide(slide, deal)
    return slide
  })
  for (const slide of oldSlides.values()) if (!slides.includes(slide)) slide.remove()
  // A slide that is already in place is not moved, because moving a focused slide removes its
  // focus.
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
    logFailure(MESSAGES.discountedProductsFailed, error)
    return { deals: [], emptyText: MESSAGES.discountedProductsFailed }
  }
}

function newSlide(
  template: HTMLTemplateElement,
  { product: { picture, image, ...product } }: DiscountedProduct
): HTMLElement {
  const slide = (template.content.cloneNode(true) as DocumentFragment)
    .firstElementChild as HTMLElement
  slide.dataset['deal'] = product._id
  const img = slide.querySelector('img')
  if (!img) return slide
  if (picture) {
    const { sources, src } = toPictureSources(picture, MAX_PICTURE_WIDTH)
    img.srcset = sources.at(-1)?.srcset ?? ''
    img.src = src
  } else {
    img.src = toImageUrl(image)
  }
  return slide
}

function fillSlide(slide: HTMLElement, deal: DiscountedProduct): void {
  const { name, product, originalPrice, discountedPrice, endTime } = deal
  slide.hidden = false
  slide.dataset['end'] = endTime
  const link = slide.querySelector('a')
  if (link) link.href = paths.product(product._id)
  setText(slide, 'a', name || MESSAGES.dealProductNameMissing)
  setText(slide, '[data-live="price"]', formatRupees(originalPrice))
  const percent = percentOff(originalPrice, discountedPrice)
  setText(slide, '[data-live="offer"]', dealOfferText(percent, formatRupees(discountedPrice)))
  setText(slide, 'time', formatDayAndTime(endTime))
  slide.querySelector('time')?.setAttribute('datetime', endTime)
}
