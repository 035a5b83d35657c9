import type { ExpressionBuilder } from 'kysely'
import type { Product } from '#lib/contract/catalog.ts'
import { toPublishedStock, toStockLevel } from '#lib/product.ts'
import type { StockLevel } from '#lib/contract/names.ts'
import { MINUTE, type IsoTime } from '#lib/time.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { lockRow } from '../platform/db/lock-row.ts'
import type { Db, Tables, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { isoNow, toIso } from '../platform/process/clock.ts'
import { listProducts } from './read-products.ts'

/** Time for which pages keep a level, in ms. 'out' is shown at once. */
const SHOWN_TIME = 2 * MINUTE
const MAX_BATCH = 100

/**
 * Makes the pages show the level. Returns false if their level is stored already, or changed too recently.
 * `stock_words` stores the level that a product's pages show; without a row, they show that of the current stock.
 */
export async function showStockLevel(
  trx: Trx,
  product: string,
  level: StockLevel,
  now: IsoTime
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('stock_words')
    .values({ product_id: product, word: level, shown_at: now })
    .onConflict(conflict => {
      const update = conflict.column('product_id').doUpdateSet({ word: level, shown_at: now })
      const differing = update.where('stock_words.word', '<>', level)
      return level === 'out' ? differing : differing.where(row => mayChange(row, now))
    })
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

function mayChange(row: ExpressionBuilder<Tables, 'stock_words'>, now: IsoTime) {
  const until = toIso(Date.parse(now) - SHOWN_TIME)
  // A later time than now was written while a clock was wrong.
  return row.or([row('stock_words.shown_at', '<=', until), row('stock_words.shown_at', '>', now)])
}

/** For a change by an administrator, which the pages show at once. */
export async function deleteShownStockLevel(trx: Trx, product: string): Promise<void> {
  await trx.deleteFrom('stock_words').where('product_id', '=', product).execute()
}

/** Returns the products as pages show them. `stock` is a fixed number for each level. */
export async function listPublishedProducts(db: Db, now: IsoTime): Promise<Product[]> {
  const products = await listProducts(db, now)
  const rows = await db.selectFrom('stock_words').select(['product_id', 'word']).execute()
  const levels = new Map(rows.map(({ product_id, word }) => [product_id, word]))
  return products.map(product => ({
    ...product,
    stock: toPublishedStock(levels.get(product.id) ?? toStockLevel(product.stock))
  }))
}

/** Lets the pages show the levels that waited. Several processes may do this at once. */
export async function showDueStockLevels({ database, write, clock }: DataDeps): Promise<void> {
  const now = isoNow(clock)
  const due = await database.kysely
    .selectFrom('stock_words')
    .select('product_id')
    .where(row => mayChange(row, now))
    .limit(MAX_BATCH)
    .execute()
  if (due.length === 0) return
  // Sorted as sales sort them, so that both wait for each other instead of a deadlock.
  const ids = due.map(({ product_id }) => product_id).sort()
  await write(async trx => {
    let isChanged = false
    for (const id of ids) if (await showDueLevel(trx, id, now)) isChanged = true
    if (isChanged) await raiseCounter(trx, 'catalog')
  })
}

async function showDueLevel(trx: Trx, id: string, now: IsoTime): Promise<boolean> {
  // So that its stock stays the same until the end of the transaction.
  const product = await lockRow(trx, 'products', id)
  if (!product) return false
  const level = toStockLevel(product.stock)
  if (await showStockLevel(trx, id, level, now)) return true
  await trx
    .deleteFrom('stock_words')
    .where('product_id', '=', id)
    .where('word', '=', level)
    .where(row => mayChange(row, now))
    .execute()
  return false
}
