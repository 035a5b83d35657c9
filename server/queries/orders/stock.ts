import { LOW_STOCK } from '#lib/constants.ts'
import { paise, type Paise } from '#lib/money.ts'
import { stockLevel } from '#lib/stock.ts'
import type { StockMovementRow } from '../../db/order-tables.ts'
import type { Db, Trx } from '../../db/tables.ts'
import { prepared } from '../../db/prepared.ts'
import { raiseCounter } from '../counters.ts'

/** So many packs of a product, at the catalogue's price of one where that must not have changed. */
export interface PackCount {
  product: string
  count: number
  listPrice?: Paise
}

/** For which order, and why. */
export type StockMovement = Pick<StockMovementRow, 'order_id' | 'seq' | 'reason' | 'moved_at'>

/** Whether pages show that stock has moved: they show a word, and how many are left while they are few. */
export type StockChange = 'shown' | 'unseen'

/**
 * Takes packs from the stock, and notes it. False when there are too few of one, or when one that comes with a price costs
 * something else by now or is hidden: then the transaction must not be kept.
 */
export async function reserveStockOf(
  trx: Trx,
  packs: readonly PackCount[],
  move: StockMovement
): Promise<false | StockChange> {
  let moved: StockChange = 'unseen'
  for (const { product, count, listPrice } of inOrder(packs)) {
    // What was paid for is packed, whatever has become of its price and place in the shop.
    const query = listPrice === undefined ? taking : takingAtPrice
    const [taken] = (await query(trx, { product, count, listPrice: listPrice ?? paise(0) })).rows
    if (!taken) return false
    if (isShown(taken.stock + count, taken.stock)) moved = 'shown'
  }
  await noteMoves(trx, packs, move, -1)
  return moved
}

type Taking = Required<PackCount>

const taking = prepared<Taking, { stock: number }>((db, value) => less(db, value).returning('stock'))
const takingAtPrice = prepared<Taking, { stock: number }>((db, value) =>
  less(db, value).where('price', '=', value('listPrice')).where('hidden_at', 'is', null).returning('stock')
)

function less(db: Db, value: <Name extends keyof Taking>(name: Name) => Taking[Name]) {
  return db
    .updateTable('products')
    .set(row => ({ stock: row('stock', '-', value('count')) }))
    .where('id', '=', value('product'))
    .where('stock', '>=', value('count'))
}

/** Gives packs back to the stock, and notes it; what is sold no more has no stock. */
export async function releaseStockOf(trx: Trx, packs: readonly PackCount[], move: StockMovement): Promise<StockChange> {
  let moved: StockChange = 'unseen'
  for (const { product, count } of inOrder(packs)) {
    const given = await trx
      .updateTable('products')
      .set(row => ({ stock: row('stock', '+', count) }))
      .where('id', '=', product)
      .returning('stock')
      .executeTakeFirst()
    if (given && isShown(given.stock - count, given.stock)) moved = 'shown'
  }
  await noteMoves(trx, packs, move, 1)
  return moved
}

/** How often the stock was moved for an order. */
export async function lastMovement(trx: Trx, orderId: string): Promise<number> {
  const { last } = await trx
    .selectFrom('stock_movements')
    .select(({ fn }) => fn.max('seq').as('last'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return last ?? 0
}

/** Tells pages and memories of the catalogue that the stock which they show has changed. */
export async function announceStockChange(trx: Trx, moved: StockChange): Promise<void> {
  if (moved === 'shown') await raiseCounter(trx, 'catalog')
}

async function noteMoves(trx: Trx, packs: readonly PackCount[], move: StockMovement, sign: 1 | -1): Promise<void> {
  for (const { product, count } of packs) await noting(trx, { ...move, product_id: product, delta: sign * count })
}

const noting = prepared<StockMovementRow, unknown>((db, value) =>
  db.insertInto('stock_movements').values({
    order_id: value('order_id'),
    product_id: value('product_id'),
    seq: value('seq'),
    delta: value('delta'),
    reason: value('reason'),
    moved_at: value('moved_at')
  })
)

// Always by id, so that two orders never wait for each other.
function inOrder(packs: readonly PackCount[]): PackCount[] {
  return packs.toSorted((a, b) => (a.product < b.product ? -1 : 1))
}

function isShown(before: number, after: number): boolean {
  return stockLevel(before) !== stockLevel(after) || (before <= LOW_STOCK && after <= LOW_STOCK)
}
