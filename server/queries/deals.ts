import type { DealRow, Db, Trx } from '../db/tables.ts'

export type { DealRow }

/** The deals that run at an instant (ISO), the one that ends first at the front. */
export function listRunningDeals(db: Db, now: string): Promise<DealRow[]> {
  return db
    .selectFrom('deals')
    .selectAll()
    .where('starts_at', '<=', now)
    .where('ends_at', '>', now)
    .orderBy('ends_at')
    .orderBy('id')
    .execute()
}

/** Every deal, also those that have ended or not begun, the one that ends first at the front. */
export function listDeals(db: Db): Promise<DealRow[]> {
  return db.selectFrom('deals').selectAll().orderBy('ends_at').orderBy('id').execute()
}

/** Every deal of a product that visitors may find, the one that starts first at the front. */
export function listDealsOf(db: Db, productId: string): Promise<DealRow[]> {
  return db
    .selectFrom('deals')
    .innerJoin('products', 'products.id', 'deals.product_id')
    .selectAll('deals')
    .where('product_id', '=', productId)
    .where('hidden_at', 'is', null)
    .orderBy('starts_at')
    .execute()
}

export async function insertDeal(trx: Trx, deal: DealRow): Promise<void> {
  await trx.insertInto('deals').values(deal).execute()
}

/** Removes a deal with all that was drawn for it, and answers what it was; undefined when there is none. */
export function deleteDeal(trx: Trx, id: string): Promise<DealRow | undefined> {
  return trx.deleteFrom('deals').where('id', '=', id).returningAll().executeTakeFirst()
}

/** The next instant (ISO) at which a deal starts or ends. */
export async function nextDealChange(db: Db, now: string): Promise<string | undefined> {
  const { start, end } = await db
    .selectNoFrom(eb => [
      eb
        .selectFrom('deals')
        .select(({ fn }) => fn.min('starts_at').as('at'))
        .where('starts_at', '>', now)
        .as('start'),
      eb
        .selectFrom('deals')
        .select(({ fn }) => fn.min('ends_at').as('at'))
        .where('ends_at', '>', now)
        .as('end')
    ])
    .executeTakeFirstOrThrow()
  return [start, end].filter(at => at !== null).sort()[0]
}
