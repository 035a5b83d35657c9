import { MAX_CART_QUANTITY } from './constants.ts'
import type { LiveProduct } from './contract/catalog.ts'
import { MESSAGES, priceNow, stockNow } from './messages.ts'
import { formatPaise, fromRupees, times, type Paise } from './money.ts'
import { cartTotal } from './pricing.ts'
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

/** The price of a discounted line stays what its deal promised: only the server can say what the deal is worth now. */
export function viewCart(
  lines: readonly CartLine[],
  live: ReadonlyMap<string, LiveProduct>,
  gone: ReadonlySet<string>
): CartView {
  const viewed = lines.map(line => viewLine(line, live.get(line._id), gone.has(line._id)))
  return { lines: viewed, total: cartTotal(viewed.map(({ line, price }) => ({ price, count: line.quantity.value }))) }
}

/** How many packs of a product one order may hold. */
export function mostOf(live: LiveProduct | undefined): number {
  if (live?.stock === 'out') return 0
  return Math.min(live?.left ?? MAX_CART_QUANTITY, MAX_CART_QUANTITY)
}

function viewLine(line: CartLine, live: LiveProduct | undefined, gone: boolean): CartViewLine {
  const saved = fromRupees(line.price)
  const price = live && line.discount === undefined ? fromRupees(live.price) : saved
  const left = gone ? 0 : mostOf(live)
  const changes = price === saved ? [] : [priceNow(formatPaise(price))]
  const view = { line, price, total: times(price, line.quantity.value) }
  if (line.quantity.value <= left) return { ...view, changes }
  const shortage = gone ? MESSAGES.cartGone : left === 0 ? MESSAGES.cartOutOfStock : stockNow(left)
  return { ...view, changes: [...changes, shortage], left }
}
