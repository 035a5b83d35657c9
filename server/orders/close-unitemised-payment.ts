import { MINUTE } from '#lib/time.ts'
import type { UnitemisedPaymentRow } from '../platform/db/order-tables.ts'
import { setUnitemisedNextCheck, closeUnitemised } from './unitemised-queries.ts'
import type { CheckoutDeps } from './deps.ts'
import { reconcile } from './reconcile.ts'

const RETRY_AFTER = 2 * MINUTE

/**
 * Closes a payment that was created without a list of items and for which no order was placed. Refunds captured money.
 * Throws PaymentError.
 */
export async function closeUnitemisedPayment(
  deps: CheckoutDeps,
  { id, provider_order_id }: UnitemisedPaymentRow
): Promise<void> {
  const { write, clock, payments } = deps
  const nextCheckAt = new Date(clock() + RETRY_AFTER).toISOString()
  const refused = { state: 'refused', order_id: null, next_check_at: nextCheckAt } as const
  await write(async trx => {
    if (!(await closeUnitemised(trx, id, refused))) await setUnitemisedNextCheck(trx, id, nextCheckAt)
  })
  if (provider_order_id !== null) {
    for (const payment of await payments.gateway.listOrderPayments(provider_order_id)) await reconcile(deps, payment)
  }
  await write(trx => setUnitemisedNextCheck(trx, id, null))
}
