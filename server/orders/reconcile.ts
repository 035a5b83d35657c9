import type { OrderRow } from '../platform/db/order-tables.ts'
import { PaymentError, type ProviderPayment } from '../razorpay/payments.ts'
import { findOrderByProviderOrder } from './order-queries.ts'
import type { CheckoutDeps } from './deps.ts'
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

/** Settles a payment as a paid order or a full refund. Authorised payments are captured first. Throws PaymentError. */
export async function reconcile(deps: CheckoutDeps, payment: ProviderPayment): Promise<Reconciled> {
  const { status } = payment
  if (status === 'created') return { kind: 'open' }
  if (status === 'failed' || status === 'refunded') return { kind: 'dead' }
  if (status === 'captured') return settleCaptured(deps, payment)
  const order = await findOrderByProviderOrder(deps.database.kysely, payment.order_id ?? '')
  // If the order can't be fulfilled, the payment is not captured, and the provider later refunds it.
  if (order?.total !== payment.amount || !(await ensureReserved(deps, order))) return { kind: 'open' }
  const captured = await capture(deps, payment)
  return captured.status === 'captured' ? settleCaptured(deps, captured) : { kind: 'open' }
}

/** Reserves the stock of an expired or cancelled order again. Returns false if that is impossible. */
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

/**
 * Refunds the payment only if the notes of its Razorpay order contain this shop's address, because other shops may use
 * the same Razorpay account.
 */
async function settleUnknownPayment(deps: CheckoutDeps, payment: ProviderPayment): Promise<Reconciled> {
  const { payments, config, log, write, clock } = deps
  if (!payment.order_id) return { kind: 'unknown' }
  const { notes } = await payments.gateway.fetchOrder(payment.order_id)
  if (notes['shop'] !== config.siteUrl) return { kind: 'unknown' }
  log.error({ payment: payment.id, order: notes['order'] }, 'Refunding a payment whose order is not in the database')
  return write(trx => settleUnknown(trx, deps, payment, clock()))
}

async function capture({ payments: { gateway } }: CheckoutDeps, payment: ProviderPayment): Promise<ProviderPayment> {
  try {
    return await gateway.capture(payment)
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    // The provider or another process may have captured the payment already.
    return gateway.fetchPayment(payment.id)
  }
}
