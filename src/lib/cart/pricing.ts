import { MAX_CART_QUANTITY } from '../constants.ts'
import {
  applyDiscount,
  multiply,
  type Paise,
  splitByLargestRemainder,
  sumPaise,
  toPaise
} from '../money.ts'
import type { CouponProblem, LineProblem, Reduction } from '../contract/names.ts'

const BLOCKING_PROBLEMS: readonly (LineProblem | undefined)[] = ['gone', 'out_of_stock', 'too_few']

export interface WantedLine {
  product: string
  quantity: number
  dealId?: string | undefined
}

export interface PricedProduct {
  price: Paise
  stock: number
  /** Only during the sale, by the server's clock. */
  salePrice?: Paise | undefined
}

export interface DrawnDiscount {
  product: string
  percent: number
  state: 'usable' | 'ended' | 'used'
}

export interface PricedLine extends WantedLine {
  listPrice: Paise
  /** Of one pack. A coupon lowers only the total. */
  price: Paise
  reduction?: Reduction
  /** Set even if the sale price or the coupon is lower. */
  discount?: number
  couponDiscount?: Paise
  total: Paise
  most: number
  problem?: LineProblem
}

type CouponResult = { discount: Paise } | { problem: CouponProblem }

export interface PricedCart {
  lines: readonly PricedLine[]
  subtotal: Paise
  coupon?: CouponResult
  total: Paise
  canOrder: boolean
}

/**
 * The only pricing rules, for server and browser. Each line gets the lowest of drawn discount, sale
 * price and coupon. Lines of the same product share its stock. Earlier lines get it first.
 */
export function priceCart(
  wanted: readonly WantedLine[],
  products: ReadonlyMap<string, PricedProduct>,
  discounts: ReadonlyMap<string, DrawnDiscount>,
  coupon?: Coupon
): PricedCart {
  const remaining = new Map([...products].map(([id, { stock }]) => [id, stock]))
  const usedDeals = new Set<string>()
  const ownLines = wanted.map((line): PricedLine => {
    const product = products.get(line.product)
    if (!product)
      return {
        ...line,
        listPrice: toPaise(0),
        price: toPaise(0),
        total: toPaise(0),
        most: 0,
        problem: 'gone'
      }
    const inStock = remaining.get(line.product) ?? 0
    const maxQuantity = Math.min(inStock, MAX_CART_QUANTITY)
    remaining.set(line.product, Math.max(0, inStock - line.quantity))
    const { percent, problem } = findDiscount(line, discounts, usedDeals)
    const { price, reduction } = findLowestPrice(product, percent)
    const stockProblem =
      maxQuantity === 0 ? 'out_of_stock' : line.quantity > maxQuantity ? 'too_few' : undefined
    const lineProblem = stockProblem ?? problem
    return {
      ...line,
      listPrice: product.price,
      price,
      ...(reduction && { reduction }),
      ...(percent !== undefined && { discount: percent }),
      total: multiply(price, line.quantity),
      most: maxQuantity,
      ...(lineProblem && { problem: lineProblem })
    }
  })
  const { lines, result } = coupon ? applyCoupon(ownLines, coupon) : { lines: ownLines }
  return {
    lines,
    subtotal: sumPaise(lines.map(({ price, quantity }) => multiply(price, quantity))),
    ...(result && { coupon: result }),
    total: sumPaise(lines.map(line => line.total)),
    canOrder: lines.length > 0 && lines.every(({ problem }) => !BLOCKING_PROBLEMS.includes(problem))
  }
}

function findDiscount(
  { product, quantity, dealId }: WantedLine,
  discounts: ReadonlyMap<string, DrawnDiscount>,
  usedDeals: Set<string>
): { percent?: number; problem?: LineProblem } {
  if (dealId === undefined) return {}
  const drawn = discounts.get(dealId)
  if (!drawn || drawn.product !== product || drawn.state === 'ended')
    return { problem: 'discount_ended' }
  if (drawn.state === 'used' || quantity !== 1 || usedDeals.has(dealId))
    return { problem: 'discount_used' }
  usedDeals.add(dealId)
  return { percent: drawn.percent }
}

/** With equal prices, a drawn discount stays unused, because the shopper can use it only once. */
function findLowestPrice(
  { price, salePrice = price }: PricedProduct,
  percent = 0
): { price: Paise; reduction?: Reduction } {
  const drawnPrice = applyDiscount(price, percent)
  if (drawnPrice < Math.min(price, salePrice)) return { price: drawnPrice, reduction: 'draw' }
  return salePrice < price ? { price: salePrice, reduction: 'sale' } : { price }
}

function applyCoupon(
  lines: readonly PricedLine[],
  coupon: Coupon
): { lines: readonly PricedLine[]; result: CouponResult } {
  const split = splitCoupon(
    lines.map(line => ({ ...line, listTotal: multiply(line.listPrice, line.quantity) })),
    coupon
  )
  if (typeof split === 'string') return { lines, result: { problem: split } }
  const reduced = lines.map((line, index): PricedLine => {
    const couponDiscount = split[index] ?? toPaise(0)
    if (couponDiscount === 0) return line
    const total = toPaise(multiply(line.listPrice, line.quantity) - couponDiscount)
    return { ...line, price: line.listPrice, reduction: 'coupon', couponDiscount, total }
  })
  return { lines: reduced, result: { discount: sumPaise(split) } }
}

export type Coupon = ({ percent: number } | { amount: Paise }) & {
  /** Compared with the total of the cart without the coupon. */
  minimum: Paise
  products: readonly string[]
  /** Otherwise each pack keeps a price of at least MIN_PACK_PRICE. */
  mayBeFree: boolean
}

interface CouponLine {
  product: string
  quantity: number
  /** List price × quantity. */
  listTotal: Paise
  /** Price without the coupon, which a drawn discount or a sale may have lowered. */
  total: Paise
}

const MIN_PACK_PRICE = toPaise(100)

/**
 * Returns what the coupon takes off the list total of each line, or why it takes nothing off.
 *
 * A line whose own price is as low keeps it, and its share goes to the other lines. Only one line
 * drops out at a time, because the shares of the others then grow. Nobody pays more than without
 * the coupon: a remaining line costs less than its own price, and a dropped line exactly that.
 */
function splitCoupon(
  lines: readonly CouponLine[],
  coupon: Coupon
): readonly Paise[] | CouponProblem {
  if (sumPaise(lines.map(({ total }) => total)) < coupon.minimum) return 'minimum'
  let limits = lines.map(line => findLimit(line, coupon))
  if (limits.every(limit => limit === 0)) return 'no_items'
  while (limits.some(limit => limit > 0)) {
    const shares =
      'percent' in coupon
        ? takePercent(lines, limits, coupon.percent)
        : splitAmount(coupon.amount, lines, limits)
    const worst = findWorst(lines, limits, shares)
    if (worst === undefined) return shares
    limits = limits.map((limit, index) => (index === worst ? toPaise(0) : limit))
  }
  return 'no_gain'
}

function findLimit({ product, quantity, listTotal }: CouponLine, { products, mayBeFree }: Coupon) {
  if (!products.includes(product)) return toPaise(0)
  return mayBeFree
    ? listTotal
    : toPaise(Math.max(0, listTotal - multiply(MIN_PACK_PRICE, quantity)))
}

function takePercent(
  lines: readonly CouponLine[],
  limits: readonly Paise[],
  percent: number
): Paise[] {
  return lines.map(({ listTotal }, index) =>
    toPaise(Math.min(listTotal - applyDiscount(listTotal, percent), limits[index] ?? 0))
  )
}

/** By value or, if that makes a line too cheap, by what may come off the lines. */
function splitAmount(
  amount: Paise,
  lines: readonly CouponLine[],
  limits: readonly Paise[]
): Paise[] {
  const off = toPaise(Math.min(amount, sumPaise(limits)))
  const values = lines.map(({ listTotal }, index) => (limits[index] === 0 ? toPaise(0) : listTotal))
  const byValue = splitByLargestRemainder(off, values)
  return byValue.every((share, index) => share <= (limits[index] ?? 0))
    ? byValue
    : splitByLargestRemainder(off, limits)
}

function findWorst(
  lines: readonly CouponLine[],
  limits: readonly Paise[],
  shares: readonly Paise[]
): number | undefined {
  const losses = lines.map(({ listTotal, total }, index) =>
    limits[index] === 0 ? -1 : listTotal - (shares[index] ?? 0) - total
  )
  const largest = Math.max(...losses)
  return largest >= 0 ? losses.indexOf(largest) : undefined
}
