import { toCartProduct, type CartProduct } from '../cart/line.ts'
import type { DiscountedProduct, FlashDeal } from '../contract/promotions.ts'
import { plural, t } from '../contract/texts.ts'
import { toStockLevel } from '../product.ts'
import type { StockLevel } from '../contract/names.ts'
import { DAY, formatDayAndTime, HOUR, MINUTE, SECOND } from '../time.ts'

type DealProduct = CartProduct & { stock: StockLevel; left?: number }

export interface DealView {
  id: string
  product: DealProduct | undefined
  percent: number
  endTime: string
  /** Formatted at build time, because a browser may format times differently. */
  until: string
}

export function highestDraw(percent: number): number {
  return Math.floor(percent)
}

export function toDealView(deal: DiscountedProduct): DealView {
  return { ...toTerms(deal), id: deal._id, product: toDealProduct(deal.product) }
}

function toTerms({
  discountPercentage,
  endTime
}: Pick<FlashDeal, 'discountPercentage' | 'endTime'>): Omit<DealView, 'id' | 'product'> {
  return { percent: highestDraw(discountPercentage), endTime, until: formatDayAndTime(endTime) }
}

export function toFlashDealView(deal: Partial<FlashDeal> | null | undefined): DealView | undefined {
  const { _id: id, productId, discountPercentage = 0, endTime } = deal ?? {}
  if (typeof id !== 'string' || typeof endTime !== 'string' || Number.isNaN(Date.parse(endTime)))
    return undefined
  const isProduct = typeof productId?._id === 'string' && typeof productId.price === 'number'
  const left = productId && toStockLevel(productId.stock) === 'low' ? { left: productId.stock } : {}
  const product = isProduct ? { ...toDealProduct(productId), ...left } : undefined
  return { ...toTerms({ discountPercentage, endTime }), id, product }
}

export function runningDeals(deals: readonly DealView[], now: number): readonly DealView[] {
  const running = deals.filter(deal => isRunning(deal, now))
  return running.length === deals.length ? deals : running
}

export function isRunning({ endTime }: Pick<DealView, 'endTime'>, now: number): boolean {
  return Date.parse(endTime) > now
}

export function formatTimeLeft(ms: number): string {
  const left = Math.max(0, Math.ceil(ms / SECOND) * SECOND)
  const [days, hours] = [Math.floor(left / DAY), Math.floor((left % DAY) / HOUR)]
  const [minutes, seconds] = [Math.floor((left % HOUR) / MINUTE), (left % MINUTE) / SECOND]
  const pad = (count: number) => String(count).padStart(2, '0')
  if (days > 0) return plural(days, '{count} day {hours} h', '{count} days {hours} h', { hours })
  return hours > 0
    ? t('{hours} h {minutes} min', { hours, minutes: pad(minutes) })
    : t('{minutes} min {seconds} s', { minutes, seconds: pad(seconds) })
}

function toDealProduct(product: FlashDeal['productId']): DealProduct {
  const { quantity: packSize, stock } = product
  return { ...toCartProduct({ ...product, packSize }), stock: toStockLevel(stock) }
}
