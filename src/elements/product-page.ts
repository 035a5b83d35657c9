import { api } from '#lib/api.ts'
import { onVisible, prefersReducedMotion, setText } from '#lib/browser.ts'
import type { Discount } from '#lib/contract/promotions.ts'
import { t } from '#lib/contract/texts.ts'
import { listDays, type Calendar, isClosedOn } from '#lib/delivery/calendar.ts'
import { assertShopError } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { $cart } from '#lib/stores/cart.ts'
import { $goneProducts, $liveProducts } from '#lib/stores/catalog.ts'
import { $token, checkSession } from '#lib/stores/session.ts'
import { formatShortDay, toDayInIndia } from '#lib/time.ts'
import './live-catalog.ts'
import './load-pincode-box.ts'

// Of a deleted product, the service worker may have kept this page. A reload asks the server.
const { liveId = '' } = document.querySelector<HTMLElement>('[data-live-id]')?.dataset ?? {}
$goneProducts.listen(gone => {
  const [navigation] = performance.getEntriesByType('navigation')
  const isReloaded = (navigation as PerformanceNavigationTiming | undefined)?.type === 'reload'
  if (gone.has(liveId) && !isReloaded) location.reload()
})

class DrawnDiscount extends HTMLElement {
  #drawn: Discount | undefined

  connectedCallback() {
    const { product = '' } = this.dataset
    const load = () => {
      if ($liveProducts.get().get(product)?.deal) void this.#load(product)
    }
    const stop = $liveProducts.listen(() => {
      stop()
      load()
    })
    onVisible(load)
    $cart.listen(() => this.#show())
    $token.listen(() => {
      this.#drawn = undefined
      this.#show()
    })
  }

  async #load(product: string) {
    await checkSession()
    const token = $token.get()
    if (token === undefined) return
    const replies = await api('GET /flash-deals/mine').catch(assertShopError)
    if (token !== $token.get()) return
    if (Array.isArray(replies)) this.#drawn = replies.find(({ productId }) => productId === product)
    this.#show()
  }

  #show() {
    const drawn = this.#drawn
    const bar = document.querySelector<HTMLElement>('.buy-bar')
    this.toggleAttribute('data-drawn', drawn !== undefined)
    bar?.removeAttribute('data-drawn')
    if (!drawn) return
    const { dealId, discount, price, used } = drawn
    const inCart = $cart.get().some(line => line.dealId === dealId)
    const text = inCart
      ? t('Your discounted pack is in your cart.')
      : t('Your price {price} ({discount}% off, one pack)', {
          price: formatRupees(price),
          discount
        })
    setText(this, '[data-yours]', used ? MESSAGES.dealUsed : text)
    if (used || inCart || !bar) return
    setText(document, '[data-won]', formatRupees(price))
    bar.dataset['drawn'] = JSON.stringify({ dealId, discount })
  }
}

customElements.define('drawn-discount', DrawnDiscount)

class DeliveryDate extends HTMLElement {
  connectedCallback() {
    const calendar = JSON.parse(this.dataset['calendar'] ?? '') as Calendar
    const now = Date.now()
    const transit = Number(this.dataset['transit'])
    const earliest = listDays(calendar, { now, transit }).find(({ isOpen }) => isOpen)
    if (!earliest || isClosedOn(calendar.closed, toDayInIndia(now))) return
    this.textContent = formatShortDay(earliest.date)
    setText(document, '[data-kitchen-day]', formatShortDay(earliest.kitchenDay))
  }
}

customElements.define('delivery-date', DeliveryDate)

class ProductGallery extends HTMLElement {
  connectedCallback() {
    const strip = this.querySelector<HTMLElement>('[data-strip]')
    const links = [...this.querySelectorAll<HTMLElement>('[data-thumbnail]')]
    if (!strip) return
    const markShown = () => {
      const shown = Math.round(strip.scrollLeft / strip.clientWidth)
      links.forEach((link, index) => (link.ariaCurrent = String(index === shown)))
    }
    links.forEach((link, index) => {
      const show = (event: Event) => {
        event.preventDefault()
        const behavior = prefersReducedMotion() ? 'auto' : 'smooth'
        strip.scrollTo({ left: index * strip.clientWidth, behavior })
      }
      link.role = 'button'
      link.addEventListener('click', show)
      link.addEventListener('keydown', event => {
        if (event.key === ' ') show(event)
      })
    })
    strip.addEventListener('scroll', markShown, { passive: true })
    markShown()
  }
}

customElements.define('product-gallery', ProductGallery)
