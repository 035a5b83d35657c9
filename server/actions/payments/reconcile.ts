import type { OrderRow } from '../../db/order-tables.ts'
import { PaymentError, type ProviderPayment } from '../../gateways/payments.ts'
import { findOrderByProviderOrder } from '../../queries/orders/orders.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import {
  reserveForLatePayment,
  settle,
  settleTooLate,
  settleUnknown,
  StockGone,
  UnknownOrder,
  type Settled
} from './settle.ts'

/**
 * What became of a payment. `open`: the provider has not collected it, and may yet. `dead`: it never will. `unknown`: it
 * is not this shop's.
 */
export type Reconciled = Settled | { kind: 'open' } | { kind: 'dead' } | { kind: 'unknown' }

/** How often a payment is settled anew when its order's state changes under it. */
const ATTEMPTS = 4

/**
 * Brings one payment, as the provider has just told it, to its end: a paid order or a full refund. What the bank has
 * allowed is collected first, as long as its order waits for it. Throws PaymentError.
 */
export async function reconcile(deps: CheckoutDeps, told: ProviderPayment): Promise<Reconciled> {
  const { status } = told
  if (status === 'created') return { kind: 'open' }
  if (status === 'failed' || status === 'refunded') return { kind: 'dead' }
  if (status === 'captured') return settleCaptured(deps, told)
  const order = await findOrderByProviderOrder(deps.database.kysely, told.order_id ?? '')
  // Money that nobody collects goes back by itself; for an order that can't be made any more that is what should happen.
  if (order?.total !== told.amount || !(await isAwaited(deps, order))) return { kind: 'open' }
  const payment = await collect(deps, told)
  return payment.status === 'captured' ? settleCaptured(deps, payment) : { kind: 'open' }
}

/** Whether an order waits for its payment, or can be made to wait for it again. */
async function isAwaited({ write, clock }: CheckoutDeps, order: OrderRow): Promise<boolean> {
  if (order.payment_state === 'awaiting') return true
  if (order.payment_state !== 'expired' && order.payment_state !== 'cancelled') return false
  try {
    await write(trx => reserveForLatePayment(trx, order, clock()))
    return true
  } catch (error) {
    if (!(error instanceof StockGone)) throw error
    return false
  }
}

async function settleCaptured(deps: CheckoutDeps, payment: ProviderPayment): Promise<Reconciled> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const settled = await settleOnce(deps, payment)
    if (settled) return settled
  }
  throw new Error(`The payment ${payment.id} could not be settled`)
}

async function settleOnce(deps: CheckoutDeps, payment: ProviderPayment): Promise<Reconciled | undefined> {
  const now = deps.clock()
  try {
    return await deps.write(trx => settle(trx, deps, payment, now))
  } catch (error) {
    if (error instanceof UnknownOrder) return settleForeign(deps, payment)
    if (!(error instanceof StockGone)) throw error
    return deps.write(trx => settleTooLate(trx, deps, payment, now))
  }
}

/** The provider's account may serve others too: only what bears this shop's marks is this shop's to give back. */
async function settleForeign(deps: CheckoutDeps, payment: ProviderPayment): Promise<Reconciled> {
  const { payments, config, log, write, clock } = deps
  if (!payment.order_id) return { kind: 'unknown' }
  const { notes } = await payments.gateway.fetchOrder(payment.order_id)
  if (notes['shop'] !== config.siteUrl) return { kind: 'unknown' }
  log.error(
    { payment: payment.id, order: notes['order'] },
    'A payment for an order that this shop has lost is refunded'
  )
  return write(trx => settleUnknown(trx, deps, payment, clock()))
}

async function collect({ payments: { gateway } }: CheckoutDeps, payment: ProviderPayment): Promise<ProviderPayment> {
  try {
    return await gateway.capture(payment)
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    // It may have been collected meanwhile, by the provider itself or by another process.
    return gateway.fetchPayment(payment.id)
  }
}
