import { MINUTE } from '#lib/time.ts'
import type { BarePaymentRow } from '../../db/order-tables.ts'
import { checkBareLater, decideBare } from '../../queries/orders/bare-payments.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { finalise } from './finalise.ts'

const ASK_AGAIN = 2 * MINUTE

/**
 * The time to say what a payment was for is over: what was paid for it goes back, and whatever is paid later too.
 * Throws PaymentError; then it is asked about again.
 */
export async function checkBare(deps: CheckoutDeps, { id, provider_order_id }: BarePaymentRow): Promise<void> {
  const { write, clock, payments } = deps
  const later = new Date(clock() + ASK_AGAIN).toISOString()
  const refused = { state: 'refused', order_id: null, next_check_at: later } as const
  await write(async trx => {
    if (!(await decideBare(trx, id, refused))) await checkBareLater(trx, id, later)
  })
  if (provider_order_id !== null) {
    for (const payment of await payments.gateway.listOrderPayments(provider_order_id)) await finalise(deps, payment)
  }
  await write(trx => checkBareLater(trx, id, null))
}
