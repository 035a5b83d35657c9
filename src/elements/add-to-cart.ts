import { inCart, MESSAGES } from '#lib/messages.ts'
import { $cart, addToCart, countOf } from '#lib/stores/cart.ts'
import type { CartProduct } from '#lib/stores/cart-line.ts'
import { $live } from '#lib/stores/live.ts'

/**
 * `<add-to-cart data-product='{CartProduct}' data-count="#quantity">` around a button with `data-add`; an element
 * with `data-in-cart` inside says how many are in the cart. What the shop says live of price and stock counts more than the page.
 */
class AddToCart extends HTMLElement {
  connectedCallback(): void {
    const product = JSON.parse(this.dataset['product'] ?? 'null') as CartProduct | null
    const button = this.querySelector<HTMLButtonElement>('[data-add]')
    if (!product || !button) return
    button.addEventListener('click', () => {
      const live = $live.get().get(product._id)
      addToCart({ ...product, price: live?.price ?? product.price }, this.#count())
    })
    $live.subscribe(live => {
      const now = live.get(product._id)
      if (!now) return
      button.disabled = now.stock === 'out'
      // A card says it over its picture.
      if ('buyBar' in this.dataset) button.textContent = button.disabled ? MESSAGES.outOfStock : MESSAGES.addToCart
    })
    const indicator = this.querySelector<HTMLElement>('[data-in-cart]')
    $cart.subscribe(lines => {
      const count = countOf(lines, product._id)
      if (!indicator) return
      indicator.hidden = count === 0
      indicator.textContent = inCart(count)
    })
  }

  #count(): number {
    const { count } = this.dataset
    return Number((count && document.querySelector<HTMLInputElement>(count)?.value) || 1)
  }
}

customElements.define('add-to-cart', AddToCart)
