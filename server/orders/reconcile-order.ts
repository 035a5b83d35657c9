import { MINUTE } from '#lib/time.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import { setReservedUntil } from './transitions.ts'
import type { CheckoutDeps } from './deps.ts'
import { releaseReservation } from './release-reservation.ts'
import { reconcileOrderPayments } from './reconcile-order-payments.ts'
import { nextCheck } from './check-schedule.ts'

/** An expired reservation is extended by this time if a payment is in progress or can't be checked. */
const RESERVATION_EXTENSION = 10 * MINUTE
const RETRY_AFTER = 2 * MINUTE

/**
 * Checks the payments of an unpaid order. Releases an expired reservation if no payment is in progress. Throws
 * PaymentError after scheduling another check.
 */
export async function reconcileOrder(deps: CheckoutDeps, order: OrderRow): Promise<void> {
  const isExpired = Date.parse(order.reserved_until) <= deps.clock()
  try {
    const state = isExpired
      ? await releaseReservation(deps, order, 'expired')
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
  const reservedUntil = isExpired ? new Date(now + RESERVATION_EXTENSION).toISOString() : order.reserved_until
  const next =
    delay === undefined ? nextCheck(order.created_at, now, reservedUntil) : new Date(now + delay).toISOString()
  await write(trx => setReservedUntil(trx, order.id, reservedUntil, { next_check_at: next }))
}
