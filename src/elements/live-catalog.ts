import { whenIdle } from '#lib/browser.ts'
import type { LiveProduct } from '#lib/contract/catalog.ts'
import { lowStockText, maxDiscountText } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { formatUnitPrice } from '#lib/product.ts'
import { formatDayOf } from '#lib/time.ts'
import { $liveProducts, loadLiveProducts } from '#lib/stores/catalog.ts'
import { readProduct } from './add-to-cart.ts'

// Updates a prebuilt page: elements with `data-live` inside those with `data-live-id`, and elements
// with `data-deal`, which are shown only while the product's deal is running.
const listProducts = () => [...document.querySelectorAll<HTMLElement>('[data-live-id]')]
const deals = [...document.querySelectorAll<HTMLElement>('[data-deal]')]

$liveProducts.listen(live => {
  for (const element of listProducts()) {
    const product = live.get(element.dataset['liveId'] ?? '')
    if (product) updateProduct(element, product)
  }
  for (const deal of deals) updateDeal(deal, live.get(deal.dataset['deal'] ?? ''))
})

whenIdle(() => void refresh())
addEventListener('online', () => void refresh())

async function refresh() {
  const ids = new Set([
    ...listProducts().map(({ dataset }) => dataset['liveId'] ?? ''),
    ...deals.map(({ dataset }) => dataset['deal'] ?? '')
  ])
  if (ids.size > 0) await loadLiveProducts([...ids])
  if ($liveProducts.get().size > 0) return
  // Without a reply from the server, use the visitor's clock to hide the deals that have ended.
  for (const deal of deals) deal.hidden = Date.parse(deal.dataset['end'] ?? '') < Date.now()
}

function updateProduct(element: HTMLElement, { price, listPrice, stock, left, deal }: LiveProduct) {
  setPart(element, 'price', formatRupees(price))
  setVisible(element, 'sale', listPrice !== undefined)
  setPart(element, 'list-price', formatRupees(listPrice ?? price))
  const packSize = readProduct(element.querySelector('add-to-cart'))?.packSize
  if (packSize) setPart(element, 'unit-price', formatUnitPrice(price, packSize) ?? '')
  for (const level of ['out', 'in', 'low']) setVisible(element, level, stock === level)
  if (left !== undefined) setPart(element, 'low', lowStockText(left))
  setVisible(element, 'deal', deal !== undefined)
  if (deal) setPart(element, 'deal', maxDiscountText(deal.percent))
}

function updateDeal(element: HTMLElement, product: LiveProduct | undefined) {
  element.hidden = product?.deal === undefined
  if (!product?.deal) return
  setPart(element, 'deal-day', formatDayOf(product.deal.endTime))
}

function setPart(element: HTMLElement, part: string, text: string) {
  for (const target of partsOf(element, part)) target.textContent = text
}

function setVisible(element: HTMLElement, part: string, visible: boolean) {
  for (const target of partsOf(element, part)) target.hidden = !visible
}

function partsOf(element: HTMLElement, part: string) {
  const parts = [...element.querySelectorAll<HTMLElement>(`[data-live="${part}"]`)]
  return parts.filter(
    target => target.closest('[data-live-id]') === element.closest('[data-live-id]')
  )
}
