import type { Order } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import { financialYear } from '#lib/time.ts'
import type { OrderRow } from '../../db/order-tables.ts'
import type { Trx } from '../../db/tables.ts'
import { PaymentError } from '../../gateways/payments.ts'
import { cancelledMails } from '../../mails/status-mails.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { findLinesOf } from '../../queries/orders/orders.ts'
import { holdPayment } from '../../queries/orders/payments.ts'
import { cancelPaid, numberCreditNote } from '../../queries/orders/transitions.ts'
import { promiseMails } from '../../queries/outbox.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { giveBackGoods, releaseHold } from '../checkout/release-hold.ts'
import { owe } from '../payments/owe.ts'
import { mayCancel } from './may-cancel.ts'
import { findOwn, readOrder } from './read-orders.ts'

/**
 * Takes an order back: its goods go on the shelf again and its payment to the shopper, both or neither. Asked again, the
 * same. Throws ShopError ORDER_NOT_FOUND, ORDER_NOT_CANCELLABLE, PAYMENTS_UNAVAILABLE.
 */
export async function cancelOrder(deps: CheckoutDeps, userId: string, id: string): Promise<Order> {
  const order = await findOwn(deps, userId, id)
  if (order.payment_state === 'awaiting') await cancelUnpaid(deps, order)
  else if (order.fulfil_state !== 'cancelled') await cancelMade(deps, order)
  return readOrder(deps, userId, id)
}

async function cancelUnpaid(deps: CheckoutDeps, order: OrderRow): Promise<void> {
  try {
    const standing = await releaseHold(deps, order, 'cancelled')
    if (standing === 'paid' || standing === 'attempted') throw new ShopError('ORDER_NOT_CANCELLABLE')
  } catch (cause) {
    throw cause instanceof PaymentError ? new ShopError('PAYMENTS_UNAVAILABLE', { cause }) : cause
  }
}

async function cancelMade(deps: CheckoutDeps, order: OrderRow): Promise<void> {
  const now = deps.clock()
  const lines = await findLinesOf(deps.database.kysely, order.id)
  if (!mayCancel(order, lines, now)) throw new ShopError('ORDER_NOT_CANCELLABLE')
  await deps.write(trx => takeBack(trx, deps, order, now))
}

async function takeBack(trx: Trx, deps: CheckoutDeps, order: OrderRow, now: number): Promise<void> {
  const { id, paid_payment_id, total } = order
  const at = new Date(now).toISOString()
  if (paid_payment_id !== null) await holdPayment(trx, paid_payment_id)
  // For what cost nothing there is nothing to give back.
  const state = paid_payment_id === null ? 'refunded' : 'refund_due'
  const cancelled = await cancelPaid(trx, order, { payment_state: state, ended_at: at })
  if (!cancelled) throw new ShopError('ORDER_NOT_CANCELLABLE')
  await giveBackGoods(trx, id, 'cancelled', at)
  const year = financialYear(now)
  const numbered = await numberCreditNote(trx, id, {
    credit_year: year,
    credit_no: await raiseCounter(trx, `credit notes ${year}`)
  })
  if (paid_payment_id !== null) {
    const payment = { id: paid_payment_id, amount: total }
    if (!(await owe(trx, payment, { orderId: id, reason: 'cancelled', now }))) {
      throw new Error(`The payment of order ${id} goes back already`)
    }
  }
  await promiseMails(trx, cancelledMails(deps, numbered), at)
}
