import { randomUUID } from 'node:crypto'
import type { User } from '#lib/contract/accounts.ts'
import type { PaymentOrder, PaymentOrderRequest } from '#lib/contract/orders.ts'
import { LEAST_PAYMENT } from '#lib/constants.ts'
import { ShopError } from '#lib/errors.ts'
import { HOLD, HOUR, MINUTE } from '#lib/time.ts'
import type { OrderRow } from '../../db/order-tables.ts'
import { findCheckout } from '../../queries/orders/orders.ts'
import { prolongHold } from '../../queries/orders/transitions.ts'
import { readOrder } from '../orders/read-orders.ts'
import { nextCheck } from '../payments/schedule.ts'
import { settleFree } from '../payments/settle.ts'
import { bindPayment } from './bind-payment.ts'
import type { CheckoutDeps } from './deps.ts'
import { draftOrder, holdGoods, StaleQuote } from './hold-goods.ts'
import { openBarePayment } from './open-bare-payment.ts'
import { toPaymentOrder } from './payment-order.ts'
import { findQuote, toQuote, type FoundQuote } from './quote-cart.ts'
import { fingerprintOf, readCheckout, type Checkout } from './read-checkout.ts'
import { releaseOlderHolds } from './release-hold.ts'

/** How often a quote that has gone stale is made anew. */
const ATTEMPTS = 3
/** A checkout whose hold ends sooner gets another, but not for ever. */
const SHORT_HOLD = 20 * MINUTE
const LONGEST_CHECKOUT = 2 * HOUR

/**
 * Opens the payment of a checkout: its goods are kept, and the provider has an order for what they cost. Asked again with
 * the same key, the same. Throws ShopError INVALID_INPUT, PRICE_CHANGED with the quote of now, CHECKOUT_CHANGED,
 * TOO_MANY_HOLDS, AMOUNT_TOO_SMALL, PAYMENTS_UNAVAILABLE.
 */
export async function openPayment(
  deps: CheckoutDeps,
  user: User,
  { items, amount, checkoutKey, ...request }: PaymentOrderRequest
): Promise<PaymentOrder> {
  if (!items) return openBarePayment(deps, user, amount)
  const checkout = readCheckout({ ...request, items }, amount, deps.clock())
  const key = checkoutKey ?? randomUUID()
  const known = await findCheckout(deps.database.kysely, user._id, key)
  if (known) return reopen(deps, known, checkout)
  await releaseOlderHolds(deps, user._id, key)
  const { order, found } = await holdQuoted(deps, user._id, key, checkout)
  return found ? answer(deps, order, found) : reopen(deps, order, checkout)
}

async function holdQuoted(
  deps: CheckoutDeps,
  userId: string,
  key: string,
  checkout: Checkout
): Promise<{ order: OrderRow; found?: FoundQuote }> {
  for (let attempt = 1; ; attempt++) {
    const found = await findQuote(deps, checkout.items, userId, 'as it is')
    const isCurrent = found.canOrder && found.total === checkout.amount
    if (!isCurrent || attempt > ATTEMPTS) throw new ShopError('PRICE_CHANGED', { quote: toQuote(found) })
    if (found.total > 0 && found.total < LEAST_PAYMENT) throw new ShopError('AMOUNT_TOO_SMALL')
    try {
      const held = await hold(deps, userId, key, checkout, found)
      if (held) return { order: held, found }
      const order = await findCheckout(deps.database.kysely, userId, key)
      if (order) return { order }
    } catch (error) {
      if (!(error instanceof StaleQuote)) throw error
    }
  }
}

function hold(
  deps: CheckoutDeps,
  userId: string,
  key: string,
  checkout: Checkout,
  found: FoundQuote
): Promise<OrderRow | undefined> {
  return deps.write(async trx => {
    const order = await holdGoods(trx, draftOrder(userId, key, checkout, found), found)
    return order?.total === 0 ? settleFree(trx, deps, order, found.now) : order
  })
}

/** What was opened before with the same key. */
async function reopen(deps: CheckoutDeps, order: OrderRow, checkout: Checkout): Promise<PaymentOrder> {
  if (order.request !== fingerprintOf(checkout)) throw new ShopError('CHECKOUT_CHANGED')
  if (order.payment_state === 'paid') return answer(deps, order)
  if (order.payment_state !== 'awaiting' || order.total !== checkout.amount) throw new ShopError('CHECKOUT_CHANGED')
  return answer(deps, await prolonged(deps, order))
}

async function prolonged(deps: CheckoutDeps, order: OrderRow): Promise<OrderRow> {
  const now = deps.clock()
  const isShort = Date.parse(order.hold_until) < now + SHORT_HOLD
  if (!isShort || now > Date.parse(order.created_at) + LONGEST_CHECKOUT) return order
  const holdUntil = new Date(now + HOLD).toISOString()
  const next = nextCheck(order.created_at, now, holdUntil)
  const longer = await deps.write(trx => prolongHold(trx, order.id, holdUntil, { next_check_at: next }))
  if (!longer) throw new ShopError('CHECKOUT_CHANGED')
  return longer
}

async function answer(deps: CheckoutDeps, order: OrderRow, found?: FoundQuote): Promise<PaymentOrder> {
  const { settings } = deps.payments
  const { id: orderId, total, hold_until } = order
  if (order.payment_state === 'paid') {
    const finished = await readOrder(deps, order.user_id, orderId)
    return toPaymentOrder(settings, { id: null, orderId, total, holdUntil: null, order: finished })
  }
  const lines = found?.lines.map(({ product, quantity, discount = null }) => ({
    ...{ product_id: product, quantity, percent: discount }
  }))
  const bound = await bindPayment(deps, order, lines)
  return toPaymentOrder(settings, { id: bound.provider_order_id, orderId, total, holdUntil: hold_until })
}
