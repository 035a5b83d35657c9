import { randomInt, randomUUID } from 'node:crypto'
import { CURRENCY, ORDER_LIMITS } from '#lib/constants.ts'
import { ShopError } from '#lib/errors.ts'
import type { PricedLine } from '#lib/pricing.ts'
import { toDayInIndia, RESERVATION_TIME } from '#lib/time.ts'
import type { OrderLineRow, OrderRow } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'
import { reachFailpoint } from '../platform/process/failpoints.ts'
import { claimDraw } from './draw-claims.ts'
import type { OrderableProduct } from './orderable-products.ts'
import { countReservations, insertLine, insertOrder, type OrderDraft } from './order-queries.ts'
import { announceStockChange, reservePacks } from './stock-queries.ts'
import { lockUser } from '../accounts/users.ts'
import { firstCheck } from './check-schedule.ts'
import type { PricedQuote } from './quote-cart.ts'
import { hashCheckout, type Checkout } from './read-checkout.ts'

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
