import { inCart, MESSAGES } from '#lib/messages.ts'
import { $cart, addToCart, countPacksOfProduct } from '#lib/stores/cart.ts'
import type { CartProduct } from '#lib/stores/cart-line.ts'
import { $liveProducts } from '#lib/stores/live-products.ts'

/** `<add-to-cart data-product='{CartProduct}' data-count="#quantity">`: uses the live price and stock once loaded. */
class AddToCart extends HTMLElement {
  connectedCallback(): void {
    const product = JSON.parse(this.dataset['product'] ?? 'null') as CartProduct | null
    const button = this.querySelector<HTMLButtonElement>('[data-add]')
    if (!product || !button) return
    button.addEventListener('click', () => {
      const live = $liveProducts.get().get(product._id)
      addToCart({ ...product, price: live?.price ?? product.price }, this.#readQuantity())
    })
    $liveProducts.subscribe(live => {
      const liveProduct = live.get(product._id)
      if (!liveProduct) return
      button.disabled = liveProduct.stock === 'out'
      if ('buyBar' in this.dataset) button.textContent = button.disabled ? MESSAGES.outOfStock : MESSAGES.addToCart
    })
    const indicator = this.querySelector<HTMLElement>('[data-in-cart]')
    $cart.subscribe(lines => {
      const count = countPacksOfProduct(lines, product._id)
      if (!indicator) return
      indicator.hidden = count === 0
      indicator.textContent = inCart(count)
    })
  }

  #readQuantity(): number {
    const { count } = this.dataset
    return Number((count && document.querySelector<HTMLInputElement>(count)?.value) || 1)
  }
}

customElements.define('add-to-cart', AddToCart)
