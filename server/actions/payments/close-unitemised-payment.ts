import { MINUTE } from '#lib/time.ts'
import type { UnitemisedPaymentRow } from '../../db/order-tables.ts'
import { postponeUnitemised, closeUnitemised } from '../../queries/orders/unitemised-payments.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { reconcile } from './reconcile.ts'

const ASK_AGAIN = 2 * MINUTE

/**
 * The time to say what a payment was for is over: what was paid for it goes back, and whatever is paid later too.
 * Throws PaymentError; then it is asked about again.
 */
export async function closeUnitemisedPayment(
  deps: CheckoutDeps,
  { id, provider_order_id }: UnitemisedPaymentRow
): Promise<void> {
  const { write, clock, payments } = deps
  const later = new Date(clock() + ASK_AGAIN).toISOString()
  const refused = { state: 'refused', order_id: null, next_check_at: later } as const
  await write(async trx => {
    if (!(await closeUnitemised(trx, id, refused))) await postponeUnitemised(trx, id, later)
  })
  if (provider_order_id !== null) {
    for (const payment of await payments.gateway.listOrderPayments(provider_order_id)) await reconcile(deps, payment)
  }
  await write(trx => postponeUnitemised(trx, id, null))
}
