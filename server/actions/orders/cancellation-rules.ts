import { PERISHABLE_CATEGORIES } from '#lib/constants.ts'
import { dayInIndia } from '#lib/time.ts'
import type { OrderLineRow, OrderRow } from '../../db/order-tables.ts'

/**
 * Cancellation policy: on the day of ordering (India time), before packing, and only if all items are of categories
 * that keep. Orders with other items are cancelled by the shop.
 */
export function mayCancel(
  { payment_state, fulfilment_status, paid_at }: OrderRow,
  lines: readonly Pick<OrderLineRow, 'category'>[],
  now: number
): boolean {
  const isUntouched = payment_state === 'paid' && fulfilment_status === 'pending' && paid_at !== null
  const isToday = isUntouched && dayInIndia(Date.parse(paid_at)) === dayInIndia(now)
  return isToday && !lines.some(({ category }) => PERISHABLE_CATEGORIES.includes(category))
}
