import type { OrderStatus } from '#lib/constants.ts'
import type { FulfilmentStatus, OrderRow } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'

/** Each state change is one conditional UPDATE. It returns undefined if the order did not have the expected state. */

export function setProviderOrder(trx: Trx, id: string, providerOrderId: string): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set({ provider_order_id: providerOrderId })
    .where('id', '=', id)
    .where('provider_order_id', 'is', null)
    .where('payment_state', '=', 'awaiting')
    .returningAll()
    .executeTakeFirst()
}

type PaymentFields = Pick<OrderRow, 'paid_payment_id' | 'paid_at' | 'signature'>

export function markPaid(trx: Trx, id: string, paid: PaymentFields): Promise<OrderRow | undefined> {
  return setPaid(trx, id, paid).where('payment_state', '=', 'awaiting').returningAll().executeTakeFirst()
}

export function markLatePaid(trx: Trx, id: string, paid: PaymentFields): Promise<OrderRow | undefined> {
  return (
    setPaid(trx, id, paid)
      .where('payment_state', 'in', ['expired', 'cancelled'])
      .where('fulfilment_status', 'is', null)
      // An anonymised order has no delivery address.
      .where('anonymised_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
  )
}

function setPaid(trx: Trx, id: string, paid: PaymentFields) {
  return trx
    .updateTable('orders')
    .set({
      ...paid,
      payment_state: 'paid',
      fulfilment_status: 'pending',
      attempted_at: null,
      next_check_at: null,
      ended_at: null
    })
    .where('id', '=', id)
}

export async function numberInvoice(
  trx: Trx,
  { id, ...invoice }: Pick<OrderRow, 'id' | 'invoice_year' | 'invoice_no'>
): Promise<void> {
  await trx.updateTable('orders').set(invoice).where('id', '=', id).execute()
}

export function numberCreditNote(
  trx: Trx,
  id: string,
  note: Pick<OrderRow, 'credit_year' | 'credit_no'>
): Promise<OrderRow> {
  return trx.updateTable('orders').set(note).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** For `expired`, checks the end of the reservation again, because it may just have been extended. `now` is ISO. */
export function endReservation(
  trx: Trx,
  id: string,
  to: 'expired' | 'cancelled',
  now: string
): Promise<OrderRow | undefined> {
  const query = trx
    .updateTable('orders')
    .set({ payment_state: to, ended_at: now, attempted_at: null, next_check_at: null })
    .where('id', '=', id)
    .where('payment_state', '=', 'awaiting')
    .returningAll()
  return (to === 'expired' ? query.where('reserved_until', '<=', now) : query).executeTakeFirst()
}

export function markRefundDue(trx: Trx, id: string): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set({ payment_state: 'refund_due', attempted_at: null, next_check_at: null })
    .where('id', '=', id)
    .where('payment_state', 'in', ['expired', 'cancelled'])
    .where('fulfilment_status', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export function awaitPaymentAgain(
  trx: Trx,
  id: string,
  changes: Pick<OrderRow, 'reserved_until' | 'attempted_at' | 'next_check_at'>
): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set({ ...changes, payment_state: 'awaiting', ended_at: null })
    .where('id', '=', id)
    .where('payment_state', 'in', ['expired', 'cancelled'])
    .where('fulfilment_status', 'is', null)
    .where('anonymised_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export function markOrderRefunded(trx: Trx, id: string): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set({ payment_state: 'refunded' })
    .where('id', '=', id)
    .where('payment_state', '=', 'refund_due')
    .returningAll()
    .executeTakeFirst()
}

export function markCancelled(
  trx: Trx,
  order: Pick<OrderRow, 'id' | 'user_id'>,
  from: FulfilmentStatus,
  changes: Pick<OrderRow, 'payment_state' | 'ended_at'>
): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set({ ...changes, fulfilment_status: 'cancelled' })
    .where('id', '=', order.id)
    .where('user_id', '=', order.user_id)
    .where('payment_state', '=', 'paid')
    .where('fulfilment_status', '=', from)
    .returningAll()
    .executeTakeFirst()
}

export function setFulfilmentStatus(
  trx: Trx,
  id: string,
  from: FulfilmentStatus,
  changes: Partial<Pick<OrderRow, 'fulfilment_status' | 'packed_at' | 'delivered_at'>>
): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set(changes)
    .where('id', '=', id)
    .where('payment_state', '=', 'paid')
    .where('fulfilment_status', '=', from)
    .where('anonymised_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export function updateAwaiting(
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

/** Extends a reservation, but never shortens it. `reservedUntil` is ISO. */
export function setReservedUntil(
  trx: Trx,
  id: string,
  reservedUntil: string,
  changes: Partial<Pick<OrderRow, 'attempted_at' | 'next_check_at'>>
): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set(row => ({
      ...changes,
      reserved_until: row
        .case()
        .when('reserved_until', '<', reservedUntil)
        .then(reservedUntil)
        .else(row.ref('reserved_until'))
        .end()
    }))
    .where('id', '=', id)
    .where('payment_state', '=', 'awaiting')
    .returningAll()
    .executeTakeFirst()
}

/** Returns the status that shoppers and administrators see. */
export function statusOf({ payment_state, fulfilment_status }: OrderRow): OrderStatus {
  if (fulfilment_status !== null) return fulfilment_status
  if (payment_state === 'awaiting') return 'checking'
  return payment_state === 'expired' ? 'expired' : 'cancelled'
}
