import { HOUR, SECOND } from '#lib/time.ts'
import type { OrderRow } from '../../db/order-tables.ts'
import { PaymentError, type ProviderPayment } from '../../gateways/payments.ts'
import { updateAwaiting } from '../../queries/orders/transitions.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { reconcile } from './reconcile.ts'

/** How an order stands at the provider. `attempted`: with a payment that has not ended. `unpaid`: with none. */
export type Standing = 'paid' | 'refunded' | 'attempted' | 'unpaid'

/** The bank's answer to an attempt comes within minutes; one that has none for so long was left. */
const ATTEMPT_LIFE = HOUR

/** Asks the provider for every payment of an order, and brings each to its end. Throws PaymentError. */
export async function pollOrder(deps: CheckoutDeps, order: OrderRow): Promise<Standing> {
  if (order.provider_order_id === null) return 'unpaid'
  const payments = await listPayments(deps, order.id, order.provider_order_id)
  let standing: Standing = 'unpaid'
  for (const payment of payments.toSorted(collectedFirst)) {
    standing = worse(standing, await standingOf(deps, payment))
  }
  if (standing === 'attempted' || standing === 'unpaid') await noteAttempt(deps, order, standing)
  return standing
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
    // As after a change of the account: what it does not have can't be paid there.
    log.error({ err: error, order: id }, 'The payment provider does not know an order of ours')
    return []
  }
}

async function standingOf(deps: CheckoutDeps, payment: ProviderPayment): Promise<Standing> {
  const { kind } = await reconcile(deps, payment)
  if (kind === 'paid' || kind === 'refunded') return kind
  const isLeft = payment.status === 'created' && payment.created_at * SECOND < deps.clock() - ATTEMPT_LIFE
  return kind === 'open' && !isLeft ? 'attempted' : 'unpaid'
}

/** Writes down whether the shopper is to see that it is being checked; nothing when that is known. */
async function noteAttempt({ write, clock }: CheckoutDeps, order: OrderRow, standing: Standing): Promise<void> {
  const isAttempted = standing === 'attempted'
  if (order.payment_state !== 'awaiting' || isAttempted === (order.attempted_at !== null)) return
  const attemptedAt = isAttempted ? new Date(clock()).toISOString() : null
  await write(trx => updateAwaiting(trx, order.id, { attempted_at: attemptedAt }))
}

const ORDER: readonly Standing[] = ['unpaid', 'refunded', 'attempted', 'paid']

function worse(a: Standing, b: Standing): Standing {
  return ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b
}

// Of several attempts one that has been collected decides, before another is collected too.
function collectedFirst(a: ProviderPayment, b: ProviderPayment): number {
  const rank = ({ status }: ProviderPayment): number => (status === 'captured' ? 0 : 1)
  return rank(a) - rank(b) || a.created_at - b.created_at
}
