import { createHash, randomInt, randomUUID } from 'node:crypto'
import type { CartEntry, PaymentOrderRequest } from '#lib/contract/checkout.ts'
import type { CustomerDetails, ShippingAddress } from '#lib/contract/orders.ts'
import { toDeliveryWindow } from '#lib/delivery.ts'
import { type FieldErrors, ShopError } from '#lib/errors.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { fromRupees, type Paise } from '#lib/money.ts'
import { mergeLines, type PricedQuote } from './cart.ts'
import { HOUR, MINUTE, RESERVATION_TIME, toDayInIndia } from '#lib/time.ts'
import { CURRENCY, ORDER_LIMITS } from '#lib/constants.ts'
import type { PricedLine } from '#lib/pricing.ts'
import type { OrderLineRow, OrderRow } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'
import { reachFailpoint } from '../platform/process/failpoints.ts'
import {
  announceStockChange,
  claimDraw,
  lastMovementSeq,
  type OrderableProduct,
  type PackCount,
  reservePacks
} from './stock-queries.ts'
import { countReservations, findLinesOf, insertLine, insertOrder, type OrderDraft } from './order-queries.ts'
import { lockUser } from '../accounts/users.ts'

export interface Checkout {
  items: readonly CartEntry[]
  customer: CustomerDetails
  address: ShippingAddress
  deliveryDate: string | null
  amount: Paise
}

type CheckoutInput = Pick<PaymentOrderRequest, 'customerDetails' | 'shippingAddress' | 'deliveryDate'> & {
  items: readonly CartEntry[]
}

/** `amount` is in rupees, `now` in ms. Throws INVALID_INPUT. */
export function readCheckout(
  { items, customerDetails, shippingAddress, deliveryDate = null }: CheckoutInput,
  amount: number,
  now: number
): Checkout {
  const fields: FieldErrors = {}
  if (!customerDetails) fields['customerDetails'] = MESSAGES.nameRequired
  if (!shippingAddress) fields['shippingAddress'] = CHECKOUT_MESSAGES.streetRequired
  const dateError = deliveryDateError(deliveryDate, now)
  if (dateError) fields['deliveryDate'] = dateError
  if (!customerDetails || !shippingAddress || dateError) throw new ShopError('INVALID_INPUT', { fields })
  return {
    items: mergeLines(items),
    customer: customerDetails,
    address: shippingAddress,
    deliveryDate,
    amount: fromRupees(amount)
  }
}

/** Returns a hash of the checkout, to detect a checkoutKey that is reused with different data. */
export function hashCheckout({ items, customer, address, deliveryDate }: Checkout): string {
  const lines = items.map(({ product, quantity, dealId }) => [product, quantity, dealId ?? null])
  const { name, email, phone } = customer
  const { apartmentOrSuite, street, landmark, city, district, state, pincode, country } = address
  const addressFields = [apartmentOrSuite, street, landmark, city, district, state, pincode, country]
  return createHash('sha256')
    .update(JSON.stringify([lines, name, email, phone, addressFields, deliveryDate]))
    .digest('hex')
    .slice(0, 32)
}

function deliveryDateError(date: string | null, now: number): string | undefined {
  if (date === null) return undefined
  const { earliest, latest } = toDeliveryWindow(now)
  if (date < earliest) return CHECKOUT_MESSAGES.deliveryDateTooEarly
  return date > latest ? CHECKOUT_MESSAGES.deliveryDateInvalid : undefined
}

// The payments of an unpaid order are checked when the order reaches these ages, and then every hour.
const AGES = [2, 5, 10, 15, 30].map(minutes => minutes * MINUTE)

function firstCheck(now: number): string {
  return new Date(now + (AGES[0] ?? 0)).toISOString()
}

/** `createdAt`, `reservedUntil` and the result are ISO, `now` is in ms. */
export function nextCheck(createdAt: string, now: number, reservedUntil: string): string {
  const created = Date.parse(createdAt)
  const next = AGES.find(age => age > now - created)
  const scheduled = next === undefined ? now + HOUR : created + next
  return new Date(Math.min(scheduled, Math.max(Date.parse(reservedUntil), now + MINUTE))).toISOString()
}

// Leaves out 0, 1, I, L, O and U, which look like other characters.
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

export class StaleQuote extends Error {
  override readonly name = 'StaleQuote'
}

export function draftOrder(userId: string, key: string, checkout: Checkout, { total, now }: PricedQuote): OrderDraft {
  const createdAt = new Date(now).toISOString()
  return {
    id: randomUUID(),
    order_no: makeOrderNumber(now),
    user_id: userId,
    checkout_key: key,
    request_hash: hashCheckout(checkout),
    currency: CURRENCY,
    total,
    customer: JSON.stringify(checkout.customer),
    address: JSON.stringify(checkout.address),
    delivery_date: checkout.deliveryDate,
    provider_order_id: null,
    reserved_until: new Date(now + RESERVATION_TIME).toISOString(),
    next_check_at: firstCheck(now),
    created_at: createdAt
  }
}

/** Returns undefined if this checkout already has an order. Throws StaleQuote, TOO_MANY_RESERVATIONS, UNAUTHORIZED. */
export async function reserveStock(
  trx: Trx,
  draft: OrderDraft,
  { lines, products }: PricedQuote,
  maxReservations: number = ORDER_LIMITS.openReservations
): Promise<OrderRow | undefined> {
  const { id, user_id, created_at } = draft
  if (!(await lockUser(trx, user_id))) throw new ShopError('UNAUTHORIZED')
  const order = await insertOrder(trx, draft)
  if (!order) return undefined
  if ((await countReservations(trx, user_id)) > maxReservations) throw new ShopError('TOO_MANY_RESERVATIONS')
  for (const [n, line] of lines.entries()) await insertLine(trx, toLineRow(id, n + 1, line, products.get(line.product)))
  const movement = { order_id: id, seq: 1, reason: 'reserved', moved_at: created_at } as const
  const change = await reservePacks(trx, countPacks(lines), movement)
  if (!change) throw new StaleQuote()
  for (const { dealId, discount } of lines) {
    if (dealId === undefined || discount === undefined) continue
    if (!(await claimDraw(trx, { dealId, percent: discount }, user_id, id, created_at))) throw new StaleQuote()
  }
  await announceStockChange(trx, change)
  reachFailpoint('reserve-precommit')
  return order
}

/** Returns an order number such as P261121-7F3K2M: the day and a random part, which hides the number of orders. */
function makeOrderNumber(now: number): string {
  const day = toDayInIndia(now).slice(2).replaceAll('-', '')
  const letters = Array.from({ length: 6 }, () => ALPHABET[randomInt(ALPHABET.length)])
  return `P${day}-${letters.join('')}`
}

function countPacks(
  lines: readonly PricedLine[]
): { product: string; count: number; listPrice: PricedLine['listPrice'] }[] {
  const packs = new Map<string, { product: string; count: number; listPrice: PricedLine['listPrice'] }>()
  for (const { product, quantity, listPrice } of lines) {
    packs.set(product, { product, listPrice, count: quantity + (packs.get(product)?.count ?? 0) })
  }
  return [...packs.values()]
}

function toLineRow(orderId: string, n: number, line: PricedLine, product: OrderableProduct | undefined): OrderLineRow {
  if (!product) throw new StaleQuote()
  const { discount, dealId } = line
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
    list_price: line.listPrice,
    percent: discount ?? null,
    deal_id: discount === undefined ? null : (dealId ?? null),
    price: line.price,
    total: line.total
  }
}

/**
 * Reserves the stock and discounts of an expired or cancelled order again. If it returns false, the caller must roll
 * back.
 */
export async function reserveAgain(trx: Trx, { id, user_id }: OrderRow, now: number): Promise<boolean> {
  const lines = await findLinesOf(trx, id)
  const movement = {
    order_id: id,
    seq: (await lastMovementSeq(trx, id)) + 1,
    reason: 'revived',
    moved_at: new Date(now).toISOString()
  } as const
  const change = await reservePacks(trx, countPacksOf(lines), movement)
  if (!change) return false
  for (const { deal_id, percent } of lines) {
    if (deal_id === null || percent === null) continue
    if (!(await claimDraw(trx, { dealId: deal_id, percent }, user_id, id))) return false
  }
  await announceStockChange(trx, change)
  return true
}

export function countPacksOf(lines: readonly Pick<OrderLineRow, 'product_id' | 'quantity'>[]): PackCount[] {
  const packs = new Map<string, PackCount>()
  for (const { product_id: product, quantity } of lines) {
    packs.set(product, { product, count: quantity + (packs.get(product)?.count ?? 0) })
  }
  return [...packs.values()]
}
