import { LOW_STOCK_THRESHOLD } from '#lib/constants.ts'
import { toPaise, type Paise } from '#lib/money.ts'
import { toStockLevel } from '#lib/stock.ts'
import type { StockMovementRow } from '../platform/db/order-tables.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import { prepared } from '../platform/db/prepared.ts'
import { raiseCounter } from '../platform/db/counters.ts'

/** If `listPrice` is given, packs are reserved only if the product is not hidden and still has this price. */
export interface PackCount {
  product: string
  count: number
  listPrice?: Paise
}

export type StockMovement = Pick<StockMovementRow, 'order_id' | 'seq' | 'reason' | 'moved_at'>

/** A change is visible if it changes the stock level (in, low, out), or the number of packs while stock is low. */
export type StockChange = 'visible' | 'invisible'

/** Returns false if not all packs can be reserved. The caller must then roll back the transaction. */
export async function reservePacks(
  trx: Trx,
  packs: readonly PackCount[],
  movement: StockMovement
): Promise<false | StockChange> {
  let change: StockChange = 'invisible'
  for (const { product, count, listPrice } of sortedById(packs)) {
    // A missing `listPrice` means that the order is already paid. Then its packs are reserved even if the product is
    // hidden or its price has changed.
    const query = listPrice === undefined ? reserveQuery : reserveAtPriceQuery
    const [updated] = (await query(trx, { product, count, listPrice: listPrice ?? toPaise(0) })).rows
    if (!updated) return false
    if (isVisibleChange(updated.stock + count, updated.stock)) change = 'visible'
  }
  await insertMovements(trx, packs, movement, -1)
  return change
}

type ReserveParams = Required<PackCount>

const reserveQuery = prepared<ReserveParams, { stock: number }>((db, value) =>
  decrementStock(db, value).returning('stock')
)
const reserveAtPriceQuery = prepared<ReserveParams, { stock: number }>((db, value) =>
  decrementStock(db, value).where('price', '=', value('listPrice')).where('hidden_at', 'is', null).returning('stock')
)

function decrementStock(db: Db, value: <Name extends keyof ReserveParams>(name: Name) => ReserveParams[Name]) {
  return db
    .updateTable('products')
    .set(row => ({ stock: row('stock', '-', value('count')) }))
    .where('id', '=', value('product'))
    .where('stock', '>=', value('count'))
}

export async function releasePacks(
  trx: Trx,
  packs: readonly PackCount[],
  movement: StockMovement
): Promise<StockChange> {
  let change: StockChange = 'invisible'
  for (const { product, count } of sortedById(packs)) {
    const updated = await trx
      .updateTable('products')
      .set(row => ({ stock: row('stock', '+', count) }))
      .where('id', '=', product)
      .returning('stock')
      .executeTakeFirst()
    if (updated && isVisibleChange(updated.stock - count, updated.stock)) change = 'visible'
  }
  await insertMovements(trx, packs, movement, 1)
  return change
}

export async function lastMovementSeq(trx: Trx, orderId: string): Promise<number> {
  const { last } = await trx
    .selectFrom('stock_movements')
    .select(({ fn }) => fn.max('seq').as('last'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return last ?? 0
}

export async function announceStockChange(trx: Trx, change: StockChange): Promise<void> {
  if (change === 'visible') await raiseCounter(trx, 'catalog')
}

async function insertMovements(
  trx: Trx,
  packs: readonly PackCount[],
  movement: StockMovement,
  sign: 1 | -1
): Promise<void> {
  for (const { product, count } of packs)
    await insertMovementQuery(trx, { ...movement, product_id: product, delta: sign * count })
}

const insertMovementQuery = prepared<StockMovementRow, unknown>((db, value) =>
  db.insertInto('stock_movements').values({
    order_id: value('order_id'),
    product_id: value('product_id'),
    seq: value('seq'),
    delta: value('delta'),
    reason: value('reason'),
    moved_at: value('moved_at')
  })
)

// Products are sorted by id, so that concurrent transactions can't deadlock.
function sortedById(packs: readonly PackCount[]): PackCount[] {
  return packs.toSorted((a, b) => (a.product < b.product ? -1 : 1))
}

function isVisibleChange(before: number, after: number): boolean {
  return toStockLevel(before) !== toStockLevel(after) || (before <= LOW_STOCK_THRESHOLD && after <= LOW_STOCK_THRESHOLD)
}
