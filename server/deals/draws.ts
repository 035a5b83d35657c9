import { DEAL_PERCENT } from '#lib/constants.ts'
import type { User } from '#lib/contract/accounts.ts'
import type { Discount } from '#lib/contract/deals.ts'
import { highestDraw } from '#lib/deal-view.ts'
import { ShopError } from '#lib/errors.ts'
import { tooManyDrawsText } from '#lib/messages.ts'
import { applyDiscount, toRupees } from '#lib/money.ts'
import { DAY, type IsoTime, toIso } from '#lib/time.ts'
import { hashPerson } from '../accounts/users.ts'
import type { Database } from '../platform/db/connect.ts'
import { isMissingReference } from '../platform/db/failures.ts'
import type { DealRow, DrawRow, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { enforceLimit, limitsPerNetwork } from '../platform/http/limits.ts'
import type { RandomInt } from '../platform/process/secret.ts'
import {
  type DrawWithDeal,
  insertDraw,
  listDealsOf,
  listRunningDraws,
  takeOverDraw
} from './queries.ts'

interface DrawDeps extends DataDeps {
  randomInt: RandomInt
  codeSecret: Buffer
}

type DiscountColumn = 'deal_id' | 'product_id' | 'percent' | 'price' | 'ends_at'

interface Drawer {
  user: Pick<User, '_id' | 'email' | 'verified'>
  productId: string
  ip: string
}

/** An unverified account costs nothing. Enough for a family behind one mobile address. */
const UNVERIFIED = { max: 60, window: DAY, refusal: tooManyDrawsText }

export async function drawDiscount(
  deps: DrawDeps,
  { user, productId, ip }: Drawer
): Promise<Discount> {
  const { database, write, clock, randomInt, codeSecret } = deps
  const { _id: user_id, email, verified } = user
  const now = clock()
  const nowIso = toIso(now)
  const deal = findRunning(await listDealsOf(database.kysely, productId), nowIso)
  const findExisting = async (): Promise<Discount | undefined> =>
    (await readMyDiscounts(deps, user_id, now)).find(({ dealId }) => dealId === deal.id)
  const existing = await findExisting()
  if (existing) return existing

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
async function storeDraw(
  trx: Trx,
  draw: Omit<DrawRow, 'order_id'>,
  isVerified: boolean
): Promise<boolean> {
  if (await insertDraw(trx, draw)) return true
  if (await takeOverDraw(trx, draw, isVerified)) return true
  return insertDraw(trx, { ...draw, person: null })
}

function findRunning<Deal extends DealRow>(deals: readonly Deal[], now: string): Deal {
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
  const serverTime = toIso(now)
  const drawn = await listRunningDraws(database.kysely, userId, serverTime)
  return drawn.map(draw => {
    const { order_id, order_user_id, payment_state } = draw
    // In an unpaid order, it can still be used in a new checkout.
    const isUsed = order_id !== null && !(payment_state === 'awaiting' && order_user_id === userId)
    return toDiscount(draw, { isUsed, at: serverTime })
  })
}

function toDiscount(
  { deal_id, product_id, percent, price, ends_at }: Pick<DrawWithDeal, DiscountColumn>,
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
