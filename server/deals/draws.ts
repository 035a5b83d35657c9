import { sql, type SqlBool } from 'kysely'
import { DEAL_PERCENT } from '#lib/constants.ts'
import type { MyData, User } from '#lib/contract/accounts.ts'
import type { Discount } from '#lib/contract/promotions.ts'
import { highestDraw } from '#lib/catalog/deal-view.ts'
import { ShopError } from '#lib/errors.ts'
import { tooManyDrawsText } from '#lib/messages.ts'
import { applyDiscount, type Paise, toRupees } from '#lib/money.ts'
import { DAY, type IsoTime, toIso } from '#lib/time.ts'
import { hashPerson } from '../accounts/users.ts'
import type { Database } from '../platform/db/connect.ts'
import { isMissingReference } from '../platform/db/failures.ts'
import type { Db, DealRow, DrawRow, Trx } from '../platform/db/tables.ts'
import { type DataDeps, hasWritten } from '../platform/db/write.ts'
import { enforceLimit, limitsPerNetwork } from '../platform/http/limits.ts'
import { requireOpen } from '../settings/checks.ts'
import { readSection } from '../settings/settings.ts'
import type { RandomInt } from '../platform/process/secret.ts'
import { DEAL_COLUMNS } from './running-deals.ts'

interface DrawDeps extends DataDeps {
  randomInt: RandomInt
  codeSecret: Buffer
}

/** An unverified account costs nothing. Enough for a family behind one mobile address. */
const UNVERIFIED = { max: 60, window: DAY, refusal: tooManyDrawsText }

export async function drawDiscount(
  deps: DrawDeps,
  user: Pick<User, '_id' | 'email' | 'verified'>,
  { productId, ip }: { productId: string; ip: string }
): Promise<Discount> {
  const { database, write, clock, randomInt, codeSecret } = deps
  const { _id: user_id, email, verified } = user
  const now = clock()
  const nowIso = toIso(now)
  const deal = await findRunning(database.kysely, productId, nowIso)
  const findExisting = async (): Promise<Discount | undefined> =>
    (await readMyDiscounts(deps, user_id, now)).find(({ dealId }) => dealId === deal.id)
  const existing = await findExisting()
  if (existing) return existing
  requireOpen(await readSection(database.kysely, 'orders'), now)

  const highest = highestDraw(deal.percent)
  // Not stored: if the deal is raised later, the shopper can draw.
  if (highest === 0)
    return toDiscount({ ...deal, deal_id: deal.id, percent: 0 }, { isUsed: false, at: nowIso })
  const percent = randomInt(DEAL_PERCENT.lowestDraw, highest + 1)
  const person = hashPerson(codeSecret, `draw|${deal.id}`, email)
  const draw = { deal_id: deal.id, user_id, percent, drawn_at: nowIso, person }
  await write(async trx => {
    if (!(await storeDraw(trx, draw, verified)) || verified) return
    const limit = { key: `draws of ${deal.id}`, ...UNVERIFIED }
    await enforceLimit(trx, limitsPerNetwork(ip, limit), now)
  }).catch((error: unknown) => {
    // The deal was deleted.
    if (!isMissingReference(error)) throw error
  })
  // A concurrent request may have stored another one first.
  const drawn = await findExisting()
  if (!drawn) throw new ShopError('DEAL_NOT_FOUND')
  return drawn
}

/** Returns false if the shopper has drawn for this deal. Another person's draw stays theirs. */
async function storeDraw(trx: Trx, draw: Omit<DrawRow, 'order_id'>, isVerified: boolean) {
  const insert = (row: typeof draw) =>
    hasWritten(
      trx
        .insertInto('draws')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
    )
  return (
    (await insert(draw)) ||
    (await takeOverDraw(trx, draw, isVerified)) ||
    insert({ ...draw, person: null })
  )
}

/** Of the same person. An account without a verified address gets nothing from one with it. */
function takeOverDraw(
  trx: Trx,
  { deal_id, user_id, person }: Omit<DrawRow, 'order_id'>,
  isVerified: boolean
) {
  const draw = trx
    .updateTable('draws')
    .set({ user_id })
    .where('deal_id', '=', deal_id)
    .where('person', '=', person)
    .where('user_id', '!=', user_id)
  if (isVerified) return hasWritten(draw)
  const isUnverified = sql<SqlBool>`not exists (select 1 from users where id = draws.user_id
    and deleted_at is null and verified_at is not null)`
  return hasWritten(draw.where(isUnverified))
}

async function findRunning(
  db: Db,
  productId: string,
  now: IsoTime
): Promise<DealRow & { price: Paise }> {
  const deals = await db
    .selectFrom('deals')
    .innerJoin('products', 'products.id', 'deals.product_id')
    .select(DEAL_COLUMNS)
    .select('products.price')
    .where('product_id', '=', productId)
    .where('hidden_at', 'is', null)
    .orderBy('starts_at')
    .execute()
  const running = deals.find(({ starts_at, ends_at }) => starts_at <= now && ends_at > now)
  if (running) return running
  if (deals.some(({ starts_at }) => starts_at > now)) throw new ShopError('DEAL_NOT_STARTED')
  throw new ShopError(deals.length > 0 ? 'DEAL_ENDED' : 'DEAL_NOT_FOUND')
}

export async function readMyDiscounts(
  { database }: { database: Database },
  userId: string,
  now: number
): Promise<Discount[]> {
  const at = toIso(now)
  const draws = await database.kysely
    .selectFrom('draws')
    .innerJoin('deals', 'deals.id', 'draws.deal_id')
    .innerJoin('products', 'products.id', 'deals.product_id')
    .leftJoin('orders', 'orders.id', 'draws.order_id')
    .select(['draws.deal_id', 'draws.percent', 'draws.order_id', 'orders.payment_state'])
    .select('orders.user_id as order_user_id')
    .select(['deals.product_id', 'deals.ends_at', 'products.price'])
    .where('draws.user_id', '=', userId)
    .where('deals.starts_at', '<=', at)
    .where('deals.ends_at', '>', at)
    .where('products.hidden_at', 'is', null)
    .orderBy('deals.ends_at')
    .orderBy('deals.id')
    .execute()
  return draws.map(draw => {
    const { order_id, order_user_id, payment_state } = draw
    // In an unpaid order, it can still be used in a new checkout.
    const isUsed = order_id !== null && !(payment_state === 'awaiting' && order_user_id === userId)
    return toDiscount(draw, { isUsed, at })
  })
}

function toDiscount(
  {
    deal_id,
    product_id,
    percent,
    price,
    ends_at
  }: Pick<DealRow, 'product_id' | 'percent' | 'ends_at'> & { deal_id: string; price: Paise },
  { isUsed, at }: { isUsed: boolean; at: IsoTime }
): Discount {
  return {
    dealId: deal_id,
    productId: product_id,
    discount: percent,
    price: toRupees(applyDiscount(price, percent)),
    originalPrice: toRupees(price),
    endTime: ends_at,
    used: isUsed,
    serverTime: at
  }
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

/** Keeps a discount that an earlier account of the same person has drawn. */
export async function deleteNewDraws(trx: Trx, userId: string): Promise<void> {
  await deleteUnused(trx, userId)
    .where('drawn_at', '>=', ({ selectFrom }) =>
      selectFrom('users').select('created_at').where('users.id', '=', userId).$asScalar()
    )
    .execute()
}

/** Of a deleted account. The person's next one gets the others. */
export async function deletePersonlessDraws(trx: Trx, userId: string): Promise<void> {
  await deleteUnused(trx, userId).where('person', 'is', null).execute()
}

function deleteUnused(trx: Trx, userId: string) {
  return trx.deleteFrom('draws').where('user_id', '=', userId).where('order_id', 'is', null)
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
