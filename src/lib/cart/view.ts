import { CHECKOUT_MESSAGES } from '../checkout/messages.ts'
import type { LiveProduct } from '../contract/catalog.ts'
import { lowStockText, newPriceText } from '../messages.ts'
import { formatPaise, fromRupees, multiply, toPaise, type Paise } from '../money.ts'
import { findMaxQuantity } from '../product.ts'
import type { CartLine } from './line.ts'
import { sumLines } from './pricing.ts'

export interface CartViewLine {
  line: CartLine
  price: Paise
  /** Price without the drawn discount. Set only for a discounted line. */
  listPrice?: Paise
  total: Paise
  changes: readonly string[]
  /** Number of packs that the shopper can order. Set only if the cart line contains more packs than this number. */
  available?: number
}

export interface CartView {
  lines: readonly CartViewLine[]
  total: Paise
}

export function toCartView(
  lines: readonly CartLine[],
  live: ReadonlyMap<string, LiveProduct>,
  goneIds: ReadonlySet<string>
): CartView {
  const remaining = new Map<string, number>()
  const viewLines = lines.map(line => {
    const available = remaining.get(line._id) ?? (goneIds.has(line._id) ? 0 : findMaxQuantity(live.get(line._id)))
    remaining.set(line._id, Math.max(0, available - line.quantity.value))
    return toCartViewLine(line, live.get(line._id), available, goneIds.has(line._id))
  })
  const availableLines = viewLines.filter(({ line }) => !goneIds.has(line._id))
  return {
    lines: viewLines,
    total: sumLines(availableLines.map(({ line, price }) => ({ price, count: line.quantity.value })))
  }
}

export function canOrder({ lines }: CartView): boolean {
  return lines.length > 0 && lines.every(({ available }) => available === undefined)
}

const LOST_DISCOUNT_TEXTS: Record<string, string | undefined> = {
  discount_ended: CHECKOUT_MESSAGES.cartDiscountEnded,
  discount_used: CHECKOUT_MESSAGES.cartDiscountUsed
}

function toCartViewLine(
  line: CartLine,
  live: LiveProduct | undefined,
  available: number,
  isGone: boolean
): CartViewLine {
  const savedPrice = fromRupees(line.price)
  // Only the server knows the current discount, therefore a discounted line keeps its saved price.
  const price = live && line.discount === undefined ? fromRupees(live.price) : savedPrice
  const lostDiscount = LOST_DISCOUNT_TEXTS[line.lost ?? '']
  const changes = [
    ...(lostDiscount ? [lostDiscount] : []),
    ...(price === savedPrice ? [] : [newPriceText(formatPaise(price))])
  ]
  const view = {
    line,
    price,
    ...(live && line.discount !== undefined && { listPrice: fromRupees(live.price) }),
    total: isGone ? toPaise(0) : multiply(price, line.quantity.value)
  }
  if (line.quantity.value <= available) return { ...view, changes }
  const shortage = isGone
    ? CHECKOUT_MESSAGES.cartGone
    : available === 0
      ? CHECKOUT_MESSAGES.cartOutOfStock
      : lowStockText(available)
  return { ...view, changes: [...changes, shortage], available }
}
