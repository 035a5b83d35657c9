import { randomUUID } from 'node:crypto'
import { CURRENCY, MIN_PAYMENT_PAISE } from '#lib/constants.ts'
import type { User } from '#lib/contract/accounts.ts'
import {
  UnitemisedOrder,
  type CartEntry,
  type OrderRequest,
  type PaymentOrder,
  type Quote
} from '#lib/contract/checkout.ts'
import { ShopError, type ErrorCode, type FieldErrors } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { fromRupees, toRupees } from '#lib/money.ts'
import { DAY, RESERVATION_TIME } from '#lib/time.ts'
import { readMyDiscounts } from '../deals/draws.ts'
import type { OrderRow, UnitemisedPaymentRow } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'
import { isoNow, toIso } from '../platform/process/clock.ts'
import { PaymentError } from '../razorpay/client.ts'
import { requireMinimum, requireOpen } from '../settings/order-rules.ts'
import { readSection, readSections, SELLER_SECTIONS } from '../settings/settings.ts'
import { toDeliveryStates } from '../settings/tax.ts'
import { quoteLines, toQuote, type DeliverableQuote } from './cart.ts'
import { findOrderByProviderOrder } from './order-queries.ts'
import {
  decideUnitemised,
  findUnitemisedByProviderOrder,
  insertUnitemised,
  setUnitemisedNextCheck,
  setUnitemisedProviderOrder
} from './payment-queries.ts'
import { createProviderOrder, requireSignature, shopNotes, toPaymentOrder } from './payments.ts'
import { reconcile, RETRY_AFTER, type CheckoutDeps } from './reconcile.ts'
import { readCheckout, toDestination, type Checkout } from './opening/checkout-input.ts'
import { requireDelivery } from './opening/delivery.ts'
import { limitOpenings } from './opening/limits.ts'
import { createReservedOrder, draftOrder, QUOTE_ATTEMPTS, StaleQuote } from './reservations.ts'

/** If the provider still refuses to list a payment at this age, it belongs to a former Razorpay account. */
const GIVE_UP_AGE = DAY
const REFUSALS: readonly ErrorCode[] = ['NOT_DELIVERED', 'DAY_CLOSED', 'DAY_FULL']
/** In rupees. Senders may not have rounded the price of an item. */
const PRICE_TOLERANCE = 0.01

/**
 * Creates a payment without a list of items (the specification allows such payments). Reserves no stock. Throws
 * SHOP_CLOSED, BELOW_MINIMUM_ORDER, AMOUNT_TOO_SMALL, TOO_MANY_REQUESTS, VERIFICATION_REQUIRED, PAYMENTS_UNAVAILABLE,
 * PAYMENT_ORDER_REFUSED.
 */
export async function createUnitemisedPayment(
  deps: CheckoutDeps,
  { user, ip }: { user: User; ip: string },
  rupees: number
): Promise<PaymentOrder> {
  const { write, clock, payments } = deps
  const now = clock()
  const total = fromRupees(rupees)
  const rules = await readSection(deps.database.kysely, 'orders')
  requireOpen(rules, now)
  requireMinimum(rules, total)
  if (total < MIN_PAYMENT_PAISE) throw new ShopError('AMOUNT_TOO_SMALL')
  const id = randomUUID()
  const row = {
    id,
    user_id: user._id,
    total,
    next_check_at: toIso(now + RESERVATION_TIME),
    created_at: toIso(now)
  }
  await write(async trx => {
    await insertUnitemised(trx, row)
    await limitOpenings(trx, { user, ip, now })
  })
  const draft = { amount: total, currency: CURRENCY, receipt: id, notes: await shopNotes(deps, id) }
  const providerOrder = await createProviderOrder(deps, draft, true)
  await write(trx => setUnitemisedProviderOrder(trx, id, providerOrder.id))
  return toPaymentOrder(payments.settings, { id: providerOrder.id, orderId: id, total, holdUntil: null })
}

/**
 * Creates the order for a payment that was created without a list of items. If its day is full or closed, the order
 * moves to a later one. If the amount differs from the quote, stock is insufficient or delivery not possible, refunds
 * the payment in full. Throws ORDER_NOT_FOUND, INVALID_PAYMENT, INVALID_INPUT, PAYMENT_REFUNDED, UNAUTHORIZED.
 */
export async function placeUnitemisedOrder(deps: CheckoutDeps, user: User, request: OrderRequest): Promise<OrderRow> {
  const { razorpay_order_id, razorpay_payment_id: paymentId, razorpay_signature } = request
  const db = deps.database.kysely
  const unitemised = await findUnitemisedByProviderOrder(db, razorpay_order_id)
  if (unitemised?.user_id !== user._id) throw new ShopError('ORDER_NOT_FOUND')
  requireSignature(deps, razorpay_order_id, paymentId, razorpay_signature)
  if (unitemised.state === 'refused') return refundAndThrow(deps, unitemised.id, paymentId)
  const parsed = parseOrder(request)
  const items = await addDrawnDiscounts(deps, user._id, parsed.items)
  const states = toDeliveryStates(await readSections(db, SELLER_SECTIONS))
  const checkout = readCheckout({ ...parsed, items }, toRupees(unitemised.total), states)
  for (let attempt = 1; ; attempt++) {
    const to = toDestination(checkout)
    // The shopper has paid the prices of the time when the payment was created.
    const terms = { userId: user._id, saleAt: unitemised.created_at, to }
    const quote = await quoteLines(deps, checkout.items, terms)
    const isPayable = quote.canOrder && quote.total === unitemised.total
    if (!isPayable || attempt > QUOTE_ATTEMPTS) return refundAndThrow(deps, unitemised.id, paymentId, toQuote(quote))
    try {
      const delivery = requireDelivery(quote, checkout)
      return await deps.write(trx => createOrder(trx, deps, unitemised, checkout, { ...quote, delivery }))
    } catch (error) {
      const isRefused = error instanceof ShopError && REFUSALS.includes(error.code)
      if (isRefused) return refundAndThrow(deps, unitemised.id, paymentId)
      if (!(error instanceof StaleQuote)) throw error
    }
    // A repeated request may have created the order in another process.
    const existing = await findOrderByProviderOrder(db, razorpay_order_id)
    if (existing) return existing
  }
}

/** Adds the deal to a single pack if its price is the reduced price of a discount that the shopper can still use. */
async function addDrawnDiscounts(
  deps: CheckoutDeps,
  userId: string,
  items: UnitemisedOrder['items']
): Promise<CartEntry[]> {
  const discounts = (await readMyDiscounts(deps, userId, deps.clock())).filter(({ used }) => !used)
  return items.map(({ price, ...item }) => {
    if (item.dealId !== undefined || item.quantity !== 1) return item
    const drawn = discounts.find(
      discount => discount.productId === item.product && Math.abs(discount.price - Number(price)) < PRICE_TOLERANCE
    )
    return drawn ? { ...item, dealId: drawn.dealId } : item
  })
}

async function createOrder(
  trx: Trx,
  { payments }: Pick<CheckoutDeps, 'payments'>,
  { id, user_id, provider_order_id }: UnitemisedPaymentRow,
  checkout: Checkout,
  quote: DeliverableQuote
): Promise<OrderRow> {
  const draft = {
    ...draftOrder(payments, { userId: user_id, key: id, network: null }, checkout, quote),
    provider_order_id
  }
  const order = await createReservedOrder(trx, draft, quote)
  const decision = { state: 'used', order_id: draft.id, next_check_at: null } as const
  if (!order || !(await decideUnitemised(trx, id, decision))) throw new StaleQuote()
  return order
}

async function refundAndThrow(deps: CheckoutDeps, id: string, paymentId: string, quote?: Quote): Promise<never> {
  const { write, clock, payments } = deps
  const now = isoNow(clock)
  await write(trx => decideUnitemised(trx, id, { state: 'refused', order_id: null, next_check_at: now }))
  try {
    await reconcile(deps, await payments.gateway.fetchPayment(paymentId))
  } catch (error) {
    // A PaymentError is ignored, because a background job tries the refund again.
    if (!(error instanceof PaymentError)) throw error
  }
  throw new ShopError('PAYMENT_REFUNDED', quote && { quote })
}

function parseOrder(request: OrderRequest): UnitemisedOrder {
  const result = UnitemisedOrder.safeParse(request)
  if (result.success) return result.data
  const fields: FieldErrors = {}
  for (const { path, message } of result.error.issues) {
    fields[path.join('.')] ??= message.startsWith('Invalid input') ? MESSAGES.invalidField : message
  }
  throw new ShopError('INVALID_INPUT', { fields })
}

/**
 * Closes a payment that was created without a list of items and for which no order was placed. Refunds captured money.
 * Throws PaymentError, except if the provider has refused the check for a day.
 */
export async function closeUnitemisedPayment(
  deps: CheckoutDeps,
  { id, provider_order_id, created_at }: UnitemisedPaymentRow
): Promise<void> {
  const { write, clock, payments, log } = deps
  const nextCheckAt = toIso(clock() + RETRY_AFTER)
  const refused = { state: 'refused', order_id: null, next_check_at: nextCheckAt } as const
  await write(async trx => {
    if (!(await decideUnitemised(trx, id, refused))) await setUnitemisedNextCheck(trx, id, nextCheckAt)
  })
  if (provider_order_id !== null) {
    try {
      for (const payment of await payments.gateway.listOrderPayments(provider_order_id)) await reconcile(deps, payment)
    } catch (error) {
      const isRefused = error instanceof PaymentError && error.kind === 'refused'
      if (!isRefused || clock() - Date.parse(created_at) < GIVE_UP_AGE) throw error
      log.error({ err: error, payment: id }, 'Provider has refused for a day to list a payment, giving up')
    }
  }
  await write(trx => setUnitemisedNextCheck(trx, id, null))
}
