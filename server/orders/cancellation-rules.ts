import { PERISHABLE_CATEGORIES } from '#lib/constants.ts'
import { toDayInIndia } from '#lib/time.ts'
import type { OrderLineRow, OrderRow } from '../platform/db/order-tables.ts'

/** Shoppers may cancel on the day of payment (India time), before packing, and only if no item is perishable. */
export function mayCancel(
  { payment_state, fulfilment_status, paid_at }: OrderRow,
  lines: readonly Pick<OrderLineRow, 'category'>[],
  now: number
): boolean {
  const isPending = payment_state === 'paid' && fulfilment_status === 'pending' && paid_at !== null
  const isToday = isPending && toDayInIndia(Date.parse(paid_at)) === toDayInIndia(now)
  return isToday && !lines.some(({ category }) => PERISHABLE_CATEGORIES.includes(category))
}
