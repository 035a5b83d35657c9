import { sql, type Compilable, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { DrawnDiscount } from '#lib/cart/pricing.ts'
import type { Picture } from '#lib/contract/values.ts'
import { toStockLevel } from '#lib/product.ts'
import type { IsoTime } from '#lib/time.ts'
import { FACT_COLUMNS, type FactRow } from '../../delivery/rules.ts'
import { showStockLevel } from '../../catalog/stock-levels.ts'
import { raiseCounter } from '../../platform/db/counters.ts'
import type { NewOrderLine, OrderRow, StockMovementRow } from '../../platform/db/order-tables.ts'
import { prepared, type Prepared } from '../../platform/db/prepared.ts'
import type { ProductRow, SaleColumns } from '../../platform/db/catalog-tables.ts'
import type { Db, Tables, Trx } from '../../platform/db/tables.ts'

export type OrderableProduct = Pick<
  ProductRow & SaleColumns,
  'id' | 'name' | 'stock' | 'category' | 'pack_value' | 'pack_unit' | 'pack_type' | keyof Prices
> &
  FactRow & { picture: Picture | undefined }

/** A new order is placed only if these columns are still the same as in its quote. */
type Prices = Pick<ProductRow, 'price'> & SaleColumns

export async function findOrderableProducts(
  db: Db,
  ids: readonly string[]
): Promise<Map<string, OrderableProduct>> {
  if (ids.length === 0) return new Map()
  const query = orderableQueries.get(ids.length) ?? prepared(orderableQuery)
  orderableQueries.set(ids.length, query)
  const { rows } = await query(db, ids)
  return new Map(
    rows.map(({ key, width, height, alt, color, ...product }) => {
      const picture =
        key === null || width === null || height === null || alt === null || color === null
          ? undefined
          : { key, width, height, alt, color }
      return [product.id, { ...product, picture }]
    })
  )
}

type FoundRow = Omit<OrderableProduct, 'picture'> & {
  [Part in keyof Picture]: Picture[Part] | null
}

/** By the number of products, because a prepared statement has a fixed number of placeholders. */
const orderableQueries = new Map<number, Prepared<readonly string[], FoundRow>>()

function orderableQuery(db: Db, ids: readonly string[]): Compilable<FoundRow> {
  return db
    .selectFrom('products')
    .leftJoin('product_pictures', join =>
      join.onRef('product_id', '=', 'products.id').on('position', '=', 0)
    )
    .leftJoin('pictures', 'pictures.key', 'product_pictures.picture_key')
    .select(FACT_COLUMNS)
    .select(['price', 'stock', 'pack_value', 'pack_unit', 'pack_type'])
    .select(['sale_price', 'sale_from', 'sale_until'])
    .select(['key', 'width', 'height', 'alt', 'color'])
    .where('products.id', 'in', ids)
    .where('hidden_at', 'is', null)
}

/** `isClaimedByOwnOrder` is true if the shopper's own unpaid order uses the discount. */
export async function findDrawnDiscounts(
  db: Db,
  userId: string,
  dealIds: readonly string[],
  now: IsoTime
): Promise<Map<string, DrawnDiscount & { isClaimedByOwnOrder: boolean }>> {
  if (dealIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('draws')
    .innerJoin('deals', 'deals.id', 'draws.deal_id')
    .leftJoin('orders', 'orders.id', 'draws.order_id')
    .select([
      'deal_id',
      'product_id',
      'draws.percent',
      'draws.order_id',
      'payment_state',
      'starts_at',
      'ends_at'
    ])
    .select('orders.user_id as order_user_id')
    .where('draws.user_id', '=', userId)
    .where('deal_id', 'in', dealIds)
    .execute()
  return new Map(
    rows.map(row => {
      const isRunning = row.starts_at <= now && row.ends_at > now
      const state = !isRunning ? 'ended' : row.order_id === null ? 'usable' : 'used'
      const isClaimedByOwnOrder = row.payment_state === 'awaiting' && row.order_user_id === userId
      return [
        row.deal_id,
        { product: row.product_id, percent: row.percent, state, isClaimedByOwnOrder }
      ]
    })
  )
}

export async function findReservedPacks(db: Db, userId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('orders')
    .innerJoin('order_lines', 'order_lines.order_id', 'orders.id')
    .select(({ fn }) => ['product_id', fn.sum<number>('quantity').as('packs')])
    .where('user_id', '=', userId)
    // The value is a literal, because with a parameter the database would not use the partial
    // index.
    .where('payment_state', '=', sql.lit('awaiting'))
    .groupBy('product_id')
    .execute()
  return new Map(rows.map(({ product_id, packs }) => [product_id, Number(packs)]))
}

/** If `now` is given, the deals must be running. An order that is paid late keeps its discounts. */
export async function claimDraws(
  trx: Trx,
  { id, user_id }: OrderRow,
  lines: readonly NewOrderLine[],
  now?: IsoTime
): Promise<boolean> {
  for (const { deal_id, percent } of lines) {
    if (deal_id === null || percent === null) continue
    if (!(await claimDraw(trx, { dealId: deal_id, percent }, user_id, id, now))) return false
  }
  return true
}

async function claimDraw(
  trx: Trx,
  { dealId, percent }: { dealId: string; percent: number },
  userId: string,
  orderId: string,
  now?: IsoTime
): Promise<boolean> {
  const query = trx
    .updateTable('draws')
    .set({ order_id: orderId })
    .where('deal_id', '=', dealId)
    .where('user_id', '=', userId)
    .where('percent', '=', percent)
    .where('order_id', 'is', null)
  const running =
    now === undefined
      ? query
      : query.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('deals')
              .select('deals.id')
              .where('deals.id', '=', dealId)
              .where('starts_at', '<=', now)
              .where('ends_at', '>', now)
          )
        )
  const { numUpdatedRows } = await running.executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function releaseDraws(trx: Trx, orderId: string): Promise<void> {
  await trx.updateTable('draws').set({ order_id: null }).where('order_id', '=', orderId).execute()
}

/**
 * If `prices` are given, packs are reserved only if the product is not hidden and still has these
 * prices.
 */
export interface PackCount {
  product: string
  count: number
  prices?: Prices
}

/**
 * Checks without a lock, so that checkouts of sold-out packs end before they make other buyers
 * wait.
 */
export async function seemInStock(trx: Trx, packs: readonly PackCount[]): Promise<boolean> {
  const ids = packs.map(({ product }) => product)
  const products = await findOrderableProducts(trx, ids)
  return packs.every(({ product, count }) => (products.get(product)?.stock ?? 0) >= count)
}

export type StockMovement = Pick<StockMovementRow, 'order_id' | 'seq' | 'reason' | 'moved_at'>

/**
 * Locks the products until the commit. Returns false if packs are missing. The caller must then
 * roll back.
 */
export async function reservePacks(
  trx: Trx,
  packs: readonly PackCount[],
  movement: StockMovement
): Promise<boolean> {
  const sorted = sortedById(packs)
  // An order without `prices` is already paid. It gets its packs even if a product is hidden or
  // costs more now.
  const taken = sorted.map(({ product, count, prices }) =>
    prices
      ? takeAtPricesQuery(trx, { product, count, ...prices })
      : takeQuery(trx, { product, count })
  )
  const [results] = await Promise.all([
    Promise.all(taken),
    raiseCounter(trx, 'stock'),
    insertMovements(trx, packs, movement, -1)
  ])
  const changes: StockChange[] = []
  for (const [index, { product, count }] of sorted.entries()) {
    const row = results[index]?.rows[0]
    if (!row) return false
    changes.push({ product, before: row.stock + count, after: row.stock })
  }
  await showStockLevels(trx, changes, movement)
  return true
}

interface Taken {
  product: string
  count: number
}

const takeQuery = prepared<Taken, { stock: number }>(takePacks)
const takeAtPricesQuery = prepared<Taken & Prices, { stock: number }>((db, taken) =>
  takePacks(db, taken).where(row => isAtPrices(row, taken))
)

function takePacks(db: Db, { product, count }: Taken) {
  return db
    .updateTable('products')
    .set(row => ({ stock: row('stock', '-', count) }))
    .where('id', '=', product)
    .where('stock', '>=', count)
    .returning('stock')
}

function isAtPrices(
  row: ExpressionBuilder<Tables, 'products'>,
  { price, sale_price, sale_from, sale_until }: Prices
): Expression<SqlBool> {
  return row.and([
    row('price', '=', price),
    row('sale_price', 'is not distinct from', sale_price),
    row('sale_from', 'is not distinct from', sale_from),
    row('sale_until', 'is not distinct from', sale_until),
    row('hidden_at', 'is', null)
  ])
}

export async function releasePacks(
  trx: Trx,
  packs: readonly PackCount[],
  movement: StockMovement
): Promise<void> {
  await insertMovements(trx, packs, movement, 1)
  const changes: StockChange[] = []
  for (const { product, count } of sortedById(packs)) {
    const updated = await trx
      .updateTable('products')
      .set(row => ({ stock: row('stock', '+', count) }))
      .where('id', '=', product)
      .returning('stock')
      .executeTakeFirst()
    if (updated) changes.push({ product, before: updated.stock - count, after: updated.stock })
  }
  await raiseCounter(trx, 'stock')
  await showStockLevels(trx, changes, movement)
}

export async function lastMovementSeq(trx: Trx, orderId: string): Promise<number> {
  const { last } = await trx
    .selectFrom('stock_movements')
    .select(({ fn }) => fn.max('seq').as('last'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return last ?? 0
}

async function insertMovements(
  trx: Trx,
  packs: readonly PackCount[],
  movement: StockMovement,
  sign: 1 | -1
): Promise<void> {
  const rows = packs.map(({ product, count }) => ({
    ...movement,
    product_id: product,
    delta: sign * count
  }))
  await trx.insertInto('stock_movements').values(rows).execute()
}

// Products are sorted by id, so that concurrent sales can't deadlock.
function sortedById(packs: readonly PackCount[]): PackCount[] {
  return packs.toSorted((a, b) => (a.product < b.product ? -1 : 1))
}

interface StockChange {
  product: string
  before: number
  after: number
}

/**
 * Publishes (counter `catalog`) only if a stock level changes. The counter `stock` only renews the
 * API's replies.
 */
async function showStockLevels(
  trx: Trx,
  changes: readonly StockChange[],
  { moved_at }: StockMovement
): Promise<void> {
  let isVisible = false
  for (const { product, before, after } of changes) {
    const level = toStockLevel(after)
    if (level !== toStockLevel(before) && (await showStockLevel(trx, product, level, moved_at)))
      isVisible = true
  }
  if (isVisible) await raiseCounter(trx, 'catalog')
}
