import { $cart, countPacks } from '#lib/stores/cart.ts'

class CartBadge extends HTMLElement {
  connectedCallback(): void {
    const count = this.querySelector('span')
    $cart.subscribe(lines => {
      const total = countPacks(lines)
      this.hidden = total === 0
      if (count) count.textContent = String(total)
    })
  }
}

customElements.define('cart-badge', CartBadge)
