import { HOUR, SECOND } from '#lib/time.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import { PaymentError, type ProviderPayment } from '../razorpay/payments.ts'
import { updateAwaiting } from './transitions.ts'
import type { CheckoutDeps } from './deps.ts'
import { reconcile } from './reconcile.ts'

/** `attempted`: a payment is in progress. `unpaid`: there is no payment, or all have failed or are abandoned. */
export type ProviderState = 'paid' | 'refunded' | 'attempted' | 'unpaid'

/** If a payment still has the status `created` this long after its creation, it counts as abandoned. */
const ABANDONED_AFTER = HOUR

/** Fetches and reconciles every payment of an order. Throws PaymentError. */
export async function reconcileOrderPayments(deps: CheckoutDeps, order: OrderRow): Promise<ProviderState> {
  if (order.provider_order_id === null) return 'unpaid'
  const payments = await listPayments(deps, order.id, order.provider_order_id)
  let state: ProviderState = 'unpaid'
  for (const payment of payments.toSorted(capturedFirst)) {
    state = higherPriority(state, await reconcilePayment(deps, payment))
  }
  if (state === 'attempted' || state === 'unpaid') await saveAttempt(deps, order, state)
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
    // If the shop has changed its Razorpay account, older provider orders no longer exist and can't be paid.
    log.error({ err: error, order: id }, 'Provider order not found')
    return []
  }
}

async function reconcilePayment(deps: CheckoutDeps, payment: ProviderPayment): Promise<ProviderState> {
  const { kind } = await reconcile(deps, payment)
  if (kind === 'paid' || kind === 'refunded') return kind
  const isAbandoned = payment.status === 'created' && payment.created_at * SECOND < deps.clock() - ABANDONED_AFTER
  return kind === 'open' && !isAbandoned ? 'attempted' : 'unpaid'
}

async function saveAttempt({ write, clock }: CheckoutDeps, order: OrderRow, state: ProviderState): Promise<void> {
  const isAttempted = state === 'attempted'
  if (order.payment_state !== 'awaiting' || isAttempted === (order.attempted_at !== null)) return
  const attemptedAt = isAttempted ? new Date(clock()).toISOString() : null
  await write(trx => updateAwaiting(trx, order.id, { attempted_at: attemptedAt }))
}

const PRIORITY: readonly ProviderState[] = ['unpaid', 'refunded', 'attempted', 'paid']

function higherPriority(a: ProviderState, b: ProviderState): ProviderState {
  return PRIORITY.indexOf(a) > PRIORITY.indexOf(b) ? a : b
}

// Sorts captured payments first. If one of them pays the order, the other payments are not captured.
function capturedFirst(a: ProviderPayment, b: ProviderPayment): number {
  const rank = ({ status }: ProviderPayment): number => (status === 'captured' ? 0 : 1)
  return rank(a) - rank(b) || a.created_at - b.created_at
}
