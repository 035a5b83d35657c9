import type { CartEntry, Quote, QuotedLine } from '#lib/contract/cart.ts'
import { MAX_CART_QUANTITY } from '#lib/constants.ts'
import { toRupees } from '#lib/money.ts'
import { priceCart, type PricedCart, type PricedLine } from '#lib/pricing.ts'
import { toStockLevel } from '#lib/stock.ts'
import { fallbackFile } from '../catalog/queries.ts'
import {
  findDrawnDiscounts,
  findOrderableProducts,
  findReservedPacks,
  type OrderableProduct
} from './orderable-products.ts'
import type { CheckoutDeps } from './deps.ts'

export interface PricedQuote extends PricedCart {
  products: ReadonlyMap<string, OrderableProduct>
  now: number
}

type QuoteDeps = Pick<CheckoutDeps, 'database' | 'clock'>

/** Treats stock and discounts as available if the shopper's own unpaid order has reserved them. */
export async function quoteCart(
  deps: QuoteDeps,
  lines: readonly CartEntry[],
  userId: string | undefined
): Promise<Quote> {
  return toQuote(await quoteLines(deps, mergeLines(lines), userId, 'with own reservations'))
}

export function mergeLines(lines: readonly CartEntry[]): CartEntry[] {
  const byLine = new Map<string, CartEntry>()
  for (const line of lines) {
    const key = JSON.stringify([line.product, line.dealId])
    const existing = byLine.get(key)
    // The quantities of duplicate lines are added, except if the lines have a drawn discount. Such a discount is valid
    // for only one pack.
    const quantity = existing && line.dealId === undefined ? existing.quantity + line.quantity : line.quantity
    byLine.set(key, { ...line, quantity })
  }
  return [...byLine.values()]
}

export async function quoteLines(
  { database, clock }: QuoteDeps,
  lines: readonly CartEntry[],
  userId: string | undefined,
  stock: 'exact' | 'with own reservations'
): Promise<PricedQuote> {
  const now = clock()
  const db = database.kysely
  const includesOwn = stock === 'with own reservations' && userId !== undefined
  const dealIds = userId === undefined ? [] : lines.flatMap(({ dealId }) => dealId ?? [])
  const [products, drawn, reserved] = await Promise.all([
    findOrderableProducts(db, [...new Set(lines.map(({ product }) => product))]),
    findDrawnDiscounts(db, userId ?? '', dealIds, new Date(now).toISOString()),
    includesOwn ? findReservedPacks(db, userId) : new Map<string, number>()
  ])
  for (const [id, packs] of reserved) {
    const product = products.get(id)
    if (product) products.set(id, { ...product, stock: product.stock + packs })
  }
  if (includesOwn) {
    for (const [id, draw] of drawn)
      if (draw.isClaimedByOwnOrder && draw.state === 'used') drawn.set(id, { ...draw, state: 'usable' })
  }
  return { ...priceCart(lines, products, drawn), products, now }
}

export function toQuote({ lines, total, canOrder, products, now }: PricedQuote): Quote {
  return {
    lines: lines.map(line => toLine(line, products.get(line.product))),
    total: toRupees(total),
    canOrder,
    serverTime: new Date(now).toISOString()
  }
}

function toLine(line: PricedLine, found: OrderableProduct | undefined): QuotedLine {
  const { product, dealId, quantity, discount, problem } = line
  const stock = found?.stock ?? 0
  return {
    product,
    ...(dealId !== undefined && { dealId }),
    name: found?.name ?? '',
    image: found?.picture ? fallbackFile(found.picture) : '',
    ...(found?.picture && { picture: found.picture }),
    ...(found && { packSize: { value: found.pack_value, unit: found.pack_unit, type: found.pack_type } }),
    quantity,
    listPrice: toRupees(line.listPrice),
    price: toRupees(line.price),
    ...(discount !== undefined && { discount }),
    total: toRupees(line.total),
    stock: toStockLevel(stock),
    most: Math.min(stock, MAX_CART_QUANTITY),
    ...(problem && { problem })
  }
}
