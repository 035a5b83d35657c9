import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { OrderStatus } from '#lib/constants.ts'
import { toPaise, type Paise } from '#lib/money.ts'
import type { FulfilmentStatus } from '#lib/contract/names.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { Tables, Trx } from '../../platform/db/tables.ts'
import { updateOrder } from '../payment/transitions.ts'

// Changes of paid orders. As for payments, each is one conditional UPDATE.

export function setCreditNoteNumber(
  trx: Trx,
  id: string,
  numbers: Pick<OrderRow, 'credit_year' | 'credit_no'>
): Promise<OrderRow> {
  return updateOrder(trx, id, numbers).executeTakeFirstOrThrow()
}

export function markCancelled(
  trx: Trx,
  order: Pick<OrderRow, 'id' | 'user_id'>,
  from: FulfilmentStatus,
  changes: Pick<OrderRow, 'payment_state' | 'ended_at'>
): Promise<OrderRow | undefined> {
  return updateOrder(trx, order.id, { ...changes, fulfilment_status: 'cancelled' })
    .where('user_id', '=', order.user_id)
    .where('payment_state', '=', 'paid')
    .where(row => hasFulfilmentStatus(row, from))
    .executeTakeFirst()
}

export type FulfilmentColumns = Pick<
  OrderRow,
  | 'fulfilment_status'
  | 'packed_at'
  | 'dispatched_at'
  | 'delivered_at'
  | 'courier'
  | 'tracking_number'
  | 'tracking_link'
>

export function setFulfilmentStatus(
  trx: Trx,
  id: string,
  from: FulfilmentStatus,
  changes: Partial<FulfilmentColumns>
): Promise<OrderRow | undefined> {
  return updateOrder(trx, id, changes)
    .where('payment_state', '=', 'paid')
    .where(row => hasFulfilmentStatus(row, from))
    .where('anonymised_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Changes a paid order that has not left the kitchen, if nobody else has changed it since it was
 * read.
 */
export function markChanged(
  trx: Trx,
  { id, changes, total }: Pick<OrderRow, 'id' | 'changes' | 'total'>,
  { credit, ...fields }: { credit: Paise } & Partial<Pick<OrderRow, 'customer' | 'address'>>
): Promise<OrderRow | undefined> {
  return updateOrder(trx, id, {
    ...fields,
    changes: changes + 1,
    total: toPaise(total - credit)
  })
    .where('changes', '=', changes)
    .where('payment_state', '=', 'paid')
    .where('fulfilment_status', 'in', ['pending', 'packed'])
    .where('dispatched_at', 'is', null)
    .where('anonymised_at', 'is', null)
    .executeTakeFirst()
}

/** Returns the status that shoppers and administrators see. */
export function statusOf({
  payment_state,
  fulfilment_status,
  dispatched_at,
  delivery_method
}: OrderRow): OrderStatus {
  if (fulfilment_status === 'packed' && dispatched_at !== null)
    return delivery_method === 'pickup' ? 'ready' : 'shipped'
  if (fulfilment_status !== null) return fulfilment_status
  if (payment_state === 'awaiting') return 'checking'
  return payment_state === 'expired' ? 'expired' : 'cancelled'
}

/** The same rule as `statusOf`, in SQL. */
export function hasFulfilmentStatus(
  row: ExpressionBuilder<Tables, 'orders'>,
  status: FulfilmentStatus | 'cancelled'
): Expression<SqlBool> {
  const isPacked = row('fulfilment_status', '=', 'packed')
  if (status === 'packed') return row.and([isPacked, row('dispatched_at', 'is', null)])
  if (status !== 'shipped' && status !== 'ready') return row('fulfilment_status', '=', status)
  const isPickup = row('delivery_method', '=', 'pickup')
  return row.and([
    isPacked,
    row('dispatched_at', 'is not', null),
    status === 'ready' ? isPickup : row.not(isPickup)
  ])
}
