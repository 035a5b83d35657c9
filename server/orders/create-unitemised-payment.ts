import { randomUUID } from 'node:crypto'
import type { User } from '#lib/contract/accounts.ts'
import type { PaymentOrder } from '#lib/contract/orders.ts'
import { CURRENCY, MIN_PAYMENT_PAISE } from '#lib/constants.ts'
import { ShopError } from '#lib/errors.ts'
import { fromRupees } from '#lib/money.ts'
import { RESERVATION_TIME } from '#lib/time.ts'
import { setUnitemisedProviderOrder, insertUnitemised } from './unitemised-queries.ts'
import { createProviderOrder, shopNotes } from './provider-order.ts'
import type { CheckoutDeps } from './deps.ts'
import { toPaymentOrder } from './payment-order-reply.ts'

/**
 * Creates a payment without a list of items (the specification allows such payments). Reserves no stock. Throws
 * AMOUNT_TOO_SMALL, PAYMENTS_UNAVAILABLE.
 */
export async function createUnitemisedPayment(deps: CheckoutDeps, user: User, rupees: number): Promise<PaymentOrder> {
  const { write, clock, payments, config } = deps
  const total = fromRupees(rupees)
  if (total < MIN_PAYMENT_PAISE) throw new ShopError('AMOUNT_TOO_SMALL')
  const id = randomUUID()
  const now = clock()
  const row = {
    id,
    user_id: user._id,
    total,
    next_check_at: new Date(now + RESERVATION_TIME).toISOString(),
    created_at: new Date(now).toISOString()
  }
  await write(trx => insertUnitemised(trx, row))
  const draft = { amount: total, currency: CURRENCY, receipt: id, notes: shopNotes(config, id) }
  const providerOrder = await createProviderOrder(deps, draft, true)
  await write(trx => setUnitemisedProviderOrder(trx, id, providerOrder.id))
  return toPaymentOrder(payments.settings, { id: providerOrder.id, orderId: id, total, holdUntil: null })
}
