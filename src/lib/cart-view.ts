import type { LiveProduct } from './contract/catalog.ts'
import { CHECKOUT_MESSAGES } from './checkout/messages.ts'
import { priceNow, stockNow } from './messages.ts'
import { formatPaise, fromRupees, paise, times, type Paise } from './money.ts'
import { cartTotal } from './pricing.ts'
import { mostOf } from './stock.ts'
import type { CartLine } from './stores/cart-line.ts'

/** A line as the cart shows it: with today's price and stock, and in words what changed since it was added. */
export interface CartViewLine {
  line: CartLine
  /** Of one pack. */
  price: Paise
  total: Paise
  changes: readonly string[]
  /** How many packs the shop has, where that is fewer than the line wants; 0 when it has none. */
  left?: number
}

export interface CartView {
  lines: readonly CartViewLine[]
  total: Paise
}

/**
 * The price of a discounted line stays what its deal promised: only the server can say what the deal is worth now. Lines
 * of one product share its stock, the earlier first.
 */
export function viewCart(
  lines: readonly CartLine[],
  live: ReadonlyMap<string, LiveProduct>,
  gone: ReadonlySet<string>
): CartView {
  const stock = new Map<string, number>()
  const viewed = lines.map(line => {
    const left = stock.get(line._id) ?? (gone.has(line._id) ? 0 : mostOf(live.get(line._id)))
    stock.set(line._id, Math.max(0, left - line.quantity.value))
    return viewLine(line, live.get(line._id), left, gone.has(line._id))
  })
  // What can't be had any more costs nothing, as in the shop's own reckoning.
  const sold = viewed.filter(({ line }) => !gone.has(line._id))
  return { lines: viewed, total: cartTotal(sold.map(({ line, price }) => ({ price, count: line.quantity.value }))) }
}

/** Whether all of it could be had as it stands, as far as the page knows. */
export function canOrder({ lines }: CartView): boolean {
  return lines.length > 0 && lines.every(({ left }) => left === undefined)
}

const LOST: Record<string, string | undefined> = {
  discount_ended: CHECKOUT_MESSAGES.cartDiscountEnded,
  discount_used: CHECKOUT_MESSAGES.cartDiscountUsed
}

function viewLine(line: CartLine, live: LiveProduct | undefined, left: number, gone: boolean): CartViewLine {
  const saved = fromRupees(line.price)
  const price = live && line.discount === undefined ? fromRupees(live.price) : saved
  const lost = LOST[line.lost ?? '']
  const changes = [...(lost ? [lost] : []), ...(price === saved ? [] : [priceNow(formatPaise(price))])]
  const view = { line, price, total: gone ? paise(0) : times(price, line.quantity.value) }
  if (line.quantity.value <= left) return { ...view, changes }
  const shortage = gone ? CHECKOUT_MESSAGES.cartGone : left === 0 ? CHECKOUT_MESSAGES.cartOutOfStock : stockNow(left)
  return { ...view, changes: [...changes, shortage], left }
}
