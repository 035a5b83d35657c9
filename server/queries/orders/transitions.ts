import type { FulfilmentStatus, OrderRow } from '../../db/order-tables.ts'
import { prepared } from '../../db/prepared.ts'
import type { Db, Trx } from '../../db/tables.ts'

/** Each change of an order's state: it is made from the states named, by one statement, or not at all. */

/** Undefined when it has an order of the provider's already, or no longer awaits its payment. */
export async function setProviderOrder(trx: Trx, id: string, providerOrderId: string): Promise<OrderRow | undefined> {
  return (await binding(trx, { id, providerOrderId })).rows[0]
}

const binding = prepared<{ id: string; providerOrderId: string }, OrderRow>((db, value) =>
  db
    .updateTable('orders')
    .set({ provider_order_id: value('providerOrderId') })
    .where('id', '=', value('id'))
    .where('provider_order_id', 'is', null)
    .where('payment_state', '=', 'awaiting')
    .returningAll()
)

type Paid = Pick<OrderRow, 'paid_payment_id' | 'paid_at' | 'signature'>

type Paying = Paid & { id: string }

/** Undefined when it does not await its payment. */
export async function payOrder(trx: Trx, id: string, paid: Paid): Promise<OrderRow | undefined> {
  return (await payment(trx, { id, ...paid })).rows[0]
}

const payment = prepared<Paying, OrderRow>((db, value) =>
  paying(db, value).where('payment_state', '=', 'awaiting').returningAll()
)

/** Pays an order that had been let go unpaid; undefined when it was not. */
export async function reviveOrder(trx: Trx, id: string, paid: Paid): Promise<OrderRow | undefined> {
  return (await revival(trx, { id, ...paid })).rows[0]
}

const revival = prepared<Paying, OrderRow>((db, value) =>
  paying(db, value)
    .where('payment_state', 'in', ['expired', 'cancelled'])
    .where('fulfilment_status', 'is', null)
    // Of an account that has ended meanwhile nobody knows any more where it would go.
    .where('anonymised_at', 'is', null)
    .returningAll()
)

function paying(db: Db, value: <Name extends keyof Paying>(name: Name) => Paying[Name]) {
  return db
    .updateTable('orders')
    .set({
      paid_payment_id: value('paid_payment_id'),
      paid_at: value('paid_at'),
      signature: value('signature'),
      payment_state: 'paid',
      fulfilment_status: 'pending',
      attempted_at: null,
      next_check_at: null,
      ended_at: null
    })
    .where('id', '=', value('id'))
}

type Numbered = Pick<OrderRow, 'id' | 'invoice_year' | 'invoice_no'>

export async function numberInvoice(trx: Trx, invoice: Numbered): Promise<void> {
  await invoicing(trx, invoice)
}

const invoicing = prepared<Numbered, unknown>((db, value) =>
  db
    .updateTable('orders')
    .set({ invoice_year: value('invoice_year'), invoice_no: value('invoice_no') })
    .where('id', '=', value('id'))
)

export function numberCreditNote(
  trx: Trx,
  id: string,
  note: Pick<OrderRow, 'credit_year' | 'credit_no'>
): Promise<OrderRow> {
  return trx.updateTable('orders').set(note).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Ends the wait for a payment; undefined when it has ended otherwise, or was prolonged past `now` where it expires. */
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

/** What was paid for an order that had been let go goes back; undefined when it was in another state meanwhile. */
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

/** Awaits the payment of an order again that had been let go; undefined when it was in another state. */
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

/** Undefined when it is no longer where it was: a shopper takes back only what nobody has begun to pack. */
export function cancelPaid(
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

/** Undefined when it is no longer where it was, or belongs to nobody any more. */
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

/** Changes what is known of a payment that is awaited; nothing once it is awaited no more. */
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

/** Keeps goods at least until an instant (ISO) for a payment that is awaited; undefined once it is awaited no more. */
export function setReservedUntil(
  trx: Trx,
  id: string,
  holdUntil: string,
  changes: Partial<Pick<OrderRow, 'attempted_at' | 'next_check_at'>>
): Promise<OrderRow | undefined> {
  return trx
    .updateTable('orders')
    .set(row => ({
      ...changes,
      reserved_until: row
        .case()
        .when('reserved_until', '<', holdUntil)
        .then(holdUntil)
        .else(row.ref('reserved_until'))
        .end()
    }))
    .where('id', '=', id)
    .where('payment_state', '=', 'awaiting')
    .returningAll()
    .executeTakeFirst()
}
