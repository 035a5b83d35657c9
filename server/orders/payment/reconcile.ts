import { ShopError } from '#lib/errors.ts'
import { HOUR, isoNow, MINUTE, RESERVATION_TIME, SECOND, toIso } from '#lib/time.ts'
import { namesThisShop } from '../../live-shop/live-shop.ts'
import { isUnavailable } from '../../platform/db/failures.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import { enqueueMail } from '../../platform/mail/outbox.ts'
import { shareRunning } from '../../platform/process/work-queue.ts'
import { PAGE_SIZE, PaymentError, type ProviderPayment } from '../../razorpay/client.ts'
import { nextCheck, releaseUnpaid } from '../checkout/reservations.ts'
import { readMailDeps } from '../mails.ts'
import { type CheckoutDeps, findOrderByProviderOrder } from '../queries.ts'
import { unmatchedMail } from './mails.ts'
import {
  isTooLate,
  type ReleaseReason,
  setReservedUntil,
  updateOrder,
  upsertPayment
} from './transitions.ts'
import {
  NotRevivedError,
  type Outcome,
  type Reconciled,
  refundLatePayment,
  reserveForLatePayment,
  settle,
  UnknownOrder
} from './settle.ts'

interface ReconciledPayment extends Reconciled {
  payment: ProviderPayment
}

/** If an order has several payments, the last of these outcomes is that of the order. */
const PRIORITY: readonly Outcome[] = ['unpaid', 'refunded', 'attempted', 'paid']
const SETTLE_ATTEMPTS = 4
const ABANDONED_AFTER = HOUR
const RESERVATION_EXTENSION = 10 * MINUTE
export const RETRY_AFTER = 2 * MINUTE

// The browser and several webhooks may report a payment at the same time.
const lookups = new Map<string, Promise<ReconciledPayment>>()

export async function reconcileById(
  deps: CheckoutDeps,
  paymentId: string
): Promise<ReconciledPayment> {
  const earlier = await lookups.get(paymentId)?.catch(() => undefined)
  // Another result may have changed since the earlier lookup.
  if (earlier?.outcome === 'paid' || earlier?.outcome === 'refunded')
    return { ...earlier, isNew: false }
  return shareRunning(lookups, paymentId, async () => {
    const payment = await deps.payments.gateway.fetchPayment(paymentId)
    return { payment, ...(await reconcile(deps, payment)) }
  })
}

export async function reconcile(deps: CheckoutDeps, payment: ProviderPayment): Promise<Reconciled> {
  const { status, created_at } = payment
  if (status === 'captured') return settleCaptured(deps, payment)
  if (status === 'created') {
    const isAbandoned = created_at * SECOND < deps.clock() - ABANDONED_AFTER
    return { outcome: isAbandoned ? 'unpaid' : 'attempted' }
  }
  if (status !== 'authorized') return { outcome: 'unpaid' }
  const order = await findOrderByProviderOrder(deps.database.kysely, payment.order_id ?? '')
  // A payment that is not captured is later refunded by the provider.
  if (order?.total !== payment.amount || !(await ensureReserved(deps, order, payment)))
    return { outcome: 'attempted' }
  const captured = await capture(deps, payment)
  return captured.status === 'captured' ? settleCaptured(deps, captured) : { outcome: 'attempted' }
}

async function ensureReserved(
  { write, clock }: CheckoutDeps,
  order: OrderRow,
  payment: ProviderPayment
) {
  if (order.payment_state === 'awaiting') return !isTooLate(order, payment)
  if (order.payment_state !== 'expired' && order.payment_state !== 'cancelled') return false
  try {
    await write(trx => reserveForLatePayment(trx, order, payment, clock()), { shows: 'stock' })
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
      return await deps.write(trx => settle(trx, deps, payment, now), { shows: 'stock' })
    } catch (error) {
      if (error instanceof UnknownOrder) return listIfOfThisShop(deps, payment)
      if (!(error instanceof NotRevivedError)) throw error
    }
    const refunded = await deps.write(trx => refundLatePayment(trx, deps, payment, now), {
      shows: 'stock'
    })
    if (refunded) return refunded
  }
  throw new Error(`Payment ${payment.id} could not be settled`)
}

/** Not refunded, because the order may be in the database of the live shop. */
async function listIfOfThisShop(deps: CheckoutDeps, payment: ProviderPayment): Promise<Reconciled> {
  const { payments, log, write, clock } = deps
  if (!payment.order_id) return { outcome: 'foreign' }
  const { notes } = await payments.gateway.fetchOrder(payment.order_id)
  if (!(await namesThisShop(deps, notes['shop'], clock()))) return { outcome: 'foreign' }
  log.error(
    { payment: payment.id, order: notes['order'] },
    'Found a payment whose order is not in the database'
  )
  const order_no = typeof notes['number'] === 'string' ? notes['number'] : null
  await write(
    async trx => {
      const now = clock()
      const found_at = toIso(now)
      await upsertPayment(trx, payment, now)
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('unmatched_payments')
        .values({ payment_id: payment.id, order_no, found_at, decision: null })
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows === 0n) return
      const mail = unmatchedMail(await readMailDeps(trx, deps), payment, order_no)
      await enqueueMail(trx, mail, found_at)
    },
    { shows: 'stock' }
  )
  return { outcome: 'unmatched' }
}

export async function reconcileOrderPayments(
  deps: CheckoutDeps,
  order: OrderRow
): Promise<Outcome> {
  if (order.provider_order_id === null) return 'unpaid'
  const payments = await listPayments(deps, order.id, order.provider_order_id)
  let outcome: Outcome = 'unpaid'
  // If a captured payment pays the order, the others are not captured.
  const isOpen = ({ status }: ProviderPayment) => Number(status !== 'captured')
  const byState = payments.toSorted((a, b) => isOpen(a) - isOpen(b) || a.created_at - b.created_at)
  for (const payment of byState) {
    const reconciled = await reconcile(deps, payment)
    const isLate = reconciled.outcome === 'attempted' && isTooLate(order, payment)
    const found = isLate ? 'unpaid' : reconciled.outcome
    if (PRIORITY.indexOf(found) > PRIORITY.indexOf(outcome)) outcome = found
  }
  if (outcome === 'attempted' || outcome === 'unpaid')
    await saveAttempt(deps, order, payments, outcome === 'attempted')
  return outcome
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
    // Provider orders of a former Razorpay account no longer exist and can't be paid.
    log.error({ err: error, order: id }, 'Provider order not found')
    return []
  }
}

async function saveAttempt(
  { write, clock }: CheckoutDeps,
  order: OrderRow,
  payments: readonly ProviderPayment[],
  isAttempted: boolean
) {
  if (order.payment_state !== 'awaiting') return
  const now = clock()
  // Captured payments are saved when they are settled.
  const attempts = payments.filter(({ status }) => /^(created|failed|authorized)$/.test(status))
  const hasChanged = isAttempted !== (order.attempted_at !== null)
  if (attempts.length === 0 && !hasChanged) return
  const reservedUntil = toIso(Date.parse(order.created_at) + RESERVATION_TIME)
  await write(
    async trx => {
      for (const payment of attempts) await upsertPayment(trx, payment, now)
      if (attempts.length > 0) await setReservedUntil(trx, order.id, reservedUntil, {})
      if (hasChanged)
        await updateOrder(trx, order.id, { attempted_at: isAttempted ? toIso(now) : null })
          .where('payment_state', '=', 'awaiting')
          .execute()
    },
    { shows: 'stock' }
  )
}

export async function reconcileAndRelease(
  deps: CheckoutDeps,
  order: OrderRow,
  reason: ReleaseReason
): Promise<boolean> {
  const outcome = await reconcileOrderPayments(deps, order)
  if (outcome !== 'unpaid' && outcome !== 'refunded') return false
  return deps.write(trx => releaseUnpaid(trx, order.id, reason, isoNow(deps.clock)), {
    shows: 'stock'
  })
}

export async function reconcileOrder(deps: CheckoutDeps, order: OrderRow): Promise<void> {
  const now = deps.clock()
  const isExpired = Date.parse(order.reserved_until) <= now
  const reservedUntil = isExpired ? toIso(now + RESERVATION_EXTENSION) : order.reserved_until
  const checkAgainAt = async (next_check_at: string) => {
    await deps.write(trx => setReservedUntil(trx, order.id, reservedUntil, { next_check_at }), {
      shows: 'nothing'
    })
  }
  try {
    if (isExpired && (await reconcileAndRelease(deps, order, 'expired'))) return
    if (!isExpired) await reconcileOrderPayments(deps, order)
    await checkAgainAt(nextCheck(order.created_at, now, reservedUntil))
  } catch (error) {
    await checkAgainAt(toIso(now + RETRY_AFTER))
    throw error
  }
}

export async function forEachPage<Item>(
  { clock }: CheckoutDeps,
  back: number,
  signal: AbortSignal | undefined,
  list: (period: { from: number; to: number; skip: number }) => Promise<Item[]>,
  handle: (page: readonly Item[]) => Promise<void>
): Promise<void> {
  const to = clock()
  for (let skip = 0; !signal?.aborted; skip += PAGE_SIZE) {
    const page = await list({ from: to - back, to, skip })
    await handle(page)
    if (page.length < PAGE_SIZE) return
  }
}

/** One payment can't stop the others, but a provider or database that is unavailable does. */
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

export function throwUnavailable(cause: unknown): never {
  throw cause instanceof PaymentError ? new ShopError('PAYMENTS_UNAVAILABLE', { cause }) : cause
}
