import { onVisible, setText } from '#lib/browser.ts'
import { isClosedOn, type ClosedDays } from '#lib/closed-days.ts'
import { MESSAGES, yourPriceText } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { listDeliveryDates } from '#lib/order.ts'
import { $cart } from '#lib/stores/cart.ts'
import { $liveProducts } from '#lib/stores/catalog.ts'
import { $drawnDiscount, loadDrawnDiscount } from '#lib/stores/drawn-discount.ts'
import { formatShortDay, toDayInIndia } from '#lib/time.ts'

/** `<drawn-discount data-product="mysore-pak">`: says what the shopper's drawn discount for the product is worth. */
class DrawnDiscount extends HTMLElement {
  connectedCallback(): void {
    const { product = '' } = this.dataset
    const load = (): void => {
      if ($liveProducts.get().get(product)?.deal) void loadDrawnDiscount(product)
    }
    const stop = $liveProducts.listen(() => {
      stop()
      load()
    })
    onVisible(load)
    $drawnDiscount.subscribe(() => this.#show())
    $cart.subscribe(() => this.#show())
  }

  #show(): void {
    const drawn = $drawnDiscount.get()
    const inCart = $cart.get().some(({ dealId }) => dealId !== undefined && dealId === drawn?.dealId)
    this.toggleAttribute('data-drawn', drawn !== undefined)
    const isNext = drawn !== undefined && !drawn.used && !inCart
    document.querySelector('.buy-bar')?.toggleAttribute('data-drawn', isNext)
    if (!drawn) return
    const { price, discount, used } = drawn
    const text = used
      ? MESSAGES.dealUsed
      : inCart
        ? MESSAGES.discountInCart
        : yourPriceText(formatRupees(price), discount)
    setText(this, '[data-yours]', text)
    setText(document, '.buy-bar [data-yours]', formatRupees(price))
  }
}

customElements.define('drawn-discount', DrawnDiscount)

/** `<delivery-date data-closed='{ClosedDays}'>`: keeps its text while the shop is closed. */
class DeliveryDate extends HTMLElement {
  connectedCallback(): void {
    const closed = JSON.parse(this.dataset['closed'] ?? '') as ClosedDays
    const now = Date.now()
    const [earliest] = listDeliveryDates(now, closed)
    if (earliest && !isClosedOn(closed, toDayInIndia(now))) this.textContent = formatShortDay(earliest)
  }
}

customElements.define('delivery-date', DeliveryDate)
