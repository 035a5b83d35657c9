import { randomUUID } from 'node:crypto'
import type { PricedLine } from '#lib/cart/pricing.ts'
import { CURRENCY } from '#lib/constants.ts'
import { language } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import { toPaise } from '#lib/money.ts'
import {
  type EpochMs,
  HOUR,
  type IsoTime,
  MINUTE,
  toDayInIndia,
  toIso,
  UNATTEMPTED_TIME
} from '#lib/time.ts'
import { lockUser } from '../../accounts/users.ts'
import { claimCoupon, claimCouponAgain, releaseCoupon } from '../../coupons/claims.ts'
import { releasePlace } from '../../delivery/places.ts'
import type { NewOrderLine, OrderRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import { reachFailpoint } from '../../platform/process/failpoints.ts'
import { randomText } from '../../platform/process/secret.ts'
import { endReservation, type ReleaseReason } from '../payment/transitions.ts'
import { findLinesOf } from '../queries.ts'
import { type Checkout, hashCheckout } from './input.ts'
import {
  noDayError,
  readDeliveryOf,
  requireDelivery,
  requireMinimum,
  reserveDay,
  type ShopRules
} from './rules.ts'

import { findStockRefusal, isLimitedToShares } from './limits.ts'
import { type OrderDelivery, type PricedQuote, toQuote } from './cart.ts'
import {
  claimDraws,
  movePacks,
  type OrderableProduct,
  type PackCount,
  releaseDraws
} from './stock.ts'

export class StaleQuote extends Error {
  override readonly name = 'StaleQuote'
}

const QUOTE_ATTEMPTS = 3
// The payments of an unpaid order are checked at these ages, and then every hour.
const CHECK_AGES = [2, 5, 10, 15, 30].map(minutes => minutes * MINUTE)

export function nextCheck(createdAt: IsoTime, now: EpochMs, reservedUntil: IsoTime): IsoTime {
  const created = Date.parse(createdAt)
  const next = CHECK_AGES.find(age => age > now - created)
  const scheduled = next === undefined ? now + HOUR : created + next
  // At the latest when the reservation ends, but not within the next minute.
  return toIso(Math.min(scheduled, Math.max(Date.parse(reservedUntil), now + MINUTE)))
}

interface QuotedCheckout {
  checkout: Checkout
  rules: ShopRules
  /** A paid order may move to a later day, and is not limited. */
  isPaid: boolean
}

type DeliverableQuote = PricedQuote & { delivery: OrderDelivery }

export async function reserveAtQuote<T>(
  { checkout, rules, isPaid }: QuotedCheckout,
  quoteNow: () => Promise<PricedQuote>,
  reserve: (quote: DeliverableQuote) => Promise<T>
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const quote = await quoteNow()
    const delivery = requireDelivery(quote, checkout, isPaid)
    const isCurrent = quote.canOrder && quote.total === checkout.amount
    if (!isCurrent || attempt > QUOTE_ATTEMPTS)
      throw new ShopError('PRICE_CHANGED', { quote: toQuote(quote) })
    requireMinimum(rules, quote.subtotal)
    try {
      return await reserve({ ...quote, delivery })
    } catch (error) {
      if (!(error instanceof StaleQuote)) throw error
    }
  }
}

type Buyer = Pick<
  OrderRow,
  'user_id' | 'checkout_key' | 'network' | 'payment_mode' | 'provider_order_id'
>

export async function createReservedOrder(
  trx: Trx,
  buyer: Buyer,
  { checkout, isPaid }: Pick<QuotedCheckout, 'checkout' | 'isPaid'>,
  quote: DeliverableQuote
): Promise<OrderRow | undefined> {
  const { user_id } = buyer
  if (!(await lockUser(trx, user_id))) throw new ShopError('UNAUTHORIZED')
  const order = await trx
    .insertInto('orders')
    .values(draftOrder(buyer, checkout, quote))
    .onConflict(conflict => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!order) return undefined
  const isLimited = !isPaid && (await isLimitedToShares(trx, user_id))
  const { id, created_at } = order
  const { lines, products, delivery } = quote
  const rows = lines.map((line, index) =>
    toLineRow(id, index + 1, line, products.get(line.product))
  )
  await trx.insertInto('order_lines').values(rows).execute()
  if (!(await claimDraws(trx, order, rows, created_at))) throw new StaleQuote()
  const coupon = appliedCoupon(quote)
  if (coupon && !(await claimCoupon(trx, coupon, id))) throw new StaleQuote()
  const packs = countPacks(rows, products)
  const { order: placed, refusal } = await reserveDay(trx, order, delivery, {
    mayMove: isPaid,
    isLimited
  })
  const movement = { order_id: id, reason: 'reserved', moved_at: created_at } as const
  if (!(await movePacks(trx, packs, movement))) throw new StaleQuote()
  const stockRefusal = isLimited ? await findStockRefusal(trx, order) : undefined
  // Neither a code by email nor another day (`fields`) helps against such a refusal.
  const lasting = [refusal, stockRefusal].find(
    each => each?.code === 'FIRST_ORDER_LIMIT' && !each.fields
  )
  const refused = lasting ?? refusal ?? stockRefusal
  if (refused) throw refused
  if (!placed) throw await noDayError(trx, order, delivery)
  reachFailpoint('reserve-precommit')
  return placed
}

function draftOrder(buyer: Buyer, checkout: Checkout, quote: DeliverableQuote) {
  const {
    total,
    now,
    delivery: { rules, terms }
  } = quote
  const coupon = appliedCoupon(quote)?.coupon
  const createdAt = toIso(now)
  const reservedUntil = toIso(now + UNATTEMPTED_TIME)
  return {
    ...buyer,
    payment_state: 'awaiting' as const,
    id: randomUUID(),
    language: language(),
    // For example P261121-7F3K2M. The random part hides the number of orders.
    order_no: `P${toDayInIndia(now).slice(2).replaceAll('-', '')}-${randomText(6)}`,
    request_hash: hashCheckout(checkout),
    currency: CURRENCY,
    total,
    customer: JSON.stringify(checkout.customer),
    address: JSON.stringify(checkout.address),
    delivery_date: checkout.deliveryDate,
    delivery_fee: terms.fee,
    delivery_method: rules.isSet ? terms.method : null,
    delivery_zone: terms.zone || null,
    kitchen_units: terms.kitchenUnits,
    note: checkout.note,
    event_at: checkout.eventAt,
    gift: checkout.gift ? JSON.stringify(checkout.gift) : '',
    coupon_id: coupon?.id ?? null,
    coupon_code: coupon?.code ?? null,
    reserved_until: reservedUntil,
    next_check_at: nextCheck(createdAt, now, reservedUntil),
    created_at: createdAt
  }
}

function appliedCoupon({ couponLookup, coupon: result }: PricedQuote) {
  return couponLookup && 'coupon' in couponLookup && result && 'discount' in result
    ? couponLookup
    : undefined
}

/** The order may move to a later day. If it returns undefined, the caller must roll back. */
export async function reserveAgain(
  trx: Trx,
  order: OrderRow,
  now: number
): Promise<OrderRow | undefined> {
  const { id } = order
  const lines = await findLinesOf(trx, id)
  if (!(await claimDraws(trx, order, lines)) || !(await claimCouponAgain(trx, id))) return undefined
  const delivery = await readDeliveryOf(trx, order, lines, now)
  if (!delivery) return undefined
  const placing = await reserveDay(trx, order, delivery, { mayMove: true, isLimited: false })
  const movement = { order_id: id, reason: 'revived', moved_at: toIso(now) } as const
  return (await movePacks(trx, countPacks(lines), movement)) ? placing.order : undefined
}

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
  const lines = await listUnrefunded(trx, id)
  await releaseDraws(trx, id)
  await releaseCoupon(trx, id)
  await releasePlace(trx, id)
  await movePacks(trx, countPacks(lines), { order_id: id, reason, moved_at: now })
}

/** Whether refunded packs go back into stock was decided when they were refunded. */
async function listUnrefunded(trx: Trx, id: string) {
  const credits = trx.selectFrom('credit_lines').select(['n', 'quantity'])
  const refunded = await credits.where('order_id', '=', id).where('quantity', '>', 0).execute()
  return (await findLinesOf(trx, id)).map(line => {
    const own = refunded.filter(({ n }) => n === line.n)
    return {
      ...line,
      quantity: own.reduce((left, credit) => left - credit.quantity, line.quantity)
    }
  })
}

export function countPacks(
  lines: readonly NewOrderLine[],
  quoted?: PricedQuote['products']
): PackCount[] {
  const packs = new Map<string, PackCount>()
  for (const { product_id: product, quantity } of lines) {
    const count = quantity + (packs.get(product)?.count ?? 0)
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
  const isDrawn = line.reduction === 'draw'
  return {
    order_id: orderId,
    n,
    product_id: line.product,
    name: product.name,
    local_name: product.local_name,
    category: product.category,
    picture: product.picture ? JSON.stringify(product.picture) : null,
    pack_value: product.pack_value,
    pack_unit: product.pack_unit,
    pack_type: product.pack_type,
    quantity: line.quantity,
    list_price: line.listPrice,
    percent: isDrawn ? (line.discount ?? null) : null,
    deal_id: isDrawn ? (line.dealId ?? null) : null,
    price: line.price,
    coupon_discount: line.couponDiscount ?? toPaise(0),
    total: line.total
  }
}
