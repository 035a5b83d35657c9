import type { OrderChangeRequest } from '../contract/order-changes.ts'
import type { AdminOrder } from '../contract/orders.ts'
import { fromRupees, sumPaise, toPaise, type Paise } from '../money.ts'
import { creditPacks } from '../tax/credit.ts'

export const CHANGE_TEXTS = {
  lastPack: 'The last pack can’t be removed. Please cancel the order instead.',
  tooManyPacks: 'Packs can only be removed. For more, the customer places another order.',
  smallRefund: 'Razorpay refunds at least ₹1.00. Please remove more packs, or cancel the order.',
  smallRest: 'Less than ₹1.00 would be left, and could not be refunded later. Please cancel the order instead.',
  otherState: 'A new address must be in the same state. For another state, cancel the order and order again.',
  otherZone:
    'A new address must have the same delivery zone and fee. For another one, cancel the order and order again.',
  dayClosed: 'The kitchen is closed for this day. Tick the box to deliver all the same.',
  dayFull: 'This day is full. Tick the box to deliver all the same.',
  nothing: 'Nothing is changed yet.',
  packed: 'Only pending and packed orders can be changed.'
} as const

/** The smallest refund that the provider makes. */
const MIN_REFUND = toPaise(100)

export interface ChangePreview {
  refund: Paise
  /** What the rest of the order costs. */
  total: Paise
}

type ChangeableOrder = Pick<AdminOrder, 'items' | 'totalAmount' | 'refundable'>

/** Returns a text if these packs can't be removed. */
export function previewChange(
  { items, totalAmount, refundable }: ChangeableOrder,
  lines: OrderChangeRequest['lines'] = []
): ChangePreview | { problem: string } {
  const removed = items.map(item => {
    const quantity = lines.find(({ line }) => line === item.line)?.quantity ?? item.quantity
    return { item, packs: item.quantity - quantity }
  })
  const isKnown = lines.every(({ line }) => items.some(item => item.line === line))
  if (!isKnown || removed.some(({ packs }) => packs < 0)) return { problem: CHANGE_TEXTS.tooManyPacks }
  if (removed.every(({ item, packs }) => packs === item.quantity)) return { problem: CHANGE_TEXTS.lastPack }
  const credit = sumPaise(removed.map(({ item, packs }) => creditPacks(toCreditable(item), packs).total))
  const total = toPaise(fromRupees(totalAmount) - credit)
  // Money that has already gone back at the provider is not refunded again.
  const refund = credit === 0 ? toPaise(0) : toPaise(Math.max(0, fromRupees(refundable) - total))
  const rest = fromRupees(refundable) - refund
  if (refund > 0 && refund < MIN_REFUND) return { problem: CHANGE_TEXTS.smallRefund }
  if (refund > 0 && rest > 0 && rest < MIN_REFUND) return { problem: CHANGE_TEXTS.smallRest }
  return { refund, total }
}

function toCreditable({ quantity, price, couponDiscount = 0 }: AdminOrder['items'][number]) {
  return { quantity, price: fromRupees(price), coupon_discount: fromRupees(couponDiscount) }
}
