import type { LiveProduct } from '#lib/contract/catalog.ts'
import { dealOffer, stockNow, upToPercentOff } from '#lib/messages.ts'
import { formatPaise, formatRupees, fromRupees } from '#lib/money.ts'
import { unitPrice } from '#lib/pack.ts'
import { discounted } from '#lib/pricing.ts'
import type { CartProduct } from '#lib/stores/cart-line.ts'
import { $live, loadLive } from '#lib/stores/live.ts'
import { whenIdle } from './when-idle.ts'

/**
 * Corrects a prebuilt page once it has loaded. Inside an element with `data-live-id`, each `data-live="price"`,
 * `unit-price`, `out`, `low`, `in` and `deal` says what the shop says now; an element with `data-deal` is there only
 * while its deal runs. Without network nothing changes.
 */
const places = [...document.querySelectorAll<HTMLElement>('[data-live-id]')]
const deals = [...document.querySelectorAll<HTMLElement>('[data-deal]')]

$live.listen(live => {
  for (const place of places) {
    const product = live.get(place.dataset['liveId'] ?? '')
    if (product) correct(place, product)
  }
  for (const deal of deals) correctDeal(deal, live.get(deal.dataset['deal'] ?? ''))
})

whenIdle(() => void bringUpToDate())

async function bringUpToDate(): Promise<void> {
  const ids = new Set([
    ...places.map(({ dataset }) => dataset['liveId'] ?? ''),
    ...deals.map(({ dataset }) => dataset['deal'] ?? '')
  ])
  if (ids.size > 0) await loadLive([...ids])
  if ($live.get().size > 0) return
  // The shop can't be reached: only what has ended by the visitor's own clock goes.
  for (const deal of deals) deal.hidden = Date.parse(deal.dataset['end'] ?? '') < Date.now()
}

function correct(place: HTMLElement, { price, stock, left, deal }: LiveProduct): void {
  write(place, 'price', formatRupees(price))
  const { packSize } = JSON.parse(
    place.querySelector<HTMLElement>('add-to-cart')?.dataset['product'] ?? '{}'
  ) as Partial<CartProduct>
  if (packSize) write(place, 'unit-price', unitPrice(price, packSize) ?? '')
  show(place, 'out', stock === 'out')
  show(place, 'in', stock === 'in')
  show(place, 'low', stock === 'low')
  if (left !== undefined) write(place, 'low', stockNow(left))
  show(place, 'deal', deal !== undefined)
  if (deal) write(place, 'deal', upToPercentOff(deal.percent))
}

function correctDeal(place: HTMLElement, product: LiveProduct | undefined): void {
  place.hidden = product?.deal === undefined
  if (!product?.deal) return
  const { percent } = product.deal
  write(place, 'price', formatRupees(product.price))
  write(place, 'offer', dealOffer(percent, formatPaise(discounted(fromRupees(product.price), percent))))
}

function write(place: HTMLElement, part: string, text: string): void {
  const target = place.querySelector(`[data-live="${part}"]`)
  if (target && target.textContent !== text) target.textContent = text
}

function show(place: HTMLElement, part: string, visible: boolean): void {
  for (const target of place.querySelectorAll<HTMLElement>(`[data-live="${part}"]`)) target.hidden = !visible
}
