import type {
  CartChange,
  CartEntry,
  ServerCart,
  Quote,
  QuotedCoupon,
  QuotedLine,
  QuoteRequest
} from '#lib/contract/checkout.ts'
import { ShopError } from '#lib/errors.ts'
import type { CartRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import type { DataDeps } from '../../platform/db/write.ts'
import { isoNow, toIso } from '#lib/time.ts'
import {
  priceCart,
  type PricedCart,
  type PricedLine,
  type PricedProduct
} from '#lib/cart/pricing.ts'
import { MAX_CART_QUANTITY } from '#lib/constants.ts'
import type { User } from '#lib/contract/accounts.ts'
import { findTerms, type DeliveryOrder, type DeliveryTerms, hasFees } from '#lib/delivery/terms.ts'
import { toFallbackFile } from '#lib/images.ts'
import { toPaise, toRupees } from '#lib/money.ts'
import { toStockLevel } from '#lib/product.ts'
import { findSalePrice } from '../../catalog/read-products.ts'
import {
  findCoupon,
  toPricedCoupon,
  type CouponDeps,
  type CouponLookup
} from '../../coupons/claims.ts'
import {
  readDeliveryRules,
  toProductFacts,
  withFacts,
  type StoredRules
} from '../../delivery/rules.ts'
import {
  findDrawnDiscounts,
  findOrderableProducts,
  findReservedPacks,
  type OrderableProduct
} from './stock.ts'

export async function readCart(
  { database }: Pick<DataDeps, 'database'>,
  userId: string
): Promise<ServerCart> {
  const carts = database.kysely.selectFrom('carts').selectAll()
  const row = await carts.where('user_id', '=', userId).executeTakeFirst()
  return toCart(row)
}

export async function changeCart(
  deps: DataDeps,
  userId: string,
  { lines, version }: CartChange
): Promise<ServerCart> {
  const merged = mergeByLine(lines, (a, b) => Math.max(a, b))
  const row = await saveCart(deps, userId, merged, version)
  if (!row) throw new ShopError('CART_CHANGED')
  return toCart(row)
}

export async function clearCart(deps: DataDeps, userId: string): Promise<ServerCart> {
  return toCart(await saveCart(deps, userId, []))
}

function saveCart(
  { write, clock }: DataDeps,
  userId: string,
  lines: readonly CartEntry[],
  version?: number
): Promise<CartRow | undefined> {
  const changes = { lines: JSON.stringify(lines), updated_at: isoNow(clock) }
  return write(
    trx =>
      trx
        .insertInto('carts')
        .values({ ...changes, user_id: userId, version: 1 })
        .onConflict(conflict => {
          const update = conflict
            .column('user_id')
            .doUpdateSet(cart => ({ ...changes, version: cart('carts.version', '+', 1) }))
          return version === undefined ? update : update.where('carts.version', '=', version)
        })
        .returningAll()
        .executeTakeFirst(),
    { shows: 'nothing' }
  )
}

function toCart(row: CartRow | undefined): ServerCart {
  if (!row) return { lines: [], version: 0 }
  return { lines: JSON.parse(row.lines) as CartEntry[], version: row.version }
}

export async function deleteCart(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('carts').where('user_id', '=', userId).execute()
}

/** A drawn discount is valid for only one pack, so its lines are not added up. */
export function mergeLines(lines: readonly CartEntry[]): CartEntry[] {
  return mergeByLine(lines, (a, b, { dealId }) => (dealId === undefined ? a + b : b))
}

function mergeByLine(
  lines: readonly CartEntry[],
  merge: (earlier: number, later: number, line: CartEntry) => number
): CartEntry[] {
  const byLine = new Map<string, CartEntry>()
  for (const line of lines) {
    const key = JSON.stringify([line.product, line.dealId])
    const earlier = byLine.get(key)
    const quantity = earlier ? merge(earlier.quantity, line.quantity, line) : line.quantity
    byLine.set(key, { ...line, quantity })
  }
  return [...byLine.values()]
}

export interface OrderDelivery {
  rules: StoredRules
  terms: DeliveryTerms
}

export interface PricedQuote extends PricedCart {
  delivery?: OrderDelivery | undefined
  couponLookup?: CouponLookup | undefined
  products: ReadonlyMap<string, OrderableProduct & PricedProduct>
  now: number
}

interface QuoteTerms {
  userId: string | undefined
  /** True if what the shopper's own unpaid order has reserved counts as available. */
  includesOwn?: boolean
  /** Time (ISO) at which a sale must run. If omitted, now. */
  saleAt?: string | undefined
  couponLookup?: CouponLookup | undefined
  to?: DeliveryOrder['to'] | undefined
  rules?: StoredRules | undefined
}

type QuoteDeps = Pick<DataDeps, 'database' | 'clock'>

export async function quoteCart(
  deps: QuoteDeps & CouponDeps,
  { lines, coupon, pincode, pickup }: QuoteRequest,
  { user, ip }: { user: User | undefined; ip: string }
): Promise<Quote> {
  const shopper = { user, ip, includesOwn: true }
  const place = pincode === undefined ? undefined : { pincode }
  const to = pickup ? 'pickup' : place
  const quote = await quoteLines(deps, mergeLines(lines), {
    userId: user?._id,
    includesOwn: true,
    couponLookup: coupon === undefined ? undefined : await findCoupon(deps, coupon, shopper),
    to,
    rules: to && (await readDeliveryRules(deps.database.kysely))
  })
  return toQuote(quote)
}

export async function quoteLines(
  { database: { kysely: db }, clock }: QuoteDeps,
  lines: readonly CartEntry[],
  { userId, includesOwn = false, saleAt, couponLookup, to, rules }: QuoteTerms
): Promise<PricedQuote> {
  const now = clock()
  const nowIso = toIso(now)
  const found = await findOrderableProducts(db, [...new Set(lines.map(({ product }) => product))])
  const dealIds = userId === undefined ? [] : lines.flatMap(({ dealId }) => dealId ?? [])
  const drawn = await findDrawnDiscounts(db, userId ?? '', dealIds, { now: nowIso, includesOwn })
  const reserved = includesOwn ? await findReservedPacks(db, userId) : undefined
  const products = new Map(
    found.map(product => {
      const salePrice = findSalePrice(product, saleAt ?? nowIso)
      const stock = product.stock + (reserved?.get(product.id) ?? 0)
      return [product.id, { ...product, salePrice, stock }]
    })
  )
  const coupon =
    couponLookup && 'coupon' in couponLookup
      ? toPricedCoupon(couponLookup.coupon, found)
      : undefined
  const cart = priceCart(lines, products, drawn, coupon)
  const facts = new Map(found.map(product => [product.id, toProductFacts(product)]))
  const terms =
    to && rules && findTerms(rules, { items: withFacts(lines, facts), goods: cart.total, to, now })
  const total = toPaise(cart.total + (terms?.fee ?? 0))
  const delivery = rules && terms && { rules, terms }
  return { ...cart, total, delivery, products, now, couponLookup }
}

export function toQuote(quote: PricedQuote): Quote {
  const { lines, total, canOrder, delivery, products, now, couponLookup } = quote
  return {
    lines: lines.map(line => toLine(line, products.get(line.product))),
    ...(couponLookup && { coupon: toQuotedCoupon(couponLookup, quote) }),
    ...(delivery &&
      hasFees(delivery.rules.delivery) && { deliveryFee: toRupees(delivery.terms.fee) }),
    total: toRupees(total),
    canOrder,
    serverTime: toIso(now)
  }
}

function toQuotedCoupon(
  lookup: CouponLookup,
  { coupon: result, products }: PricedQuote
): QuotedCoupon {
  const { code } = lookup
  if ('problem' in lookup) return { code, discount: 0, problem: lookup.problem }
  const { minimum, ...coupon } = toPricedCoupon(lookup.coupon, products.values())
  const value = 'amount' in coupon ? { ...coupon, amount: toRupees(coupon.amount) } : coupon
  const terms = { ...value, minimum: toRupees(minimum), products: [...coupon.products] }
  if (!result) return { code, discount: 0, terms }
  if ('problem' in result) return { code, discount: 0, problem: result.problem, terms }
  return { code, discount: toRupees(result.discount), terms }
}

function toLine(
  line: PricedLine,
  found: (OrderableProduct & PricedProduct) | undefined
): QuotedLine {
  const { product, dealId, quantity, reduction, discount, couponDiscount, problem } = line
  const stock = found?.stock ?? 0
  return {
    product,
    ...(dealId !== undefined && { dealId }),
    name: found?.local_name ?? '',
    image: found?.picture ? toFallbackFile(found.picture) : '',
    ...(found?.picture && { picture: found.picture }),
    ...(found && {
      packSize: { value: found.pack_value, unit: found.pack_unit, type: found.pack_type }
    }),
    quantity,
    listPrice: toRupees(line.listPrice),
    ...(found?.salePrice !== undefined && { salePrice: toRupees(found.salePrice) }),
    price: toRupees(line.price),
    ...(reduction && { reduction }),
    ...(discount !== undefined && { discount }),
    ...(couponDiscount !== undefined && { couponDiscount: toRupees(couponDiscount) }),
    total: toRupees(line.total),
    stock: toStockLevel(stock),
    most: Math.min(stock, MAX_CART_QUANTITY),
    ...(problem && { problem })
  }
}
