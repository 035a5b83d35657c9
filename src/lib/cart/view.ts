import type { LiveProduct } from '../contract/catalog.ts'
import type { DeliveryOffer } from '../contract/delivery.ts'
import { t, texts } from '../contract/texts.ts'
import { lowStockText } from '../messages.ts'
import {
  formatPaise,
  fromRupees,
  multiply,
  sumPaise,
  toFee,
  toPaise,
  type Paise
} from '../money.ts'
import {
  type Coupon,
  type DrawnDiscount,
  priceCart,
  type PricedCart,
  type PricedLine,
  type PricedProduct
} from './pricing.ts'
import type { CartLine } from './line.ts'
import type { Reduction } from '../contract/names.ts'

export interface CartViewLine {
  line: CartLine
  price: Paise
  reduction?: Reduction
  /** Only if the line costs less. */
  listPrice?: Paise
  total: Paise
  changes: readonly string[]
  /** Only if the line has more packs. */
  available?: number
  /** Blocks the order. */
  deliveryProblem?: string
  deliveryWarning?: string
}

export interface CartView extends Pick<PricedCart, 'subtotal' | 'coupon' | 'canOrder'> {
  lines: readonly CartViewLine[]
  goods: Paise
  /** Undefined while unknown, or without a fee. */
  deliveryFee: Paise | undefined
  /** Undefined if the delivery can't become free, or always is. */
  missingForFree: Paise | undefined
  total: Paise
}

export type CartDelivery = Pick<DeliveryOffer, 'usualFee' | 'freeAbove' | 'problems' | 'warnings'>

export function toCartView(
  lines: readonly CartLine[],
  live: ReadonlyMap<string, LiveProduct>,
  goneIds: ReadonlySet<string>,
  coupon?: Coupon,
  delivery?: CartDelivery
): CartView {
  const products = new Map<string, PricedProduct>()
  const discounts = new Map<string, DrawnDiscount>()
  const wanted = lines.map((line, index) => {
    const { _id, quantity, discount } = line
    const current = live.get(_id)
    const isKnown = current !== undefined || goneIds.has(_id)
    // Without a current price, a line keeps its own, discount included.
    const product = isKnown ? _id : `${_id} ${index}`
    if (!goneIds.has(_id)) products.set(product, toPricedProduct(line, current))
    if (!isKnown || discount === undefined) return { product, quantity: quantity.value }
    const dealId = line.dealId ?? _id
    discounts.set(dealId, { product, percent: discount, state: 'usable' })
    return { product, quantity: quantity.value, dealId }
  })
  const {
    lines: priced,
    total: goods,
    canOrder,
    ...sums
  } = priceCart(wanted, products, discounts, coupon)
  const deliveryFee = delivery && findFee(delivery, goods)
  const viewLines = lines.flatMap((line, index) => {
    const pricedLine = priced[index]
    return pricedLine
      ? [{ ...toViewLine(line, pricedLine), ...findDeliveryNotes(line, delivery) }]
      : []
  })
  return {
    ...sums,
    lines: viewLines,
    canOrder: canOrder && viewLines.every(line => line.deliveryProblem === undefined),
    goods,
    deliveryFee,
    missingForFree: delivery && findMissing(delivery, goods, coupon),
    total: sumPaise([goods, ...(deliveryFee === undefined ? [] : [deliveryFee])])
  }
}

function findFee({ usualFee, freeAbove }: CartDelivery, goods: Paise) {
  if (usualFee === 0) return undefined
  return toFee(goods, fromRupees(usualFee), freeAbove === null ? null : fromRupees(freeAbove))
}

function findMissing({ freeAbove }: CartDelivery, goods: Paise, coupon: Coupon | undefined) {
  if (freeAbove === null) return undefined
  const missing = toPaise(Math.max(0, fromRupees(freeAbove) - goods))
  // Another product would cost nothing either.
  const isAllFree = coupon && 'percent' in coupon && coupon.percent === 100
  return isAllFree && missing > 0 ? undefined : missing
}

function findDeliveryNotes(
  { _id }: CartLine,
  delivery: CartDelivery | undefined
): Pick<CartViewLine, 'deliveryProblem' | 'deliveryWarning'> {
  const problem = delivery?.problems.find(({ product }) => product === _id)
  if (problem) return { deliveryProblem: problem.text }
  const warning = delivery?.warnings.find(({ product }) => product === _id)
  return warning ? { deliveryWarning: warning.text } : {}
}

function toPricedProduct({ price }: CartLine, current: LiveProduct | undefined): PricedProduct {
  const { price: currentPrice, listPrice } = current ?? { price }
  return {
    price: fromRupees(listPrice ?? currentPrice),
    stock: current?.stock === 'out' ? 0 : (current?.left ?? Infinity),
    ...(listPrice !== undefined && { salePrice: fromRupees(currentPrice) })
  }
}

const LOST_DISCOUNT_TEXTS = texts<Record<string, string | undefined>>({
  discount_ended: 'Your discount has ended, so this is the normal price.',
  discount_used: 'You already used your discount, so this is the normal price.'
})

function toViewLine(line: CartLine, priced: PricedLine): CartViewLine {
  const { price, reduction, listPrice, quantity, most, problem } = priced
  const savedPrice = fromRupees(line.price)
  const isGone = problem === 'gone'
  const hasNewPrice = !isGone && price === listPrice && price !== savedPrice
  const lostDiscount = LOST_DISCOUNT_TEXTS[line.lost ?? '']
  const changes = [
    ...(lostDiscount ? [lostDiscount] : []),
    ...(hasNewPrice ? [t('Price is now {price}', { price: formatPaise(price) })] : [])
  ]
  const view = {
    line,
    price: isGone ? savedPrice : price,
    ...(reduction && { reduction }),
    ...(price < listPrice && { listPrice }),
    total: multiply(price, quantity)
  }
  if (quantity <= most) return { ...view, changes }
  const missing = t(isGone ? 'No longer sold' : 'Out of stock')
  const shortage = most === 0 ? missing : lowStockText(most)
  return { ...view, changes: [...changes, shortage], available: most }
}
