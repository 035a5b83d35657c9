import type { CartProduct, LineDiscount } from '#lib/cart/line.ts'
import { MIN_CART_QUANTITY } from '#lib/constants.ts'
import { inCart, MESSAGES } from '#lib/messages.ts'
import { findMaxQuantity } from '#lib/product.ts'
import {
  $cart,
  addToCart,
  addWithDiscount,
  countPacksOfProduct,
  toCurrent
} from '#lib/stores/cart.ts'
import { $liveProducts } from '#lib/stores/catalog.ts'

export function readProduct(element: HTMLElement | null): CartProduct | null {
  return JSON.parse(element?.dataset['product'] ?? 'null') as CartProduct | null
}

class AddToCart extends HTMLElement {
  connectedCallback() {
    const product = readProduct(this)
    const button = this.querySelector<HTMLButtonElement>('[data-add]')
    if (!product || !button) return
    button.addEventListener('click', () => {
      const current = toCurrent(product)
      const { drawn } = this.dataset
      if (drawn) addWithDiscount(current, this.#readQuantity(), JSON.parse(drawn) as LineDiscount)
      else addToCart(current, this.#readQuantity())
    })
    $liveProducts.subscribe(live => {
      const liveProduct = live.get(product._id)
      if (!liveProduct) return
      button.disabled = liveProduct.stock === 'out'
      if ('buyBar' in this.dataset)
        button.textContent = button.disabled ? MESSAGES.outOfStock : MESSAGES.addToCart
    })
    const indicator = this.querySelector<HTMLElement>('[data-in-cart]')
    $cart.subscribe(lines => {
      if (!indicator) return
      const sizes = this.dataset['sizes']?.split(' ') ?? [product._id]
      const count = countPacksOfProduct(lines, ...sizes)
      indicator.hidden = count === 0
      indicator.textContent = inCart(count)
    })
  }

  #readQuantity() {
    const { count } = this.dataset
    return Number((count && document.querySelector<HTMLInputElement>(count)?.value) || 1)
  }
}

customElements.define('add-to-cart', AddToCart)

/** Until the live stock has loaded, a disabled field means that the product is sold out. */
class QuantityStepper extends HTMLElement {
  connectedCallback() {
    const [minus, plus] = this.querySelectorAll('button')
    const field = this.querySelector('input')
    const product = readProduct(this.closest('add-to-cart'))
    if (!minus || !plus || !field || !product) return
    let max = 0
    const setQuantity = (count: number) => {
      const value = Math.max(
        Math.min(Math.trunc(count), max) || MIN_CART_QUANTITY,
        MIN_CART_QUANTITY
      )
      field.value = String(value)
      minus.disabled = value === MIN_CART_QUANTITY
      plus.disabled = value >= max
    }
    const updateLimit = () => {
      const live = $liveProducts.get().get(product._id)
      if (live) field.disabled = live.stock === 'out'
      max = field.disabled
        ? 0
        : findMaxQuantity(live) - countPacksOfProduct($cart.get(), product._id)
      field.max = String(Math.max(max, MIN_CART_QUANTITY))
      setQuantity(Number(field.value))
    }
    minus.addEventListener('click', () => setQuantity(Number(field.value) - 1))
    plus.addEventListener('click', () => setQuantity(Number(field.value) + 1))
    field.addEventListener('change', () => setQuantity(Number(field.value)))
    $liveProducts.subscribe(updateLimit)
    $cart.listen(updateLimit)
  }
}

customElements.define('quantity-stepper', QuantityStepper)
