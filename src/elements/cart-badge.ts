import { $cart, countAll } from '#lib/stores/cart.ts'

/** `<cart-badge hidden><span></span>…</cart-badge>` shows the total quantity of the cart, when there is any. */
class CartBadge extends HTMLElement {
  connectedCallback(): void {
    const count = this.querySelector('span')
    $cart.subscribe(lines => {
      const total = countAll(lines)
      this.hidden = total === 0
      if (count) count.textContent = String(total)
    })
  }
}

customElements.define('cart-badge', CartBadge)
