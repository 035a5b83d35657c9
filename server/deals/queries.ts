import { sql, type SqlBool } from 'kysely'
import type { MyData } from '#lib/contract/accounts.ts'
import type { Paise } from '#lib/money.ts'
import { type IsoTime, toIso } from '#lib/time.ts'
import type { Db, DealRow, DrawRow, Trx } from '../platform/db/tables.ts'

const exactPercent = sql<number>`(deals.percent * 100 + deals.hundredths) / 100.0`

export const DEAL_COLUMNS = [
  'deals.id',
  'deals.product_id',
  'deals.starts_at',
  'deals.ends_at',
  exactPercent.as('percent')
] as const

/** The column takes whole numbers from 1 to 100: 0 percent is 1 and -100 hundredths. */
export function toStoredDeal(deal: DealRow): DealRow & { hundredths: number } {
  const percent = Math.max(1, Math.floor(deal.percent))
  return { ...deal, percent, hundredths: Math.round((deal.percent - percent) * 100) }
}

export function listDealsOf(db: Db, productId: string): Promise<(DealRow & { price: Paise })[]> {
  return db
    .selectFrom('deals')
    .innerJoin('products', 'products.id', 'deals.product_id')
    .select(DEAL_COLUMNS)
    .select('products.price')
    .where('product_id', '=', productId)
    .where('hidden_at', 'is', null)
    .orderBy('starts_at')
    .execute()
}

export type AdminDealRow = DealRow & { version: number; drawn: number }

export function listAdminDeals(db: Db, id?: string): Promise<AdminDealRow[]> {
  const deals = db
    .selectFrom('deals')
    .select(DEAL_COLUMNS)
    .select('version')
    .select(({ selectFrom, fn }) =>
      selectFrom('draws')
        .select(fn.countAll<number>().as('count'))
        .whereRef('draws.deal_id', '=', 'deals.id')
        .$asScalar()
        .$notNull()
        .as('drawn')
    )
  return (id === undefined ? deals : deals.where('deals.id', '=', id))
    .orderBy('ends_at')
    .orderBy('id')
    .execute()
}

export function findOverlap(db: Db, deal: DealRow, now: IsoTime): Promise<DealRow | undefined> {
  return db
    .selectFrom('deals')
    .select(DEAL_COLUMNS)
    .where('product_id', '=', deal.product_id)
    .where('id', '!=', deal.id)
    .where('starts_at', '<', deal.ends_at)
    .where('ends_at', '>', deal.starts_at)
    .where('ends_at', '>', now)
    .orderBy('starts_at')
    .executeTakeFirst()
}

export async function updateDeal(trx: Trx, deal: DealRow): Promise<void> {
  const { id, product_id: _, ...terms } = toStoredDeal(deal)
  await trx
    .updateTable('deals')
    .set(terms)
    .set(row => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export type DrawWithDeal = Pick<DrawRow, 'deal_id' | 'percent' | 'order_id'> & {
  payment_state: string | null
  order_user_id: string | null
  product_id: string
  price: Paise
  ends_at: string
}

export function listRunningDraws(db: Db, userId: string, now: IsoTime): Promise<DrawWithDeal[]> {
  return db
    .selectFrom('draws')
    .innerJoin('deals', 'deals.id', 'draws.deal_id')
    .innerJoin('products', 'products.id', 'deals.product_id')
    .leftJoin('orders', 'orders.id', 'draws.order_id')
    .select(['draws.deal_id', 'draws.percent', 'draws.order_id', 'orders.payment_state'])
    .select('orders.user_id as order_user_id')
    .select(['deals.product_id', 'deals.ends_at', 'products.price'])
    .where('draws.user_id', '=', userId)
    .where('deals.starts_at', '<=', now)
    .where('deals.ends_at', '>', now)
    .where('products.hidden_at', 'is', null)
    .orderBy('deals.ends_at')
    .orderBy('deals.id')
    .execute()
}

export function listAllDraws(db: Db, userId: string): Promise<MyData['discounts']> {
  return db
    .selectFrom('draws')
    .select([
      'deal_id as dealId',
      'percent as discount',
      'drawn_at as drawnAt',
      'order_id as orderId'
    ])
    .where('user_id', '=', userId)
    .orderBy('drawn_at')
    .orderBy('deal_id')
    .execute()
}

/** Returns false if the shopper or the person has already drawn for this deal. */
export async function insertDraw(trx: Trx, draw: Omit<DrawRow, 'order_id'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('draws')
    .values(draw)
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Of the same person. An account without a verified address gets nothing from one with it. */
export async function takeOverDraw(
  trx: Trx,
  { deal_id, user_id, person }: Pick<DrawRow, 'deal_id' | 'user_id' | 'person'>,
  isVerified: boolean
): Promise<boolean> {
  const draw = trx
    .updateTable('draws')
    .set({ user_id })
    .where('deal_id', '=', deal_id)
    .where('person', '=', person)
    .where('user_id', '!=', user_id)
  const available = isVerified
    ? draw
    : draw.where(
        sql<SqlBool>`not exists (select 1 from users where id = draws.user_id and deleted_at is null
          and verified_at is not null)`
      )
  const { numUpdatedRows } = await available.executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Keeps a discount that an earlier account of the same person has drawn. */
export async function deleteNewDraws(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom('draws')
    .where('user_id', '=', userId)
    .where('order_id', 'is', null)
    .where('drawn_at', '>=', ({ selectFrom }) =>
      selectFrom('users').select('created_at').where('users.id', '=', userId).$asScalar()
    )
    .execute()
}

/** Of a deleted account. A new account of the same person gets the others. */
export async function deletePersonlessDraws(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom('draws')
    .where('user_id', '=', userId)
    .where('order_id', 'is', null)
    .where('person', 'is', null)
    .execute()
}

export async function anonymiseDraws(trx: Trx, now: number): Promise<void> {
  const ended = trx.selectFrom('deals').select('deals.id').where('ends_at', '<=', toIso(now))
  await trx
    .deleteFrom('draws')
    .where('person', 'is not', null)
    .where('order_id', 'is', null)
    .where('deal_id', 'in', ended)
    .where(
      'user_id',
      'in',
      trx.selectFrom('users').select('users.id').where('deleted_at', 'is not', null)
    )
    .execute()
  await trx
    .updateTable('draws')
    .set({ person: null })
    .where('person', 'is not', null)
    .where('deal_id', 'in', ended)
    .execute()
}
