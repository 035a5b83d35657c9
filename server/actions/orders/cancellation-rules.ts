import { PERISHABLE } from '#lib/constants.ts'
import { dayInIndia } from '#lib/time.ts'
import type { OrderLineRow, OrderRow } from '../../db/order-tables.ts'

/**
 * Whether a shopper may take an order back without asking anybody: on the day of ordering in India, before it is packed,
 * and only if nothing in it is cooked for it. Of an order of both kinds people at the shop cancel the part that they can.
 */
export function mayCancel(
  { payment_state, fulfilment_status, paid_at }: OrderRow,
  lines: readonly Pick<OrderLineRow, 'category'>[],
  now: number
): boolean {
  const isUntouched = payment_state === 'paid' && fulfilment_status === 'pending' && paid_at !== null
  const isToday = isUntouched && dayInIndia(Date.parse(paid_at)) === dayInIndia(now)
  return isToday && !lines.some(({ category }) => PERISHABLE.includes(category))
}
