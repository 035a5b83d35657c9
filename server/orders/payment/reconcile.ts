import type { FastifyInstance } from 'fastify'
import { ShopError } from '#lib/errors.ts'
import { HOUR, MINUTE, RESERVATION_TIME, SECOND } from '#lib/time.ts'
import { namesThisShop } from '../../live-shop/live-shop.ts'
import { isUnavailable } from '../../platform/db/failures.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import { isoNow, toIso } from '../../platform/process/clock.ts'
import { PaymentError, type ProviderPayment } from '../../razorpay/client.ts'
import { findOrderByProviderOrder } from '../queries.ts'
import { upsertPayment } from './queries.ts'
import { nextCheck, releaseUnpaid } from '../checkout/reservations.ts'
import {
  refundLatePayment,
  reserveForLatePayment,
  settle,
  NotRevivedError,
  UnknownOrder,
  type Settled
} from './settle.ts'
import { isTooLate, setAttemptedAt, setReservedUntil, type ReleaseReason } from './transitions.ts'
import { addUnmatchedPayment } from './found-payments.ts'

export type CheckoutDeps = Pick<
  FastifyInstance,
  'database' | 'write' | 'clock' | 'payments' | 'config' | 'log'
>

/**
 * `open`: not captured yet. `dead`: failed or refunded by the provider. `foreign`: belongs to another shop.
 * `unmatched`: belongs to this shop, but its order is not in the database.
 */
type Reconciled =
  | Settled
  | { kind: 'open' }
  | { kind: 'dead' }
  | { kind: 'foreign' }
  | { kind: 'unmatched' }

interface ReconciledPayment {
  payment: ProviderPayment
  result: Reconciled
}

/**
 * `attempted`: a payment is in progress. `unpaid`: there is no payment, or all have failed or are
 * abandoned.
 */
type ProviderState = 'paid' | 'refunded' | 'attempted' | 'unpaid'

const PRIORITY: readonly ProviderState[] = ['unpaid', 'refunded', 'attempted', 'paid']
const SETTLE_ATTEMPTS = 4
/**
 * If a payment still has the status `created` this long after its creation, it counts as abandoned.
 */
const ABANDONED_AFTER = HOUR
/**
 * An expired reservation is extended by this time if a payment is in progress or can't be checked.
 */
const RESERVATION_EXTENSION = 10 * MINUTE
export const RETRY_AFTER = 2 * MINUTE

// The browser and several webhooks may report a payment at the same time. Their requests share one
// lookup.
const lookups = new Map<string, Promise<ReconciledPayment>>()

/** Throws PaymentError. */
export async function reconcileById(
  deps: CheckoutDeps,
  paymentId: string
): Promise<ReconciledPayment> {
  const earlier = await lookups.get(paymentId)?.catch(() => undefined)
  // The result of an earlier lookup is reused only if it is final. Otherwise the payment may have
  // changed since then.
  if (earlier?.result.kind === 'paid')
    return { ...earlier, result: { ...earlier.result, isNew: false } }
  if (earlier?.result.kind === 'refunded') return earlier
  const running = lookups.get(paymentId)
  if (running) return running
  const lookup = fetchAndReconcile(deps, paymentId).finally(() => lookups.delete(paymentId))
  lookups.set(paymentId, lookup)
  return lookup
}

async function fetchAndReconcile(
  deps: CheckoutDeps,
  paymentId: string
): Promise<ReconciledPayment> {
  const payment = await deps.payments.gateway.fetchPayment(paymentId)
  return { payment, result: await reconcile(deps, payment) }
}

/**
 * Settles a payment as a paid order or a full refund. Authorised payments are captured first.
 * Throws PaymentError.
 */
export async function reconcile(deps: CheckoutDeps, payment: ProviderPayment): Promise<Reconciled> {
  const { status } = payment
  if (status === 'created') return { kind: 'open' }
  if (status === 'failed' || status === 'refunded') return { kind: 'dead' }
  if (status === 'captured') return settleCaptured(deps, payment)
  const order = await findOrderByProviderOrder(deps.database.kysely, payment.order_id ?? '')
  // If the order can't be fulfilled, the payment is not captured, and the provider later refunds
  // it.
  if (order?.total !== payment.amount || !(await ensureReserved(deps, order, payment)))
    return { kind: 'open' }
  const captured = await capture(deps, payment)
  return captured.status === 'captured' ? settleCaptured(deps, captured) : { kind: 'open' }
}

/**
 * Reserves the stock of an expired or cancelled order again. Returns false if the order can't be
 * revived.
 */
async function ensureReserved(
  { write, clock }: CheckoutDeps,
  order: OrderRow,
  payment: ProviderPayment
): Promise<boolean> {
  if (order.payment_state === 'awaiting') return !isTooLate(order, payment)
  if (order.payment_state !== 'expired' && order.payment_state !== 'cancelled') return false
  try {
    await write(trx => reserveForLatePayment(trx, order, payment, clock()))
    return true
  } catch (error) {
    if (!(error instanceof NotRevivedError)) throw error
    return false
  }
}

async function capture(
  { payments: { gateway } }: CheckoutDeps,
  payment: ProviderPayment
): Promise<ProviderPayment> {
  try {
    return await gateway.capture(payment)
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    // The provider or another process may have captured the payment already.
    return gateway.fetchPayment(payment.id)
  }
}

async function settleCaptured(deps: CheckoutDeps, payment: ProviderPayment): Promise<Reconciled> {
  for (let attempt = 1; attempt <= SETTLE_ATTEMPTS; attempt++) {
    const now = deps.clock()
    try {
      return await deps.write(trx => settle(trx, deps, payment, now))
    } catch (error) {
      if (error instanceof UnknownOrder) return listIfOfThisShop(deps, payment)
      if (!(error instanceof NotRevivedError)) throw error
    }
    const refunded = await deps.write(trx => refundLatePayment(trx, deps, payment, now))
    if (refunded) return refunded
  }
  throw new Error(`Payment ${payment.id} could not be settled`)
}

/**
 * Lists the payment for an administrator if the notes of its Razorpay order name this shop, because
 * other shops may use the same Razorpay account. It is not refunded, because the order may be in
 * the database of the live shop, of which this is a copy.
 */
async function listIfOfThisShop(deps: CheckoutDeps, payment: ProviderPayment): Promise<Reconciled> {
  const { payments, log, write, clock } = deps
  if (!payment.order_id) return { kind: 'foreign' }
  const { notes } = await payments.gateway.fetchOrder(payment.order_id)
  if (!(await namesThisShop(deps, notes['shop'], clock()))) return { kind: 'foreign' }
  log.error(
    { payment: payment.id, order: notes['order'] },
    'Found a payment whose order is not in the database'
  )
  const number = typeof notes['number'] === 'string' ? notes['number'] : null
  await write(trx => addUnmatchedPayment(trx, deps, { payment, orderNumber: number }, clock()))
  return { kind: 'unmatched' }
}

/** Fetches and reconciles every payment of an order. Throws PaymentError. */
export async function reconcileOrderPayments(
  deps: CheckoutDeps,
  order: OrderRow
): Promise<ProviderState> {
  if (order.provider_order_id === null) return 'unpaid'
  const payments = await listPayments(deps, order.id, order.provider_order_id)
  let state: ProviderState = 'unpaid'
  for (const payment of payments.toSorted(capturedFirst)) {
    const found = toProviderState(await reconcile(deps, payment), payment, order, deps.clock())
    if (PRIORITY.indexOf(found) > PRIORITY.indexOf(state)) state = found
  }
  if (state === 'attempted' || state === 'unpaid')
    await saveAttempt(deps, order, payments, state === 'attempted')
  return state
}

async function listPayments(
  { payments: { gateway }, log }: CheckoutDeps,
  id: string,
  providerOrderId: string
): Promise<ProviderPayment[]> {
  try {
    return await gateway.listOrderPayments(providerOrderId)
  } catch (error) {
    if (!(error instanceof PaymentError) || error.kind !== 'refused') throw error
    // If the shop has changed its Razorpay account, older provider orders no longer exist and can't
    // be paid.
    log.error({ err: error, order: id }, 'Provider order not found')
    return []
  }
}

function toProviderState(
  { kind }: Reconciled,
  payment: ProviderPayment,
  order: OrderRow,
  now: number
): ProviderState {
  const { status, created_at } = payment
  if (kind === 'paid' || kind === 'refunded') return kind
  const isAbandoned = status === 'created' && created_at * SECOND < now - ABANDONED_AFTER
  return kind === 'open' && !isAbandoned && !isTooLate(order, payment) ? 'attempted' : 'unpaid'
}

async function saveAttempt(
  { write, clock }: CheckoutDeps,
  order: OrderRow,
  payments: readonly ProviderPayment[],
  isAttempted: boolean
): Promise<void> {
  if (order.payment_state !== 'awaiting') return
  const now = clock()
  // Captured payments are saved when they are settled.
  const attempts = payments.filter(({ status }) => /^(created|failed|authorized)$/.test(status))
  const hasChanged = isAttempted !== (order.attempted_at !== null)
  if (attempts.length === 0 && !hasChanged) return
  const attemptedAt = isAttempted ? toIso(now) : null
  const reservedUntil = toIso(Date.parse(order.created_at) + RESERVATION_TIME)
  await write(async trx => {
    for (const payment of attempts) await upsertPayment(trx, payment, now)
    if (attempts.length > 0) await setReservedUntil(trx, order.id, reservedUntil, {})
    if (hasChanged) await setAttemptedAt(trx, order.id, attemptedAt)
  })
}

// Sorts captured payments first. If one of them pays the order, the other payments are not
// captured.
function capturedFirst(a: ProviderPayment, b: ProviderPayment): number {
  const rank = ({ status }: ProviderPayment): number => (status === 'captured' ? 0 : 1)
  return rank(a) - rank(b) || a.created_at - b.created_at
}

/**
 * Releases the reservation unless the order is paid or a payment is in progress. Throws
 * PaymentError.
 */
export async function reconcileAndRelease(
  deps: CheckoutDeps,
  order: OrderRow,
  reason: ReleaseReason
): Promise<ProviderState | 'released'> {
  const state = await reconcileOrderPayments(deps, order)
  if (state !== 'unpaid' && state !== 'refunded') return state
  const released = await deps.write(trx => releaseUnpaid(trx, order.id, reason, isoNow(deps.clock)))
  return released ? 'released' : state
}

/**
 * Releases an expired reservation if no payment is in progress. Throws PaymentError after
 * scheduling another check.
 */
export async function reconcileOrder(deps: CheckoutDeps, order: OrderRow): Promise<void> {
  const isExpired = Date.parse(order.reserved_until) <= deps.clock()
  try {
    const state = isExpired
      ? await reconcileAndRelease(deps, order, 'expired')
      : await reconcileOrderPayments(deps, order)
    if (state !== 'released' && state !== 'paid') await scheduleNextCheck(deps, order, isExpired)
  } catch (error) {
    await scheduleNextCheck(deps, order, isExpired, RETRY_AFTER)
    throw error
  }
}

async function scheduleNextCheck(
  { write, clock }: CheckoutDeps,
  order: OrderRow,
  isExpired: boolean,
  delay?: number
): Promise<void> {
  const now = clock()
  const reservedUntil = isExpired ? toIso(now + RESERVATION_EXTENSION) : order.reserved_until
  const next =
    delay === undefined ? nextCheck(order.created_at, now, reservedUntil) : toIso(now + delay)
  await write(trx => setReservedUntil(trx, order.id, reservedUntil, { next_check_at: next }))
}

/**
 * Logs a failure, so that one payment can't stop the others. Throws if the provider or the database
 * is unavailable.
 */
export async function checkInSweep(
  { log }: Pick<CheckoutDeps, 'log'>,
  payment: string,
  check: () => Promise<void>
): Promise<void> {
  try {
    await check()
  } catch (error) {
    const cause = error instanceof ShopError ? error.cause : error
    if (isUnavailable(cause) || (cause instanceof PaymentError && cause.kind === 'unavailable'))
      throw error
    log.error({ err: error, payment }, 'A payment could not be checked, the next sweep tries again')
  }
}

/** Turns a PaymentError into PAYMENTS_UNAVAILABLE. */
export function throwUnavailable(cause: unknown): never {
  throw cause instanceof PaymentError ? new ShopError('PAYMENTS_UNAVAILABLE', { cause }) : cause
}
