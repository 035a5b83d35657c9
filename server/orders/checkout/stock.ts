import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { DrawnDiscount } from '#lib/cart/pricing.ts'
import type { Picture } from '#lib/contract/values.ts'
import { t } from '#lib/contract/texts.ts'
import { paths } from '#lib/paths.ts'
import { toStockLevel } from '#lib/product.ts'
import type { IsoTime } from '#lib/time.ts'
import { ring } from '../../bell/bell.ts'
import { localNameOf, NAME_COLUMNS } from '../../catalog/read-products.ts'
import { FACT_COLUMNS, type FactRow } from '../../delivery/rules.ts'
import { raiseCounter, STOCK_LEVELS } from '../../platform/db/counters.ts'
import type { NewOrderLine, OrderRow, StockMovementRow } from '../../platform/db/order-tables.ts'
import type { Db, Tables, Trx, ProductRow, SaleColumns } from '../../platform/db/tables.ts'

export type OrderableProduct = Pick<
  ProductRow & SaleColumns,
  'id' | 'name' | 'stock' | 'category' | 'pack_value' | 'pack_unit' | 'pack_type' | keyof Prices
> &
  FactRow & { local_name: string; picture: Picture | undefined }

/** A new order is placed only if these columns are still the same as in its quote. */
type Prices = Pick<ProductRow, 'price'> & SaleColumns

export async function findOrderableProducts(
  db: Db,
  ids: readonly string[]
): Promise<OrderableProduct[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('products')
    .leftJoin('product_pictures', join =>
      join.onRef('product_id', '=', 'products.id').on('position', '=', 0)
    )
    .leftJoin('pictures', 'pictures.key', 'product_pictures.picture_key')
    .select(FACT_COLUMNS)
    .select(NAME_COLUMNS.map(column => `products.${column}` as const))
    .select(['price', 'stock', 'cooked_to_order', 'pack_value', 'pack_unit', 'pack_type'])
    .select(['sale_price', 'sale_from', 'sale_until'])
    .select(['key', 'width', 'height', 'alt', 'color'])
    .where('products.id', 'in', ids)
    .where('hidden_at', 'is', null)
    .execute()
  return rows.map(({ key, width, height, alt, color, ...product }) => {
    const picture = key === null ? undefined : ({ key, width, height, alt, color } as Picture)
    const stock = product.cooked_to_order === 1 ? Infinity : product.stock
    return { ...product, local_name: localNameOf(product), stock, picture }
  })
}

export async function findDrawnDiscounts(
  db: Db,
  userId: string,
  dealIds: readonly string[],
  { now, includesOwn }: { now: IsoTime; includesOwn: boolean }
): Promise<Map<string, DrawnDiscount>> {
  if (dealIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('draws')
    .innerJoin('deals', 'deals.id', 'draws.deal_id')
    .leftJoin('orders', join =>
      join
        .onRef('orders.id', '=', 'draws.order_id')
        .on('payment_state', '=', 'awaiting')
        .on('orders.user_id', '=', userId)
    )
    .select(['deal_id', 'product_id', 'draws.percent', 'draws.order_id', 'starts_at', 'ends_at'])
    .select('orders.id as own_order')
    .where('draws.user_id', '=', userId)
    .where('deal_id', 'in', dealIds)
    .execute()
  return new Map(
    rows.map(({ deal_id, product_id: product, percent, ...row }) => {
      const isFree = row.order_id === null || (includesOwn && row.own_order !== null)
      const isRunning = row.starts_at <= now && row.ends_at > now
      const state = !isRunning ? 'ended' : isFree ? 'usable' : 'used'
      return [deal_id, { product, percent, state }]
    })
  )
}

export async function findReservedPacks(
  db: Db,
  userId: string | undefined
): Promise<Map<string, number>> {
  if (userId === undefined) return new Map()
  const rows = await db
    .selectFrom('orders')
    .innerJoin('stock_movements', 'stock_movements.order_id', 'orders.id')
    .select(({ fn }) => ['product_id', fn.sum<number>('delta').as('moved')])
    .where('user_id', '=', userId)
    // A literal, because with a parameter the database would not use the partial index.
    .where('payment_state', '=', sql.lit('awaiting'))
    .groupBy('product_id')
    .execute()
  return new Map(rows.map(({ product_id, moved }) => [product_id, -Number(moved)]))
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
    const draw = trx
      .updateTable('draws')
      .set({ order_id: id })
      .where('deal_id', '=', deal_id)
      .where('user_id', '=', user_id)
      .where('percent', '=', percent)
      .where('order_id', 'is', null)
    const running = trx.selectFrom('deals').select('deals.id').where('deals.id', '=', deal_id)
    const { numUpdatedRows } = await (
      now === undefined
        ? draw
        : draw.where(
            'deal_id',
            'in',
            running.where('starts_at', '<=', now).where('ends_at', '>', now)
          )
    ).executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
  }
  return true
}

export async function releaseDraws(trx: Trx, orderId: string): Promise<void> {
  await trx.updateTable('draws').set({ order_id: null }).where('order_id', '=', orderId).execute()
}

/** With `prices`, packs are reserved only if the product is not hidden and still costs the same. */
export interface PackCount {
  product: string
  count: number
  prices?: Prices
}

type StockMovement = Pick<StockMovementRow, 'order_id' | 'reason' | 'moved_at'>

/**
 * Locks the products until the commit. Returns false if packs are missing: then roll back.
 * A product that is cooked to order loses none. An order only gives back packs that it has taken.
 */
export async function movePacks(
  trx: Trx,
  packs: readonly PackCount[],
  movement: StockMovement
): Promise<boolean> {
  const isTaken = movement.reason === 'reserved' || movement.reason === 'revived'
  const { seq, taken } = await readMoved(trx, movement)
  const changes: StockChange[] = []
  // Sorted, so that concurrent sales can't deadlock.
  for (const { product, count, prices } of packs.toSorted((a, b) =>
    a.product < b.product ? -1 : 1
  )) {
    const delta = isTaken ? -count : Math.min(count, taken.get(product) ?? 0)
    const stock = isTaken
      ? sql<number>`stock + ${delta} * (1 - cooked_to_order)`
      : sql<number>`stock + ${delta}`
    let update = trx
      .updateTable('products')
      .set({ stock })
      .where('id', '=', product)
      .where(sql<SqlBool>`${stock} >= 0`)
    if (prices) update = update.where(row => isAtPrices(row, prices))
    const row = await update
      .returning(['stock', 'cooked_to_order', ...NAME_COLUMNS])
      .executeTakeFirst()
    if (!row && isTaken) return false
    const isMoved = row && delta !== 0 && !(isTaken && row.cooked_to_order === 1)
    if (isMoved) changes.push({ product, before: row.stock - delta, after: row.stock, row })
  }
  if (changes.length > 0) await recordChanges(trx, changes, { ...movement, seq })
  return true
}

/** Of the order so far. */
async function readMoved(
  trx: Trx,
  { order_id, reason }: StockMovement
): Promise<{ seq: number; taken: ReadonlyMap<string, number> }> {
  if (reason === 'reserved') return { seq: 1, taken: new Map() }
  const rows = await trx
    .selectFrom('stock_movements')
    .select(({ fn }) => [
      'product_id',
      fn.max('seq').as('seq'),
      fn.sum<number>('delta').as('moved')
    ])
    .where('order_id', '=', order_id)
    .groupBy('product_id')
    .execute()
  return {
    seq: Math.max(0, ...rows.map(({ seq }) => seq)) + 1,
    taken: new Map(rows.map(({ product_id, moved }) => [product_id, -Number(moved)]))
  }
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

interface StockChange {
  product: string
  before: number
  after: number
  row: Parameters<typeof localNameOf>[0]
}

/** The counter `stock` renews the API's replies, `STOCK_LEVELS` the pages. */
async function recordChanges(
  trx: Trx,
  changes: readonly StockChange[],
  movement: Omit<StockMovementRow, 'product_id' | 'delta'>
) {
  const rows = changes.map(({ product, before, after }) => ({
    ...movement,
    product_id: product,
    delta: after - before
  }))
  await trx.insertInto('stock_movements').values(rows).execute()
  const visible = changes.filter(
    ({ before, after }) => toStockLevel(before) !== toStockLevel(after)
  )
  const fallen = visible.filter(({ before, after }) => after < before)
  if (fallen.length > 0) await ringLowStock(trx, fallen, movement)
  await raiseCounter(trx, 'stock')
  if (visible.length > 0) await raiseCounter(trx, STOCK_LEVELS)
}

function ringLowStock(
  trx: Trx,
  changes: readonly StockChange[],
  { order_id, seq, moved_at: at }: Omit<StockMovementRow, 'product_id' | 'delta'>
) {
  const compose = () => {
    const products = changes.slice(0, 3).map(({ row }) => localNameOf(row))
    const title = t('Low stock: {products}', { products: products.join(', ') })
    return { title, path: `${paths.admin}#low-stock` }
  }
  return ring(trx, { id: `stock-${order_id}-${seq}`, kind: 'stock', topic: 'stock', at, compose })
}
