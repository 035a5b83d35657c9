import type { FulfilState, OrderPaymentState, OrderRow } from '../../db/order-tables.ts'
import type { Trx } from '../../db/tables.ts'

/** Each change of an order's state: it is made from the states named, by one statement, or not at all. */

/** Undefined when it has an order of the provider's already, or no longer awaits its payment. */
export function bindOrder(trx: Trx, id: string, providerOrderId: string): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set({ provider_order_id: providerOrderId })
    .where('id', '=', id)
    .where('provider_order_id', 'is', null)
    .where('payment_state', '=', 'awaiting')
    .returningAll()
    .executeTakeFirst()
}

type Paid = Pick<OrderRow, 'paid_payment_id' | 'paid_at' | 'signature'>

/** Undefined when it was in none of the states. */
export function payOrder(
  trx: Trx,
  id: string,
  from: readonly OrderPaymentState[],
  paid: Paid
): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set({
      ...paid,
      payment_state: 'paid',
      fulfil_state: 'pending',
      attempted_at: null,
      next_check_at: null,
      ended_at: null
    })
    .where('id', '=', id)
    .where('payment_state', 'in', from)
    .where('fulfil_state', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export function numberInvoice(
  trx: Trx,
  id: string,
  invoice: Pick<OrderRow, 'invoice_year' | 'invoice_no'>
): Promise<OrderRow> {
  return trx.updateTable('orders').set(invoice).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export function numberCreditNote(
  trx: Trx,
  id: string,
  note: Pick<OrderRow, 'credit_year' | 'credit_no'>
): Promise<OrderRow> {
  return trx.updateTable('orders').set(note).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Ends the wait for a payment; undefined when it has ended otherwise, or was prolonged past `now` where it expires. */
export function endHold(trx: Trx, id: string, to: 'expired' | 'cancelled', now: string): Promise<OrderRow | undefined> {
  const query = trx
    .updateTable('orders')
    .set({ payment_state: to, ended_at: now, attempted_at: null, next_check_at: null })
    .where('id', '=', id)
    .where('payment_state', '=', 'awaiting')
    .returningAll()
  return (to === 'expired' ? query.where('hold_until', '<=', now) : query).executeTakeFirst()
}

/** What was paid for it goes back; undefined when it was in another state meanwhile. */
export function oweRefund(
  trx: Trx,
  id: string,
  from: readonly OrderPaymentState[],
  changes: Partial<OrderRow> = {}
): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set({ ...changes, payment_state: 'refund_due', attempted_at: null, next_check_at: null })
    .where('id', '=', id)
    .where('payment_state', 'in', from)
    .returningAll()
    .executeTakeFirst()
}

export function noteRefunded(trx: Trx, id: string): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set({ payment_state: 'refunded' })
    .where('id', '=', id)
    .where('payment_state', '=', 'refund_due')
    .returningAll()
    .executeTakeFirst()
}

/** The shopper takes back an order that nobody has begun to pack. */
export function cancelPaid(
  trx: Trx,
  order: OrderRow,
  changes: Pick<OrderRow, 'payment_state' | 'ended_at'>
): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set({ ...changes, fulfil_state: 'cancelled' })
    .where('id', '=', order.id)
    .where('user_id', '=', order.user_id)
    .where('payment_state', '=', 'paid')
    .where('fulfil_state', '=', 'pending')
    .returningAll()
    .executeTakeFirst()
}

export function moveFulfilment(
  trx: Trx,
  id: string,
  from: FulfilState,
  changes: Partial<Pick<OrderRow, 'fulfil_state' | 'packed_at' | 'delivered_at'>>
): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set(changes)
    .where('id', '=', id)
    .where('payment_state', '=', 'paid')
    .where('fulfil_state', '=', from)
    .returningAll()
    .executeTakeFirst()
}

/** Changes what is known of a payment that is awaited; nothing once it is awaited no more. */
export function noteAwaited(
  trx: Trx,
  id: string,
  changes: Partial<Pick<OrderRow, 'attempted_at' | 'next_check_at'>>
): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set(changes)
    .where('id', '=', id)
    .where('payment_state', '=', 'awaiting')
    .returningAll()
    .executeTakeFirst()
}

/** Keeps goods at least until an instant (ISO) for a payment that is awaited; undefined once it is awaited no more. */
export function prolongHold(
  trx: Trx,
  id: string,
  holdUntil: string,
  changes: Partial<Pick<OrderRow, 'attempted_at' | 'next_check_at'>>
): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set(row => ({
      ...changes,
      hold_until: row.case().when('hold_until', '<', holdUntil).then(holdUntil).else(row.ref('hold_until')).end()
    }))
    .where('id', '=', id)
    .where('payment_state', '=', 'awaiting')
    .returningAll()
    .executeTakeFirst()
}
