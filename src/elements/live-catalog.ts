import type { LiveProduct } from '#lib/contract/catalog.ts'
import { dealOffer, stockNow, upToPercentOff } from '#lib/messages.ts'
import { formatPaise, formatRupees, fromRupees } from '#lib/money.ts'
import { unitPrice } from '#lib/pack.ts'
import { discounted } from '#lib/pricing.ts'
import type { CartProduct } from '#lib/stores/cart-line.ts'
import { $liveProducts, loadLiveProducts } from '#lib/stores/live-products.ts'
import { whenIdle } from './when-idle.ts'

/**
 * Updates a prebuilt page with current data: inside `data-live-id`, the elements with `data-live="price"`, `unit-price`,
 * `out`, `low`, `in` and `deal`; an element with `data-deal` is visible only while its deal runs.
 */
const products = [...document.querySelectorAll<HTMLElement>('[data-live-id]')]
const deals = [...document.querySelectorAll<HTMLElement>('[data-deal]')]

$liveProducts.listen(live => {
  for (const element of products) {
    const product = live.get(element.dataset['liveId'] ?? '')
    if (product) updateProduct(element, product)
  }
  for (const deal of deals) updateDeal(deal, live.get(deal.dataset['deal'] ?? ''))
})

whenIdle(() => void refresh())

async function refresh(): Promise<void> {
  const ids = new Set([
    ...products.map(({ dataset }) => dataset['liveId'] ?? ''),
    ...deals.map(({ dataset }) => dataset['deal'] ?? '')
  ])
  if (ids.size > 0) await loadLiveProducts([...ids])
  if ($liveProducts.get().size > 0) return
  // Offline: hide deals that have ended by the visitor's clock.
  for (const deal of deals) deal.hidden = Date.parse(deal.dataset['end'] ?? '') < Date.now()
}

function updateProduct(element: HTMLElement, { price, stock, left, deal }: LiveProduct): void {
  write(element, 'price', formatRupees(price))
  const { packSize } = JSON.parse(
    element.querySelector<HTMLElement>('add-to-cart')?.dataset['product'] ?? '{}'
  ) as Partial<CartProduct>
  if (packSize) write(element, 'unit-price', unitPrice(price, packSize) ?? '')
  show(element, 'out', stock === 'out')
  show(element, 'in', stock === 'in')
  show(element, 'low', stock === 'low')
  if (left !== undefined) write(element, 'low', stockNow(left))
  show(element, 'deal', deal !== undefined)
  if (deal) write(element, 'deal', upToPercentOff(deal.percent))
}

function updateDeal(element: HTMLElement, product: LiveProduct | undefined): void {
  element.hidden = product?.deal === undefined
  if (!product?.deal) return
  const { percent } = product.deal
  write(element, 'price', formatRupees(product.price))
  write(element, 'offer', dealOffer(percent, formatPaise(discounted(fromRupees(product.price), percent))))
}

function write(element: HTMLElement, part: string, text: string): void {
  const target = element.querySelector(`[data-live="${part}"]`)
  if (target && target.textContent !== text) target.textContent = text
}

function show(element: HTMLElement, part: string, visible: boolean): void {
  for (const target of element.querySelectorAll<HTMLElement>(`[data-live="${part}"]`)) target.hidden = !visible
}
