import type { CartProduct } from '#lib/cart/line.ts'
import type { LiveProduct } from '#lib/contract/catalog.ts'
import { addAllText } from '#lib/messages.ts'
import { formatPaise, formatRupees } from '#lib/money.ts'
import { $cart } from '#lib/stores/cart.ts'
import { $liveProducts, updateLiveProducts } from '#lib/stores/catalog.ts'
import { readProduct } from './add-to-cart.ts'
import { addBoxToCart, findBox } from './box.ts'
import './live-catalog.ts'

class CollectionBox extends HTMLElement {
  connectedCallback() {
    const lines = [...this.querySelectorAll<HTMLElement>('[data-box-line]')]
    const button = this.querySelector<HTMLButtonElement>('[data-add-all]')
    if (!button) return
    const soldOut = [...this.querySelectorAll<HTMLElement>('[data-out]')]
    // Published before the reply to any request.
    updateLiveProducts(
      soldOut.map(({ dataset }) => JSON.parse(dataset['out'] ?? '') as LiveProduct),
      0
    )
    const readChosen = (): CartProduct[] => lines.flatMap(line => readProduct(findSize(line)) ?? [])
    const show = () => {
      const box = findBox(readChosen())
      box.lines.forEach(({ product, problem }, index) => {
        const price = lines[index]?.querySelector('[data-price]')
        if (price) price.textContent = problem ?? formatRupees(product.price)
      })
      button.textContent = addAllText(box.added.length, formatPaise(box.total))
      button.disabled = box.added.length === 0
    }
    button.addEventListener('click', () => addBoxToCart(this.dataset['name'] ?? '', readChosen()))
    this.addEventListener('change', show)
    $liveProducts.subscribe(show)
    $cart.listen(show)
  }
}

function findSize(line: HTMLElement): HTMLElement | null {
  const select = line.querySelector('select')
  return select ? (select.selectedOptions[0] ?? null) : line.querySelector('[data-product]')
}

customElements.define('collection-box', CollectionBox)
