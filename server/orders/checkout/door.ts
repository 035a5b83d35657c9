import { t } from '#lib/contract/texts.ts'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { MIN_PAYMENT_PAISE } from '#lib/constants.ts'
import type { User } from '#lib/contract/accounts.ts'
import type { PaymentOrder, PaymentOrderRequest } from '#lib/contract/checkout.ts'
import { ShopError } from '#lib/errors.ts'
import { PAYMENT_TIMEOUT, RESERVATION_TIME, UNATTEMPTED_TIME, toIso } from '#lib/time.ts'
import { findCoupon, type CouponDeps } from '../../coupons/claims.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { Db } from '../../platform/db/tables.ts'
import { widestNetworkOf } from '../../platform/http/limits.ts'
import { invalidField } from '../../platform/http/validate.ts'
import { shareRunning } from '../../platform/process/work-queue.ts'
import { PaymentError } from '../../razorpay/client.ts'
import { ensureProviderOrder, toPaymentOrder } from '../payment/provider-orders.ts'
import { reconcileAndRelease } from '../payment/reconcile.ts'
import { settleFree } from '../payment/settle.ts'
import { setReservedUntil } from '../payment/transitions.ts'
import type { CheckoutDeps } from '../queries.ts'
import { readOrderView } from '../view.ts'
import { type Checkout, hashCheckout, readCheckout, toDestination } from './input.ts'
import { readShopRules, requireOpen, requireSelling, type ShopRules } from './rules.ts'
import { enforcePause, limitOpenings, limitResumes } from './limits.ts'
import { quoteLines } from './cart.ts'
import { createReservedOrder, nextCheck, reserveAtQuote, StaleQuote } from './reservations.ts'
import { createUnitemisedPayment } from './unitemised.ts'

/** Older checkouts are not resumed, because a payment could be created too late. */
const MAX_RESUMED_AGE = RESERVATION_TIME - PAYMENT_TIMEOUT

interface Shopper {
  user: User
  ip: string
}

/** Idempotent by checkoutKey. */
export async function createPaymentOrder(
  deps: CheckoutDeps & CouponDeps,
  shopper: Shopper,
  request: PaymentOrderRequest
): Promise<PaymentOrder> {
  const key = request.checkoutKey ?? randomUUID()
  // Repeated clicks share one opening, so that it counts once.
  const id = JSON.stringify([shopper.user._id, { ...request, checkoutKey: key }])
  return shareRunning(openings, id, () => openPayment(deps, shopper, key, request))
}

const openings = new Map<string, Promise<PaymentOrder>>()

async function openPayment(
  deps: CheckoutDeps & CouponDeps,
  shopper: Shopper,
  key: string,
  { items, amount, checkoutKey: _, ...request }: PaymentOrderRequest
): Promise<PaymentOrder> {
  const { user, ip } = shopper
  const db = deps.database.kysely
  const rules = await readShopRules(deps)
  requireSelling(rules, user)
  if (!items) {
    if (request.coupon !== undefined)
      throw invalidField('coupon', t('A coupon needs the items of the order.'))
    return createUnitemisedPayment(deps, rules, shopper, { ...request, amount })
  }
  const checkout = readCheckout({ ...request, items }, amount, rules.states)
  const checkouts = await listCheckouts(db, user._id, key)
  const existing = checkouts.find(({ checkout_key }) => checkout_key === key)
  if (existing) {
    await limitResumes(deps, user)
    return resumePayment(deps, rules, existing, checkout)
  }
  requireOpen(rules.orders, deps.clock())
  await enforcePause(db, user._id, deps.clock())
  await limitOpenings(deps, user, ip)
  await releaseReservations(deps, checkouts)
  const { order, isNew } = await reserve(deps, rules, shopper, { key, checkout })
  return isNew ? toReply(deps, rules, order, true) : resumePayment(deps, rules, order, checkout)
}

/** The checkout with this key, and all with an open reservation. */
function listCheckouts(db: Db, userId: string, checkoutKey: string): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where(row =>
      // A literal, because with a parameter the database would not use the partial index.
      row.or([
        row('checkout_key', '=', checkoutKey),
        row('payment_state', '=', sql.lit('awaiting'))
      ])
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

async function releaseReservations(deps: CheckoutDeps, reservations: readonly OrderRow[]) {
  // If the provider can't be reached, the reservation stays and counts towards the limit.
  const ignoreUnavailable = (error: unknown) => {
    if (!(error instanceof PaymentError)) throw error
  }
  await Promise.all(
    reservations.map(order => reconcileAndRelease(deps, order, 'replaced').catch(ignoreUnavailable))
  )
}

async function reserve(
  deps: CheckoutDeps & CouponDeps,
  rules: ShopRules,
  { user, ip }: Shopper,
  { key, checkout }: { key: string; checkout: Checkout }
): Promise<{ order: OrderRow; isNew: boolean }> {
  const { items, coupon } = checkout
  const buyer = {
    user_id: user._id,
    checkout_key: key,
    network: user.verified ? null : widestNetworkOf(ip),
    payment_mode: rules.paymentMode,
    provider_order_id: null
  }
  const quoteNow = async () =>
    quoteLines(deps, items, {
      userId: user._id,
      // Without an address, wrong codes count only for this account, not for others in its network.
      couponLookup:
        coupon === undefined
          ? undefined
          : await findCoupon(deps, coupon, { user, includesOwn: false }),
      to: toDestination(checkout),
      rules: rules.delivery
    })
  return reserveAtQuote({ checkout, rules, isPaid: false }, quoteNow, async quote => {
    if (quote.total > 0 && quote.total < MIN_PAYMENT_PAISE) throw new ShopError('AMOUNT_TOO_SMALL')
    const created = await deps.write(
      async trx => {
        const order = await createReservedOrder(trx, buyer, { checkout, isPaid: false }, quote)
        return order?.total === 0 ? settleFree(trx, deps, order, quote.now) : order
      },
      { shows: 'stock' }
    )
    if (created) return { order: created, isNew: true }
    const checkouts = await listCheckouts(deps.database.kysely, user._id, key)
    const order = checkouts.find(({ checkout_key }) => checkout_key === key)
    if (!order) throw new StaleQuote()
    return { order, isNew: false }
  })
}

async function resumePayment(
  deps: CheckoutDeps,
  rules: ShopRules,
  order: OrderRow,
  checkout: Checkout
): Promise<PaymentOrder> {
  if (order.request_hash !== hashCheckout(checkout)) throw new ShopError('CHECKOUT_CHANGED')
  if (order.payment_state === 'paid') return toReply(deps, rules, order)
  const isTooOld = deps.clock() > Date.parse(order.created_at) + MAX_RESUMED_AGE
  if (order.payment_state !== 'awaiting' || order.total !== checkout.amount || isTooOld) {
    throw new ShopError('CHECKOUT_CHANGED')
  }
  return toReply(deps, rules, await extendReservation(deps, order))
}

async function extendReservation(deps: CheckoutDeps, order: OrderRow): Promise<OrderRow> {
  const now = deps.clock()
  // The payment window starts again, with a timeout of its own.
  if (Date.parse(order.reserved_until) >= now + PAYMENT_TIMEOUT) return order
  const reservedUntil = toIso(now + UNATTEMPTED_TIME)
  const next = nextCheck(order.created_at, now, reservedUntil)
  const extended = await deps.write(
    trx => setReservedUntil(trx, order.id, reservedUntil, { next_check_at: next }),
    { shows: 'nothing' }
  )
  if (!extended) throw new ShopError('CHECKOUT_CHANGED')
  return extended
}

async function toReply(
  deps: CheckoutDeps,
  { shopId }: ShopRules,
  order: OrderRow,
  isNew = false
): Promise<PaymentOrder> {
  const { payments, database } = deps
  const { id: orderId, total, reserved_until: holdUntil } = order
  if (order.payment_state === 'paid') {
    const keys = await payments.current()
    const free = toPaymentOrder(keys, { id: null, orderId, total, holdUntil: null })
    return { ...free, order: await readOrderView(deps, order) }
  }
  const id = await ensureProviderOrder(deps, shopId, order, isNew)
  const keys = await payments.of(database.kysely, id)
  return toPaymentOrder(keys, { id, orderId, total, holdUntil })
}
