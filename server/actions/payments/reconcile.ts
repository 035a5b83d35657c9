import type { OrderRow } from '../../db/order-tables.ts'
import { PaymentError, type ProviderPayment } from '../../gateways/payments.ts'
import { findOrderByProviderOrder } from '../../queries/orders/orders.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import {
  reserveForLatePayment,
  settle,
  refundLatePayment,
  settleUnknown,
  StockUnavailableError,
  UnknownOrder,
  type Settled
} from './settle.ts'

/** `open`: not captured yet. `dead`: failed or refunded by the provider. `unknown`: belongs to another shop. */
export type Reconciled = Settled | { kind: 'open' } | { kind: 'dead' } | { kind: 'unknown' }

const ATTEMPTS = 4

/**
 * Brings a payment to its end: a paid order or a full refund. An authorised payment is captured first if its order can
 * still be made. Throws PaymentError.
 */
export async function reconcile(deps: CheckoutDeps, reported: ProviderPayment): Promise<Reconciled> {
  const { status } = reported
  if (status === 'created') return { kind: 'open' }
  if (status === 'failed' || status === 'refunded') return { kind: 'dead' }
  if (status === 'captured') return settleCaptured(deps, reported)
  const order = await findOrderByProviderOrder(deps.database.kysely, reported.order_id ?? '')
  // An authorised payment that is not captured is refunded by the provider, which is right for an order that can't be
  // made.
  if (order?.total !== reported.amount || !(await ensureReserved(deps, order))) return { kind: 'open' }
  const payment = await capture(deps, reported)
  return payment.status === 'captured' ? settleCaptured(deps, payment) : { kind: 'open' }
}

/** Expired and cancelled orders are reserved again if the stock is there. */
async function ensureReserved({ write, clock }: CheckoutDeps, order: OrderRow): Promise<boolean> {
  if (order.payment_state === 'awaiting') return true
  if (order.payment_state !== 'expired' && order.payment_state !== 'cancelled') return false
  try {
    await write(trx => reserveForLatePayment(trx, order, clock()))
    return true
  } catch (error) {
    if (!(error instanceof StockUnavailableError)) throw error
    return false
  }
}

async function settleCaptured(deps: CheckoutDeps, payment: ProviderPayment): Promise<Reconciled> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const settled = await settleOnce(deps, payment)
    if (settled) return settled
  }
  throw new Error(`Payment ${payment.id} could not be settled`)
}

async function settleOnce(deps: CheckoutDeps, payment: ProviderPayment): Promise<Reconciled | undefined> {
  const now = deps.clock()
  try {
    return await deps.write(trx => settle(trx, deps, payment, now))
  } catch (error) {
    if (error instanceof UnknownOrder) return settleUnknownPayment(deps, payment)
    if (!(error instanceof StockUnavailableError)) throw error
    return deps.write(trx => refundLatePayment(trx, deps, payment, now))
  }
}

/** Other shops may use the same Razorpay account: only payments whose notes name this shop are refunded. */
async function settleUnknownPayment(deps: CheckoutDeps, payment: ProviderPayment): Promise<Reconciled> {
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

async function capture({ payments: { gateway } }: CheckoutDeps, payment: ProviderPayment): Promise<ProviderPayment> {
  try {
    return await gateway.capture(payment)
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    // The provider or another process may have captured it in the meantime.
    return gateway.fetchPayment(payment.id)
  }
}
