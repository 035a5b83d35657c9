import { randomUUID } from 'node:crypto'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { MIN_PAYMENT_PAISE } from '#lib/constants.ts'
import type { User } from '#lib/contract/accounts.ts'
import type { OrderRequest, PaymentOrder, PaymentOrderRequest } from '#lib/contract/checkout.ts'
import type { Order } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import { PAYMENT_TIMEOUT, RESERVATION_TIME, UNATTEMPTED_TIME } from '#lib/time.ts'
import { findCoupon, type CouponDeps } from '../../coupons/claims.ts'
import { isLive } from '../../live-shop/live-shop.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import { widestNetworkOf } from '../../platform/http/limits.ts'
import { invalidField } from '../../platform/http/validate.ts'
import { toIso } from '../../platform/process/clock.ts'
import { PaymentError } from '../../razorpay/client.ts'
import {
  type OrderSettings,
  requireLegalDetails,
  requireMinimum,
  requireOpen
} from '../../settings/order-rules.ts'
import { readSections } from '../../settings/settings.ts'
import { SELLER_SECTIONS, toDeliveryStates } from '../../settings/tax.ts'
import { quoteLines, toQuote, type PricedQuote } from './quote.ts'
import { findCheckout, findOrder, findOrderByProviderOrder, listReservations } from '../queries.ts'
import { withLines } from '../view.ts'
import { confirmPayment, ensureProviderOrder, toPaymentOrder } from '../payment/provider-orders.ts'
import { reconcileAndRelease, type CheckoutDeps } from '../payment/reconcile.ts'
import { countFailedOpening, enforcePause, limitOpenings } from './limits.ts'
import { hashCheckout, readCheckout, toDestination, type Checkout } from './input.ts'
import { requireDelivery } from './delivery.ts'
import {
  draftOrder,
  createReservedOrder,
  nextCheck,
  QUOTE_ATTEMPTS,
  StaleQuote
} from './reservations.ts'
import { settleFree } from '../payment/settle.ts'
import { setReservedUntil } from '../payment/transitions.ts'
import { createUnitemisedPayment, placeUnitemisedOrder } from './unitemised.ts'

/**
 * `existing`: an earlier call created the order. `checking`: the payment has not paid the order
 * yet.
 */
interface PlacedOrder {
  outcome: 'created' | 'existing' | 'checking'
  order: Order
}

/**
 * Older checkouts are not resumed, because a payment could be created too late. The browser then
 * opens a new one.
 */
const MAX_RESUMED_AGE = RESERVATION_TIME - PAYMENT_TIMEOUT

/**
 * Reserves stock, discounts and a place on the day, and creates the provider order. Idempotent by
 * checkoutKey: a checkout that was opened before the shop closed can still be paid. Throws
 * INVALID_INPUT, PRICE_CHANGED, CHECKOUT_CHANGED, AMOUNT_TOO_SMALL, BELOW_MINIMUM_ORDER,
 * TOO_MANY_RESERVATIONS, FIRST_ORDER_LIMIT, VERIFICATION_REQUIRED, TOO_MANY_REQUESTS, UNAUTHORIZED,
 * PAYMENTS_UNAVAILABLE, PAYMENT_ORDER_REFUSED, SHOP_CLOSED, SHOP_NOT_LIVE, LEGAL_DETAILS_MISSING,
 * NOT_DELIVERED, DAY_CLOSED, DAY_FULL.
 */
export async function createPaymentOrder(
  deps: CheckoutDeps & CouponDeps,
  { user, ip }: { user: User; ip: string },
  { items, amount, checkoutKey, ...request }: PaymentOrderRequest
): Promise<PaymentOrder> {
  if (!(await isLive(deps))) throw new ShopError('SHOP_NOT_LIVE')
  await requireLegalDetails(deps.database.kysely, deps.payments, user)
  if (!items) {
    if (request.coupon !== undefined)
      throw invalidField('coupon', CHECKOUT_MESSAGES.couponWithoutItems)
    return createUnitemisedPayment(
      deps,
      { user, ip },
      { amount, deliveryDate: request.deliveryDate }
    )
  }
  const { orders: rules, ...seller } = await readSections(deps.database.kysely, [
    'orders',
    ...SELLER_SECTIONS
  ])
  const checkout = readCheckout({ ...request, items }, amount, toDeliveryStates(seller))
  const key = checkoutKey ?? randomUUID()
  const existing = await findCheckout(deps.database.kysely, user._id, key)
  if (existing) return resumePayment(deps, existing, checkout)
  requireOpen(rules, deps.clock())
  await enforcePause(deps.database.kysely, user._id, deps.clock())
  await releaseOlderReservations(deps, user._id, key)
  const reserving = reserveAtQuotedPrice(deps, { user, ip, rules }, key, checkout)
  const { order, quote } = await reserving.catch(async (error: unknown) => {
    const opening = { user, ip, now: deps.clock() }
    // If the count fails too, the first error still tells the reason.
    await deps.write(trx => countFailedOpening(trx, opening), 'unsynced').catch(() => undefined)
    throw error
  })
  return quote ? toReply(deps, order, quote) : resumePayment(deps, order, checkout)
}

async function releaseOlderReservations(
  deps: CheckoutDeps,
  userId: string,
  checkoutKey: string
): Promise<void> {
  const reservations = await listReservations(deps.database.kysely, userId)
  const older = reservations.filter(({ checkout_key }) => checkout_key !== checkoutKey)
  // If the provider can't be reached, the reservation stays and still counts towards the shopper's
  // limit.
  const ignoreUnavailable = (error: unknown): void => {
    if (!(error instanceof PaymentError)) throw error
  }
  await Promise.all(
    older.map(order => reconcileAndRelease(deps, order, 'replaced').catch(ignoreUnavailable))
  )
}

/** Returns no quote if a concurrent request with the same key has created the order. */
async function reserveAtQuotedPrice(
  deps: CheckoutDeps & CouponDeps,
  { user, ip, rules }: { user: User; ip: string; rules: OrderSettings },
  key: string,
  checkout: Checkout
): Promise<{ order: OrderRow; quote?: PricedQuote }> {
  const userId = user._id
  const network = user.verified ? null : widestNetworkOf(ip)
  const { items, coupon } = checkout
  for (let attempt = 1; ; attempt++) {
    // Without an IP address, wrong codes count only for this account, so that others in its network
    // can't block it.
    const couponLookup =
      coupon === undefined
        ? undefined
        : await findCoupon(deps, coupon, { user, includesOwn: false })
    const quote = await quoteLines(deps, items, {
      userId,
      couponLookup,
      to: toDestination(checkout)
    })
    const delivery = requireDelivery(quote, checkout)
    const isCurrent = quote.canOrder && quote.total === checkout.amount
    if (!isCurrent || attempt > QUOTE_ATTEMPTS)
      throw new ShopError('PRICE_CHANGED', { quote: toQuote(quote) })
    requireMinimum(rules, quote.subtotal)
    if (quote.total > 0 && quote.total < MIN_PAYMENT_PAISE) throw new ShopError('AMOUNT_TOO_SMALL')
    try {
      const order = await deps.write(async trx => {
        const draft = draftOrder(deps.payments, { userId, key, network }, checkout, {
          ...quote,
          delivery
        })
        const reserved = await createReservedOrder(trx, draft, { ...quote, delivery }, () =>
          limitOpenings(trx, { user, ip, now: quote.now })
        )
        return reserved?.total === 0 ? settleFree(trx, deps, reserved, quote.now) : reserved
      })
      if (order) return { order, quote }
      const existing = await findCheckout(deps.database.kysely, userId, key)
      if (existing) return { order: existing }
    } catch (error) {
      if (!(error instanceof StaleQuote)) throw error
    }
  }
}

async function resumePayment(
  deps: CheckoutDeps,
  order: OrderRow,
  checkout: Checkout
): Promise<PaymentOrder> {
  if (order.request_hash !== hashCheckout(checkout)) throw new ShopError('CHECKOUT_CHANGED')
  if (order.payment_state === 'paid') return toReply(deps, order)
  const isTooOld = deps.clock() > Date.parse(order.created_at) + MAX_RESUMED_AGE
  if (order.payment_state !== 'awaiting' || order.total !== checkout.amount || isTooOld) {
    throw new ShopError('CHECKOUT_CHANGED')
  }
  return toReply(deps, await extendReservation(deps, order))
}

async function extendReservation(deps: CheckoutDeps, order: OrderRow): Promise<OrderRow> {
  const now = deps.clock()
  // The payment window starts again, with a timeout of its own.
  const endsBeforeTimeout = Date.parse(order.reserved_until) < now + PAYMENT_TIMEOUT
  if (!endsBeforeTimeout) return order
  const reservedUntil = toIso(now + UNATTEMPTED_TIME)
  const next = nextCheck(order.created_at, now, reservedUntil)
  const extended = await deps.write(trx =>
    setReservedUntil(trx, order.id, reservedUntil, { next_check_at: next })
  )
  if (!extended) throw new ShopError('CHECKOUT_CHANGED')
  return extended
}

async function toReply(
  deps: CheckoutDeps,
  order: OrderRow,
  quote?: PricedQuote
): Promise<PaymentOrder> {
  const { settings } = deps.payments
  const { id: orderId, total, reserved_until } = order
  if (order.payment_state === 'paid') {
    return toPaymentOrder(settings, {
      id: null,
      orderId,
      total,
      holdUntil: null,
      order: await withLines(deps, order)
    })
  }
  const lines = quote?.lines.map(({ product, quantity, reduction, discount = null }) => ({
    product_id: product,
    quantity,
    percent: reduction === 'draw' ? discount : null
  }))
  const id = await ensureProviderOrder(deps, order, lines)
  return toPaymentOrder(settings, { id, orderId, total, holdUntil: reserved_until })
}

/** Throws ORDER_NOT_FOUND, INVALID_PAYMENT, PAYMENT_REFUNDED, INVALID_INPUT, UNAUTHORIZED. */
export async function placeOrder(
  deps: CheckoutDeps,
  user: User,
  request: OrderRequest
): Promise<PlacedOrder> {
  const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = request
  const db = deps.database.kysely
  const order =
    (await findOrderByProviderOrder(db, razorpay_order_id)) ??
    (await placeUnitemisedOrder(deps, user, request))
  if (order.user_id !== user._id) throw new ShopError('ORDER_NOT_FOUND')
  const confirmed = await confirmPayment(deps, order, razorpay_payment_id, razorpay_signature)
  if (confirmed.kind === 'paid') {
    return {
      outcome: confirmed.isNew ? 'created' : 'existing',
      order: await withLines(deps, confirmed.order)
    }
  }
  const latest = (await findOrder(db, order.id)) ?? order
  // Another payment has already paid this order. The order stays valid, and only the second payment
  // is refunded.
  if (latest.fulfilment_status !== null)
    return { outcome: 'existing', order: await withLines(deps, latest) }
  if (confirmed.kind === 'refunded') throw new ShopError('PAYMENT_REFUNDED')
  return { outcome: 'checking', order: await withLines(deps, latest) }
}
