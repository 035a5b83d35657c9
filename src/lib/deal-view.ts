import type { DiscountedProduct, FlashDeal } from './contract/deals.ts'
import { dealRange } from './messages.ts'
import { formatPaise, fromRupees } from './money.ts'
import { discounted } from './pricing.ts'
import { stockLevel, type StockLevel } from './stock.ts'
import type { CartProduct } from './stores/cart-line.ts'
import { DAY, formatDayAndTime, HOUR, MINUTE, SECOND } from './time.ts'

type DealProduct = CartProduct & {
  stock: StockLevel
  left?: number
}

export interface DealView {
  id: string
  product: DealProduct | undefined
  percent: number
  endTime: string
  /** `endTime`, formatted once: the browser may format it differently from the build. */
  until: string
}

export function dealView({ _id: id, product, discountPercentage, endTime }: DiscountedProduct): DealView {
  return { id, product: viewProduct(product), percent: discountPercentage, endTime, until: formatDayAndTime(endTime) }
}

export function flashView(deal: Partial<FlashDeal> | null | undefined): DealView | undefined {
  const { _id: id, productId, discountPercentage = 0, endTime } = deal ?? {}
  if (typeof id !== 'string' || typeof endTime !== 'string' || Number.isNaN(Date.parse(endTime))) return undefined
  const isProduct = typeof productId?._id === 'string' && typeof productId.price === 'number'
  const product = isProduct ? { ...viewProduct(productId), ...leftOf(productId) } : undefined
  return { id, product, percent: discountPercentage, endTime, until: formatDayAndTime(endTime) }
}

/** `now` is the server's time in ms. Returns the same array if no deal has ended. */
export function runningDeals(deals: readonly DealView[], now: number): readonly DealView[] {
  return deals.every(deal => isRunning(deal, now)) ? deals : deals.filter(deal => isRunning(deal, now))
}

export function isRunning({ endTime }: Pick<DealView, 'endTime'>, now: number): boolean {
  return Date.parse(endTime) > now
}

export function offerOf({ percent, until }: DealView): string {
  return dealRange(percent, until)
}

export function personalPrice(price: number, percent: number): string {
  return formatPaise(discounted(fromRupees(price), percent))
}

export function timeLeft(ms: number): string {
  const left = Math.max(0, Math.ceil(ms / SECOND) * SECOND)
  const [days, hours] = [Math.floor(left / DAY), Math.floor((left % DAY) / HOUR)]
  const [minutes, seconds] = [Math.floor((left % HOUR) / MINUTE), (left % MINUTE) / SECOND]
  if (days > 0) return `${days} ${days === 1 ? 'day' : 'days'} ${hours} h`
  return hours > 0 ? `${hours} h ${twoDigits(minutes)} min` : `${minutes} min ${twoDigits(seconds)} s`
}

const twoDigits = (count: number): string => String(count).padStart(2, '0')

function viewProduct({ _id, name, price, image, picture, quantity, stock }: FlashDeal['productId']): DealProduct {
  return {
    ...{ _id, name, price, image },
    ...(picture && { picture }),
    ...(quantity && { packSize: quantity }),
    stock: stockLevel(stock)
  }
}

function leftOf({ stock }: FlashDeal['productId']): Pick<DealProduct, 'left'> {
  return stockLevel(stock) === 'low' ? { left: stock } : {}
}
