import type { LiveProduct } from './contract/catalog.ts'
import { CHECKOUT_MESSAGES } from './checkout/messages.ts'
import { priceNow, stockNow } from './messages.ts'
import { formatPaise, fromRupees, paise, times, type Paise } from './money.ts'
import { cartTotal } from './pricing.ts'
import { maxQuantity } from './stock.ts'
import type { CartLine } from './stores/cart-line.ts'

export interface CartViewLine {
  line: CartLine
  price: Paise
  total: Paise
  changes: readonly string[]
  left?: number
}

export interface CartView {
  lines: readonly CartViewLine[]
  total: Paise
}

/** Discounted lines keep their stored price: only the server knows the current discount. */
export function viewCart(
  lines: readonly CartLine[],
  live: ReadonlyMap<string, LiveProduct>,
  gone: ReadonlySet<string>
): CartView {
  const stock = new Map<string, number>()
  const viewed = lines.map(line => {
    const left = stock.get(line._id) ?? (gone.has(line._id) ? 0 : maxQuantity(live.get(line._id)))
    stock.set(line._id, Math.max(0, left - line.quantity.value))
    return viewLine(line, live.get(line._id), left, gone.has(line._id))
  })
  const available = viewed.filter(({ line }) => !gone.has(line._id))
  return {
    lines: viewed,
    total: cartTotal(available.map(({ line, price }) => ({ price, count: line.quantity.value })))
  }
}

export function canOrder({ lines }: CartView): boolean {
  return lines.length > 0 && lines.every(({ left }) => left === undefined)
}

const LOST_DISCOUNT_TEXTS: Record<string, string | undefined> = {
  discount_ended: CHECKOUT_MESSAGES.cartDiscountEnded,
  discount_used: CHECKOUT_MESSAGES.cartDiscountUsed
}

function viewLine(line: CartLine, live: LiveProduct | undefined, left: number, gone: boolean): CartViewLine {
  const saved = fromRupees(line.price)
  const price = live && line.discount === undefined ? fromRupees(live.price) : saved
  const lost = LOST_DISCOUNT_TEXTS[line.lost ?? '']
  const changes = [...(lost ? [lost] : []), ...(price === saved ? [] : [priceNow(formatPaise(price))])]
  const view = { line, price, total: gone ? paise(0) : times(price, line.quantity.value) }
  if (line.quantity.value <= left) return { ...view, changes }
  const shortage = gone ? CHECKOUT_MESSAGES.cartGone : left === 0 ? CHECKOUT_MESSAGES.cartOutOfStock : stockNow(left)
  return { ...view, changes: [...changes, shortage], left }
}
