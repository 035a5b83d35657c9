import type { DealRow, Db, Trx } from '../platform/db/tables.ts'

export type { DealRow }

/** `now` is ISO. */
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

export type AdminDealRow = DealRow & { version: number; drawn: number }

export function listAdminDeals(db: Db, id?: string): Promise<AdminDealRow[]> {
  const deals = db
    .selectFrom('deals')
    .selectAll()
    .select(({ selectFrom, fn }) =>
      selectFrom('draws')
        .select(fn.countAll<number>().as('count'))
        .whereRef('draws.deal_id', '=', 'deals.id')
        .$asScalar()
        .$notNull()
        .as('drawn')
    )
  return (id === undefined ? deals : deals.where('id', '=', id)).orderBy('ends_at').orderBy('id').execute()
}

/** `now` is ISO. */
export function findOverlap(db: Db, deal: DealRow, now: string): Promise<DealRow | undefined> {
  return db
    .selectFrom('deals')
    .select(['id', 'product_id', 'percent', 'starts_at', 'ends_at'])
    .where('product_id', '=', deal.product_id)
    .where('id', '!=', deal.id)
    .where('starts_at', '<', deal.ends_at)
    .where('ends_at', '>', deal.starts_at)
    .where('ends_at', '>', now)
    .orderBy('starts_at')
    .executeTakeFirst()
}

export async function updateDeal(trx: Trx, { id, percent, starts_at, ends_at }: DealRow): Promise<void> {
  await trx
    .updateTable('deals')
    .set({ percent, starts_at, ends_at })
    .set(row => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function insertDeal(trx: Trx, deal: DealRow): Promise<void> {
  await trx.insertInto('deals').values(deal).execute()
}

export function deleteDeal(trx: Trx, id: string): Promise<(DealRow & { version: number }) | undefined> {
  return trx.deleteFrom('deals').where('id', '=', id).returningAll().executeTakeFirst()
}

/** `now` and the result are ISO. */
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
  return [start, end].filter(time => time !== null).sort()[0]
}
