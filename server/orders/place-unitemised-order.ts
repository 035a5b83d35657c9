import type { User } from '#lib/contract/accounts.ts'
import type { Quote } from '#lib/contract/cart.ts'
import { UnitemisedOrder, type OrderRequest } from '#lib/contract/orders.ts'
import { ShopError, type FieldErrors } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { toRupees } from '#lib/money.ts'
import type { UnitemisedPaymentRow, OrderRow } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'
import { PaymentError } from '../razorpay/payments.ts'
import { closeUnitemised } from './unitemised-queries.ts'
import { findOrderByProviderOrder } from './order-queries.ts'
import type { CheckoutDeps } from './deps.ts'
import { draftOrder, reserveStock, StaleQuote } from './reserve-stock.ts'
import { quoteLines, toQuote, type PricedQuote } from './quote-cart.ts'
import { readCheckout, type Checkout } from './read-checkout.ts'
import { requireSignature } from './confirm-payment.ts'
import { reconcile } from './reconcile.ts'

const ATTEMPTS = 3

/**
 * Creates the order for a payment that was created without a list of items (`unitemised`). If the amount differs from
 * the quote or stock is insufficient, refunds the payment in full. Throws INVALID_PAYMENT, INVALID_INPUT,
 * PAYMENT_REFUNDED, UNAUTHORIZED.
 */
export async function placeUnitemisedOrder(
  deps: CheckoutDeps,
  user: User,
  unitemised: UnitemisedPaymentRow,
  request: OrderRequest
): Promise<OrderRow> {
  const { razorpay_payment_id: paymentId, razorpay_signature } = request
  requireSignature(deps, unitemised.provider_order_id, paymentId, razorpay_signature)
  if (unitemised.state === 'refused') return refundAndThrow(deps, unitemised, paymentId)
  const checkout = readCheckout(parseBody(request), toRupees(unitemised.total), deps.clock())
  for (let attempt = 1; ; attempt++) {
    const quote = await quoteLines(deps, checkout.items, user._id, 'exact')
    const isPayable = quote.canOrder && quote.total === unitemised.total
    if (!isPayable || attempt > ATTEMPTS) return refundAndThrow(deps, unitemised, paymentId, toQuote(quote))
    try {
      return await deps.write(trx => createOrder(trx, user._id, unitemised, checkout, quote))
    } catch (error) {
      if (!(error instanceof StaleQuote)) throw error
    }
    // A repeated request may have created the order in another process.
    const existing = await findOrderByProviderOrder(deps.database.kysely, unitemised.provider_order_id ?? '')
    if (existing) return existing
  }
}

async function createOrder(
  trx: Trx,
  userId: string,
  unitemised: UnitemisedPaymentRow,
  checkout: Checkout,
  quote: PricedQuote
): Promise<OrderRow> {
  const draft = {
    ...draftOrder(userId, unitemised.id, checkout, quote),
    provider_order_id: unitemised.provider_order_id
  }
  // The shopper's limit of open reservations does not apply, because the order is already paid.
  const order = await reserveStock(trx, draft, quote, Infinity)
  const decision = { state: 'used', order_id: draft.id, next_check_at: null } as const
  if (!order || !(await closeUnitemised(trx, unitemised.id, decision))) throw new StaleQuote()
  return order
}

async function refundAndThrow(
  deps: CheckoutDeps,
  unitemised: UnitemisedPaymentRow,
  paymentId: string,
  quote?: Quote
): Promise<never> {
  const { write, clock, payments } = deps
  const now = new Date(clock()).toISOString()
  await write(trx => closeUnitemised(trx, unitemised.id, { state: 'refused', order_id: null, next_check_at: now }))
  try {
    await reconcile(deps, await payments.gateway.fetchPayment(paymentId))
  } catch (error) {
    // A PaymentError is ignored, because a background job tries the refund again.
    if (!(error instanceof PaymentError)) throw error
  }
  throw new ShopError('PAYMENT_REFUNDED', quote && { quote })
}

function parseBody(request: OrderRequest): UnitemisedOrder {
  const result = UnitemisedOrder.safeParse(request)
  if (result.success) return result.data
  const fields: FieldErrors = {}
  for (const { path, message } of result.error.issues) {
    fields[path.join('.')] ??= message.startsWith('Invalid input') ? MESSAGES.invalidField : message
  }
  throw new ShopError('INVALID_INPUT', { fields })
}
