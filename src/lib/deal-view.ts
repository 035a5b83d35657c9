import type { DiscountedProduct, FlashDeal } from './contract/deals.ts'
import { dealRange } from './messages.ts'
import { formatPaise, fromRupees } from './money.ts'
import { discounted } from './pricing.ts'
import { stockWord, type StockWord } from './stock.ts'
import type { CartProduct } from './stores/cart-line.ts'
import { DAY, formatDayAndTime, HOUR, MINUTE, SECOND } from './time.ts'

type DealProduct = CartProduct & {
  stock: StockWord
  /** How many packs are left, where few are; a prebuilt page shows only the word. */
  left?: number
}

/** A deal as the Flash Deals page shows it. */
export interface DealView {
  id: string
  /** Undefined when the shop tells of a deal and not of what. */
  product: DealProduct | undefined
  /** The most that may be drawn. */
  percent: number
  endTime: string
  /** The end as people read it; written once, since a browser may write it otherwise than the build. */
  until: string
}

export function dealView({ _id: id, product, discountPercentage, endTime }: DiscountedProduct): DealView {
  return { id, product: viewProduct(product), percent: discountPercentage, endTime, until: formatDayAndTime(endTime) }
}

/** Of what the shop answers in the browser, where nothing is sure; undefined for what is no deal. */
export function flashView(deal: Partial<FlashDeal> | null | undefined): DealView | undefined {
  const { _id: id, productId, discountPercentage = 0, endTime } = deal ?? {}
  if (typeof id !== 'string' || typeof endTime !== 'string' || Number.isNaN(Date.parse(endTime))) return undefined
  const isProduct = typeof productId?._id === 'string' && typeof productId.price === 'number'
  const product = isProduct ? { ...viewProduct(productId), ...leftOf(productId) } : undefined
  return { id, product, percent: discountPercentage, endTime, until: formatDayAndTime(endTime) }
}

/** The deals that have not ended at `now` (ms since the epoch, by the shop's clock). */
export function running(deals: readonly DealView[], now: number): readonly DealView[] {
  return deals.every(deal => isRunning(deal, now)) ? deals : deals.filter(deal => isRunning(deal, now))
}

export function isRunning({ endTime }: Pick<DealView, 'endTime'>, now: number): boolean {
  return Date.parse(endTime) > now
}

/** 'between 1% and 20% off, yours until Sat, 21 Nov, 6:00 pm' */
export function offerOf({ percent, until }: DealView): string {
  return dealRange(percent, until)
}

/** What a pack costs with a personal discount: the same paise as in the cart and on the bill. */
export function personalPrice(price: number, percent: number): string {
  return formatPaise(discounted(fromRupees(price), percent))
}

/** '2 days 4 h', '19 h 05 min' or '12 min 05 s', from ms. */
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
    stock: stockWord(stock)
  }
}

function leftOf({ stock }: FlashDeal['productId']): Pick<DealProduct, 'left'> {
  return stockWord(stock) === 'low' ? { left: stock } : {}
}
