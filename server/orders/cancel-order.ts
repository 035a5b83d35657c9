import type { Order } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import { PaymentError } from '../razorpay/payments.ts'
import { cancelledMails } from './status-mails.ts'
import { findLinesOf } from './order-queries.ts'
import type { CheckoutDeps } from './deps.ts'
import { releaseReservation } from './release-reservation.ts'
import { mayCancel } from './cancellation-rules.ts'
import { findOwnOrder, readOrder } from './read-orders.ts'
import { cancelPaidOrder } from './cancel-paid-order.ts'

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
