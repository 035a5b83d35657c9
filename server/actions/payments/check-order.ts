import { MINUTE } from '#lib/time.ts'
import type { OrderRow } from '../../db/order-tables.ts'
import { setReservedUntil } from '../../queries/orders/transitions.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { releaseReservation } from '../checkout/release-reservation.ts'
import { pollOrder } from './poll-order.ts'
import { nextCheck } from './schedule.ts'

/** How much longer goods are kept for what is being paid, or can't be asked about, when their time is over. */
const GRACE = 10 * MINUTE
const ASK_AGAIN = 2 * MINUTE

/**
 * Asks about an order that awaits its payment: it is completed, or let go when its time is over and nobody has tried to
 * pay. Throws PaymentError; then it is kept, and asked about again.
 */
export async function reconcileOrder(deps: CheckoutDeps, order: OrderRow): Promise<void> {
  const isOver = Date.parse(order.reserved_until) <= deps.clock()
  try {
    const standing = isOver ? await releaseReservation(deps, order, 'expired') : await pollOrder(deps, order)
    if (standing !== 'released' && standing !== 'paid') await wait(deps, order, isOver)
  } catch (error) {
    await wait(deps, order, isOver, ASK_AGAIN)
    throw error
  }
}

async function wait({ write, clock }: CheckoutDeps, order: OrderRow, isOver: boolean, pause?: number): Promise<void> {
  const now = clock()
  const holdUntil = isOver ? new Date(now + GRACE).toISOString() : order.reserved_until
  const next = pause === undefined ? nextCheck(order.created_at, now, holdUntil) : new Date(now + pause).toISOString()
  await write(trx => setReservedUntil(trx, order.id, holdUntil, { next_check_at: next }))
}
