import { $cart, countAll } from '#lib/stores/cart.ts'

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
