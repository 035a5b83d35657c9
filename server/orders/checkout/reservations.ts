import { randomUUID } from 'node:crypto'
import type { PricedLine } from '#lib/cart/pricing.ts'
import { CURRENCY, ORDER_LIMITS } from '#lib/constants.ts'
import { ShopError } from '#lib/errors.ts'
import { toPaise } from '#lib/money.ts'
import {
  HOUR,
  MINUTE,
  toDayInIndia,
  UNATTEMPTED_TIME,
  type EpochMs,
  type IsoTime
} from '#lib/time.ts'
import { lockUser } from '../../accounts/users.ts'
import {
  claimCoupon,
  claimCouponAgain,
  releaseCoupon,
  type UsableCoupon
} from '../../coupons/claims.ts'
import { releasePlace } from '../../delivery/places.ts'
import type { NewOrderLine, OrderRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import { reachFailpoint } from '../../platform/process/failpoints.ts'
import { randomText } from '../../platform/process/secret.ts'
import { toIso } from '../../platform/process/clock.ts'
import type { Payments } from '../../razorpay/client.ts'
import { usesTestMode } from '../../razorpay/config.ts'
import type { DeliverableQuote, OrderDelivery, PricedQuote } from './quote.ts'
import { countReservations, findLinesOf, insertOrder, type OrderDraft } from '../queries.ts'
import { hashCheckout, type Checkout } from './input.ts'
import { noDayError, readDeliveryOf, reserveDay } from './delivery.ts'
import { findStockRefusal, hasDeliveredOrder } from './shares.ts'
import {
  claimDraws,
  lastMovementSeq,
  type OrderableProduct,
  type PackCount,
  releaseDraws,
  releasePacks,
  reservePacks,
  seemInStock,
  type StockMovement
} from './stock.ts'
import { endReservation, type ReleaseReason } from '../payment/transitions.ts'

/** A checkout fails if prices, stock or discounts have changed after so many quotes. */
export const QUOTE_ATTEMPTS = 3

/**
 * Thrown if prices, stock, discounts or the coupon have changed since the quote. The caller quotes
 * again.
 */
export class StaleQuote extends Error {
  override readonly name = 'StaleQuote'
}

// The payments of an unpaid order are checked when the order reaches these ages, and then every
// hour.
const CHECK_AGES = [2, 5, 10, 15, 30].map(minutes => minutes * MINUTE)

export function nextCheck(createdAt: IsoTime, now: EpochMs, reservedUntil: IsoTime): IsoTime {
  const created = Date.parse(createdAt)
  const next = CHECK_AGES.find(age => age > now - created)
  const scheduled = next === undefined ? now + HOUR : created + next
  // At the latest when the reservation ends, but not within the next minute.
  return new Date(
    Math.min(scheduled, Math.max(Date.parse(reservedUntil), now + MINUTE))
  ).toISOString()
}

export function draftOrder(
  { settings }: Pick<Payments, 'settings'>,
  { userId, key, network }: { userId: string; key: string; network: string | null },
  checkout: Checkout,
  quote: DeliverableQuote
): OrderDraft {
  const { total, now, delivery } = quote
  const coupon = appliedCoupon(quote)?.coupon
  const createdAt = toIso(now)
  const reservedUntil = toIso(now + UNATTEMPTED_TIME)
  return {
    id: randomUUID(),
    order_no: makeOrderNumber(now),
    user_id: userId,
    network,
    checkout_key: key,
    request_hash: hashCheckout(checkout),
    currency: CURRENCY,
    total,
    customer: JSON.stringify(checkout.customer),
    address: JSON.stringify(checkout.address),
    delivery_date: checkout.deliveryDate,
    delivery_fee: delivery.terms.fee,
    delivery_method: delivery.rules.isSet ? delivery.terms.method : null,
    delivery_zone: delivery.terms.zone || null,
    kitchen_units: delivery.terms.kitchenUnits,
    note: checkout.note,
    event_at: checkout.eventAt,
    coupon_id: coupon?.id ?? null,
    coupon_code: coupon?.code ?? null,
    provider_order_id: null,
    payment_mode: usesTestMode(settings) ? 'test' : 'live',
    reserved_until: reservedUntil,
    next_check_at: nextCheck(createdAt, now, reservedUntil),
    created_at: createdAt
  }
}

function appliedCoupon({ couponLookup, coupon: result }: PricedQuote): UsableCoupon | undefined {
  return couponLookup && 'coupon' in couponLookup && result && 'discount' in result
    ? couponLookup
    : undefined
}

/**
 * Creates the order and its lines, and reserves its stock, discounts and a place on the day.
 * `enforceLimits` is given if the order is not paid yet. A paid order may move to a later day.
 * Returns undefined if this checkout already has an order. Throws StaleQuote,
 * TOO_MANY_RESERVATIONS, FIRST_ORDER_LIMIT, VERIFICATION_REQUIRED, UNAUTHORIZED, DAY_CLOSED,
 * DAY_FULL.
 */
export async function createReservedOrder(
  trx: Trx,
  draft: OrderDraft,
  { delivery, ...quote }: DeliverableQuote,
  enforceLimits?: () => Promise<void>
): Promise<OrderRow | undefined> {
  const { lines, products } = quote
  const coupon = appliedCoupon(quote)
  const { id, user_id, created_at } = draft
  if (!(await lockUser(trx, user_id))) throw new ShopError('UNAUTHORIZED')
  const order = await insertOrder(trx, draft)
  if (!order) return undefined
  const rows = lines.map((line, index) =>
    toLineRow(id, index + 1, line, products.get(line.product))
  )
  const packs = countPacks(rows, products)
  if (enforceLimits) {
    const [open, isInStock] = await Promise.all([
      countReservations(trx, user_id),
      seemInStock(trx, packs)
    ])
    if (open > ORDER_LIMITS.openReservations) throw new ShopError('TOO_MANY_RESERVATIONS')
    if (!isInStock) throw new StaleQuote()
  }
  await trx.insertInto('order_lines').values(rows).execute()
  await enforceLimits?.()
  const movement = { order_id: id, seq: 1, reason: 'reserved', moved_at: created_at } as const
  if (!(await claimDraws(trx, order, rows, created_at))) throw new StaleQuote()
  if (coupon && !(await claimCoupon(trx, coupon, id))) throw new StaleQuote()
  const { isReserved, placed, refusal } = await reserveStockAndDay(trx, order, delivery, {
    packs,
    movement,
    mayMove: !enforceLimits,
    isLimited: enforceLimits !== undefined && !(await hasDeliveredOrder(trx, user_id))
  })
  if (!isReserved) throw new StaleQuote()
  if (refusal) throw refusal
  if (!placed) throw await noDayError(trx, order, delivery)
  reachFailpoint('reserve-precommit')
  return placed
}

/**
 * An expired or cancelled order may move to a later day. If it returns undefined, the caller must
 * roll back.
 */
export async function reserveAgain(
  trx: Trx,
  order: OrderRow,
  now: number
): Promise<OrderRow | undefined> {
  const { id } = order
  const lines = await findLinesOf(trx, id)
  const seq = (await lastMovementSeq(trx, id)) + 1
  const movement = { order_id: id, seq, reason: 'revived', moved_at: toIso(now) } as const
  if (!(await claimDraws(trx, order, lines)) || !(await claimCouponAgain(trx, id))) return undefined
  const delivery = await readDeliveryOf(trx, order, lines, now)
  if (!delivery) return undefined
  const plan = { packs: countPacks(lines), movement, mayMove: true, isLimited: false }
  const { isReserved, placed } = await reserveStockAndDay(trx, order, delivery, plan)
  return isReserved ? placed : undefined
}

interface ReservationPlan {
  packs: readonly PackCount[]
  movement: StockMovement
  mayMove: boolean
  isLimited: boolean
}

/**
 * Changes, and so locks, the rows for which most buyers wait: the day, the products, and the
 * counter of stock changes. All reservations lock them in this order.
 */
async function reserveStockAndDay(
  trx: Trx,
  order: OrderRow,
  delivery: OrderDelivery,
  { packs, movement, mayMove, isLimited }: ReservationPlan
): Promise<{ isReserved: boolean; placed: OrderRow | undefined; refusal: ShopError | undefined }> {
  const placing = reserveDay(trx, order, delivery, { mayMove, isLimited })
  // Statements run in the order in which they are sent, and `reserveDay` sends its first one before
  // it awaits anything. If the first day is full, the next ones must be locked before the products
  // too, or buyers could deadlock.
  if (mayMove || order.delivery_date === null) await placing
  const [{ order: placed, refusal }, isReserved, stockRefusal] = await Promise.all([
    placing,
    reservePacks(trx, packs, movement),
    isLimited ? findStockRefusal(trx, order) : undefined
  ])
  // Neither a code by email nor another day (`fields`) helps against such a refusal.
  const lasting = [refusal, stockRefusal].find(
    each => each?.code === 'FIRST_ORDER_LIMIT' && !each.fields
  )
  return { isReserved, placed, refusal: lasting ?? refusal ?? stockRefusal }
}

/** Ends the reservation of an unpaid order. Returns false if the order is no longer unpaid. */
export async function releaseUnpaid(
  trx: Trx,
  id: string,
  reason: ReleaseReason,
  now: IsoTime
): Promise<boolean> {
  if (!(await endReservation(trx, id, reason, now))) return false
  await releaseReserved(trx, id, reason, now)
  reachFailpoint('release-precommit')
  return true
}

export async function releaseReserved(
  trx: Trx,
  id: string,
  reason: ReleaseReason,
  now: IsoTime
): Promise<void> {
  const lines = await findLinesOf(trx, id)
  const movement = {
    order_id: id,
    seq: (await lastMovementSeq(trx, id)) + 1,
    reason,
    moved_at: now
  }
  await releaseDraws(trx, id)
  await releaseCoupon(trx, id)
  await releasePlace(trx, id)
  await releasePacks(trx, countPacks(lines), movement)
}

export function countPacks(
  lines: readonly NewOrderLine[],
  quoted?: PricedQuote['products']
): PackCount[] {
  const packs = new Map<string, PackCount>()
  for (const { product_id: product, quantity, removed } of lines) {
    const count = quantity - removed + (packs.get(product)?.count ?? 0)
    const prices = quoted?.get(product)
    packs.set(product, { product, count, ...(prices && { prices }) })
  }
  return [...packs.values()]
}

function toLineRow(
  orderId: string,
  n: number,
  line: PricedLine,
  product: OrderableProduct | undefined
): NewOrderLine {
  if (!product) throw new StaleQuote()
  const { discount, dealId } = line
  const isDrawn = line.reduction === 'draw'
  return {
    order_id: orderId,
    n,
    product_id: line.product,
    name: product.name,
    category: product.category,
    picture: product.picture ? JSON.stringify(product.picture) : null,
    pack_value: product.pack_value,
    pack_unit: product.pack_unit,
    pack_type: product.pack_type,
    quantity: line.quantity,
    removed: 0,
    list_price: line.listPrice,
    percent: isDrawn ? (discount ?? null) : null,
    deal_id: isDrawn ? (dealId ?? null) : null,
    price: line.price,
    coupon_discount: line.couponDiscount ?? toPaise(0),
    total: line.total
  }
}

/**
 * Returns an order number such as P261121-7F3K2M: the day and a random part, which hides the number
 * of orders.
 */
function makeOrderNumber(now: number): string {
  return `P${toDayInIndia(now).slice(2).replaceAll('-', '')}-${randomText(6)}`
}
