import { mostOf } from '#lib/stock.ts'
import { MIN_CART_QUANTITY } from '#lib/constants.ts'
import { $cart, countOf } from '#lib/stores/cart.ts'
import type { CartProduct } from '#lib/stores/cart-line.ts'
import { $live } from '#lib/stores/live.ts'

/**
 * `<quantity-stepper>` inside `<add-to-cart>`, around a minus button, a number field and a plus button: whole numbers
 * from 1 to what can still be added. A disabled field tells that the page was published while the product was sold out.
 */
class QuantityStepper extends HTMLElement {
  connectedCallback(): void {
    const [minus, plus] = this.querySelectorAll('button')
    const field = this.querySelector('input')
    const stored = this.closest<HTMLElement>('add-to-cart')?.dataset['product'] ?? 'null'
    const product = JSON.parse(stored) as CartProduct | null
    if (!minus || !plus || !field || !product) return
    let most = 0
    const set = (count: number): void => {
      const value = Math.max(Math.min(Math.trunc(count), most) || MIN_CART_QUANTITY, MIN_CART_QUANTITY)
      field.value = String(value)
      minus.disabled = value === MIN_CART_QUANTITY
      plus.disabled = value >= most
    }
    const limit = (): void => {
      const live = $live.get().get(product._id)
      if (live) field.disabled = live.stock === 'out'
      most = field.disabled ? 0 : mostOf(live) - countOf($cart.get(), product._id)
      field.max = String(Math.max(most, MIN_CART_QUANTITY))
      set(Number(field.value))
    }
    minus.addEventListener('click', () => set(Number(field.value) - 1))
    plus.addEventListener('click', () => set(Number(field.value) + 1))
    field.addEventListener('change', () => set(Number(field.value)))
    $live.subscribe(limit)
    $cart.listen(limit)
  }
}

customElements.define('quantity-stepper', QuantityStepper)
