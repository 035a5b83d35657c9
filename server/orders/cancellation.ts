import { PERISHABLE_CATEGORIES } from '#lib/constants.ts'
import { toDayInIndia, toFinancialYear } from '#lib/time.ts'
import type { FulfilmentStatus, OrderLineRow, OrderRow } from '../platform/db/order-tables.ts'
import type { Order, OrderCancellation } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import { PaymentError } from '../razorpay/payments.ts'
import { cancelledByShopMail, cancelledMails, shopperMailId } from './mails.ts'
import { findLinesOf, findOrder } from './order-queries.ts'
import type { CheckoutDeps } from './deps.ts'
import { releaseReservation, releaseStock } from './reconcile.ts'
import { findOwnOrder, readOrder, statusOf } from './order-view.ts'
import { orderConflictText } from '#lib/admin/messages.ts'
import { STATUS_LABELS } from '#lib/order-status.ts'
import { type Actor, record } from '../accounts/audit.ts'
import { enqueueMails, withdrawMail } from '../platform/mail/outbox.ts'
import type { Trx } from '../platform/db/tables.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { lockPayment } from './payment-queries.ts'
import { markCancelled, numberCreditNote } from './transitions.ts'
import { createRefund } from './refunds.ts'

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

/** Cancels and refunds an order. Idempotent. Throws ORDER_NOT_FOUND, ORDER_NOT_CANCELLABLE, PAYMENTS_UNAVAILABLE. */
export async function cancelOrder(deps: CheckoutDeps, userId: string, id: string): Promise<Order> {
  const order = await findOwnOrder(deps, userId, id)
  if (order.payment_state === 'awaiting') await cancelUnpaid(deps, order)
  else if (order.fulfilment_status !== 'cancelled') await cancelPaid(deps, order)
  return readOrder(deps, userId, id)
}

async function cancelUnpaid(deps: CheckoutDeps, order: OrderRow): Promise<void> {
  try {
    const state = await releaseReservation(deps, order, 'cancelled')
    if (state === 'paid' || state === 'attempted') throw new ShopError('ORDER_NOT_CANCELLABLE')
  } catch (cause) {
    throw cause instanceof PaymentError ? new ShopError('PAYMENTS_UNAVAILABLE', { cause }) : cause
  }
}

async function cancelPaid(deps: CheckoutDeps, order: OrderRow): Promise<void> {
  const now = deps.clock()
  const lines = await findLinesOf(deps.database.kysely, order.id)
  if (!mayCancel(order, lines, now)) throw new ShopError('ORDER_NOT_CANCELLABLE')
  const cancelled = await deps.write(trx =>
    cancelPaidOrder(trx, order, { from: 'pending', now, mails: cancelledOrder => cancelledMails(deps, cancelledOrder) })
  )
  if (!cancelled) throw new ShopError('ORDER_NOT_CANCELLABLE')
}

/** Cancels an order, releases its stock and refunds it in full. Throws ORDER_NOT_FOUND, EDIT_CONFLICT. */
export async function cancelAsAdmin(
  deps: CheckoutDeps,
  actor: Actor,
  id: string,
  { from, reason }: Omit<OrderCancellation, 'proof'>
): Promise<void> {
  const order = await findOrder(deps.database.kysely, id)
  if (!order) throw new ShopError('ORDER_NOT_FOUND')
  const now = deps.clock()
  const cancelled = await deps.write(async trx => {
    const mails = (cancelledOrder: OrderRow) => [cancelledByShopMail(deps, cancelledOrder, reason)]
    const updated = await cancelPaidOrder(trx, order, { from, now, mails })
    if (!updated) return undefined
    // If the mail "Your order is packed" is still in the outbox, it must not be sent after the cancellation.
    await withdrawMail(trx, shopperMailId('packed', id))
    const [before, after] = [{ status: from }, { status: 'cancelled', reason }]
    const at = new Date(now).toISOString()
    await record(trx, { actor, at, kind: 'order', id, action: 'cancelled', before, after })
    return updated
  })
  if (cancelled) return
  const current = (await findOrder(deps.database.kysely, id)) ?? order
  const message = orderConflictText(STATUS_LABELS[statusOf(current)])
  throw new ShopError('EDIT_CONFLICT', { message })
}

interface Cancellation {
  from: FulfilmentStatus
  now: number
  mails: (cancelled: OrderRow) => readonly Mail[]
}

/** Returns undefined if the order no longer has the status `from`. */
async function cancelPaidOrder(
  trx: Trx,
  order: OrderRow,
  { from, now, mails }: Cancellation
): Promise<OrderRow | undefined> {
  const { id, paid_payment_id, total } = order
  const at = new Date(now).toISOString()
  if (paid_payment_id !== null) await lockPayment(trx, paid_payment_id)
  const state = paid_payment_id === null ? 'refunded' : 'refund_due'
  const cancelled = await markCancelled(trx, order, from, { payment_state: state, ended_at: at })
  if (!cancelled) return undefined
  await releaseStock(trx, id, 'cancelled', at)
  const year = toFinancialYear(now)
  const numbered = await numberCreditNote(trx, id, {
    credit_year: year,
    credit_no: await raiseCounter(trx, `credit notes ${year}`)
  })
  if (paid_payment_id !== null) {
    const payment = { id: paid_payment_id, amount: total }
    if (!(await createRefund(trx, payment, { orderId: id, reason: 'cancelled', now }))) {
      throw new Error(`Order ${id} already has a refund`)
    }
  }
  await enqueueMails(trx, mails(numbered), at)
  return numbered
}
