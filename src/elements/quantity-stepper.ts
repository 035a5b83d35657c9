import { MAX_CART_QUANTITY, MIN_CART_QUANTITY } from '#lib/constants.ts'

/** `<quantity-stepper>` around a minus button, a number field and a plus button: whole numbers from 1 up. */
class QuantityStepper extends HTMLElement {
  connectedCallback(): void {
    const [minus, plus] = this.querySelectorAll('button')
    const field = this.querySelector('input')
    if (!minus || !plus || !field) return
    const set = (count: number): void => {
      const whole = Math.trunc(count) || MIN_CART_QUANTITY
      const value = Math.min(Math.max(whole, MIN_CART_QUANTITY), MAX_CART_QUANTITY)
      field.value = String(value)
      minus.disabled = value === MIN_CART_QUANTITY
      plus.disabled = value === MAX_CART_QUANTITY
    }
    minus.addEventListener('click', () => set(Number(field.value) - 1))
    plus.addEventListener('click', () => set(Number(field.value) + 1))
    field.addEventListener('change', () => set(Number(field.value)))
    set(Number(field.value))
  }
}

customElements.define('quantity-stepper', QuantityStepper)
