import type { OrderRow } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'
import { reachFailpoint } from '../platform/process/failpoints.ts'
import { PaymentError } from '../razorpay/payments.ts'
import { releaseDraws } from './draw-claims.ts'
import { findLinesOf, listReservations } from './order-queries.ts'
import { announceStockChange, lastMovementSeq, releasePacks } from './stock-queries.ts'
import { endReservation } from './transitions.ts'
import { countPacks } from './reserve-again.ts'
import { reconcileOrderPayments, type ProviderState } from './reconcile-order-payments.ts'
import type { CheckoutDeps } from './deps.ts'

export async function releaseOlderReservations(deps: CheckoutDeps, userId: string, checkoutKey: string): Promise<void> {
  const reservations = await listReservations(deps.database.kysely, userId)
  const older = reservations.filter(({ checkout_key }) => checkout_key !== checkoutKey)
  await Promise.all(older.map(order => releaseReservation(deps, order, 'cancelled').catch(ignoreUnavailable)))
}

/**
 * Releases the stock and discounts of an order, except if it is paid or a payment is in progress. Throws PaymentError.
 */
export async function releaseReservation(
  deps: CheckoutDeps,
  order: OrderRow,
  to: 'expired' | 'cancelled'
): Promise<ProviderState | 'released'> {
  const state = await reconcileOrderPayments(deps, order)
  if (state !== 'unpaid' && state !== 'refunded') return state
  const released = await deps.write(trx => endAndRelease(trx, order.id, to, new Date(deps.clock()).toISOString()))
  return released ? 'released' : state
}

async function endAndRelease(trx: Trx, id: string, to: 'expired' | 'cancelled', now: string): Promise<boolean> {
  const order = await endReservation(trx, id, to, now)
  if (!order) return false
  await releaseStock(trx, id, to, now)
  reachFailpoint('release-precommit')
  return true
}

export async function releaseStock(trx: Trx, id: string, reason: 'expired' | 'cancelled', now: string): Promise<void> {
  const lines = await findLinesOf(trx, id)
  const movement = { order_id: id, seq: (await lastMovementSeq(trx, id)) + 1, reason, moved_at: now }
  const change = await releasePacks(trx, countPacks(lines), movement)
  await releaseDraws(trx, id)
  await announceStockChange(trx, change)
}

// If the provider can't be reached, the reservation stays and still counts towards the shopper's limit.
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof PaymentError)) throw error
}
