import { api } from '#lib/api.ts'
import { logFailure, prefersReducedMotion, setText } from '#lib/browser.ts'
import type { DiscountedProduct } from '#lib/contract/promotions.ts'
import { toImageAttributes } from '#lib/images.ts'
import { dealOfferText, MESSAGES } from '#lib/messages.ts'
import { formatPriceRange, formatRupees, percentOff } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { formatDayOf } from '#lib/time.ts'

class DealSwiper extends HTMLElement {
  connectedCallback() {
    const buttons = this.parentElement?.querySelectorAll<HTMLElement>('[data-step]') ?? []
    const [list, template] = [this.querySelector('ul'), this.querySelector('template')]
    const emptyNote = this.parentElement?.querySelector('[data-no-deals]')
    if (!list || !template || !emptyNote) return
    const toggleButtons = () => {
      for (const button of buttons) button.hidden = list.children.length < 2
    }
    buttons.forEach((button, index) =>
      button.addEventListener('click', () => this.#step(list, index === 0 ? -1 : 1))
    )
    // Without this, the browser may scroll only until the text of the focused link is visible.
    this.addEventListener('focusin', ({ target }) =>
      (target as Element).closest('li')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    )
    toggleButtons()
    void updateSlides(list, template).then(text => {
      emptyNote.textContent = text
      toggleButtons()
    })
  }

  #step(list: Element, step: 1 | -1) {
    const width = list.firstElementChild?.getBoundingClientRect().width ?? 0
    const end = this.scrollWidth - this.clientWidth
    if (end < 2) return rotate(list, step, width)
    const isAtEnd = step === 1 ? this.scrollLeft > end - 2 : this.scrollLeft < 2
    const otherEnd = step === 1 ? 0 : end
    const left = isAtEnd ? otherEnd : this.scrollLeft + step * width
    this.scrollTo({ left, behavior: prefersReducedMotion() ? 'instant' : 'smooth' })
  }
}

customElements.define('deal-swiper', DealSwiper)

function rotate(list: Element, step: 1 | -1, width: number) {
  const { firstElementChild: first, lastElementChild: last } = list
  if (!first || !last) return
  if (step === 1) last.after(first)
  else first.before(last)
  const duration = prefersReducedMotion() ? 0 : 250
  list.animate({ translate: [`${step * width}px`, '0'] }, { duration, easing: 'ease' })
}

const MAX_PICTURE_WIDTH = 720

async function updateSlides(list: Element, template: HTMLTemplateElement) {
  const { deals, emptyText } = await fetchDeals()
  const oldSlides = new Map(
    [...list.querySelectorAll<HTMLElement>('[data-slide]')].map(slide => [
      slide.dataset['slide'],
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

function newSlide(template: HTMLTemplateElement, { product }: DiscountedProduct) {
  const slide = (template.content.cloneNode(true) as DocumentFragment)
    .firstElementChild as HTMLElement
  slide.dataset['slide'] = product._id
  Object.assign(slide.querySelector('img') ?? {}, toImageAttributes(product, MAX_PICTURE_WIDTH))
  return slide
}

function fillSlide(slide: HTMLElement, deal: DiscountedProduct) {
  const { name, product, originalPrice, discountedPrice, endTime } = deal
  const link = slide.querySelector('a')
  if (link) link.href = paths.product(product._id)
  setText(slide, 'a', name || MESSAGES.dealProductNameMissing)
  const percent = percentOff(originalPrice, discountedPrice)
  setText(slide, '[data-part="price"]', formatRupees(originalPrice))
  setText(slide, '[data-part="offer"]', dealOfferText(percent))
  setText(slide, '[data-part="pay"]', formatPriceRange(originalPrice, percent))
  setText(slide, 'time', formatDayOf(endTime))
  slide.querySelector('time')?.setAttribute('datetime', endTime)
}
