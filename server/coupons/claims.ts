import type { FastifyInstance } from 'fastify'
import type { Coupon } from '#lib/cart/pricing.ts'
import type { User } from '#lib/contract/accounts.ts'
import type { QuotedCouponProblem } from '#lib/contract/checkout.ts'
import { ShopError } from '#lib/errors.ts'
import { HOUR, type EpochMs, toIso } from '#lib/time.ts'
import { hashPerson } from '../accounts/users.ts'
import type { CouponRow, Db, Trx } from '../platform/db/tables.ts'
import { hasWritten, LOSABLE } from '../platform/db/write.ts'
import { enforceLimit, hourlyLimits, isAtLimit } from '../platform/http/limits.ts'

export type CouponDeps = Pick<FastifyInstance, 'database' | 'write' | 'clock' | 'codeSecret'>

interface Shopper {
  user: Pick<User, '_id' | 'email' | 'verified'> | undefined
  ip?: string
  includesOwn: boolean
}

export type CouponLookup =
  | { code: string; coupon: CouponRow; person: string | null }
  | { code: string; problem: QuotedCouponProblem }

const MAX_WRONG_CODES = 10

// Lookups of one account or network wait in turn: parallel guesses could pass the limit.
const lookups = new Map<string, Promise<CouponLookup>>()

/** Unknown, ended and used-up codes get the same problem, so that codes can't be found out. */
export async function findCoupon(
  deps: CouponDeps,
  code: string,
  shopper: Shopper
): Promise<CouponLookup> {
  const { user, ip } = shopper
  const ofUser = user && { key: `coupon codes of ${user._id}`, max: MAX_WRONG_CODES, window: HOUR }
  const limits = [
    ...(ofUser ? [ofUser] : []),
    ...(ip === undefined ? [] : hourlyLimits(ip, 'couponCodes'))
  ]
  const key = limits[0]?.key ?? ''
  const find = async (): Promise<CouponLookup> => {
    const now = deps.clock()
    const limited = { code, problem: 'limited' } as const
    if (await isAtLimit(deps.database.kysely, limits, now)) return limited
    const found = await lookUp(deps, code, shopper, toIso(now))
    if (!('problem' in found) || found.problem !== 'unknown') return found
    try {
      await deps.write(trx => enforceLimit(trx, limits, now), LOSABLE)
      return found
    } catch (error) {
      if (error instanceof ShopError && error.code === 'TOO_MANY_REQUESTS') return limited
      throw error
    }
  }
  const lookup = (lookups.get(key) ?? Promise.resolve()).then(find, find)
  lookups.set(key, lookup)
  try {
    return await lookup
  } finally {
    if (lookups.get(key) === lookup) lookups.delete(key)
  }
}

async function lookUp(
  { database, codeSecret }: CouponDeps,
  code: string,
  { user, includesOwn }: Shopper,
  now: string
): Promise<CouponLookup> {
  const db = database.kysely
  const coupon = await db
    .selectFrom('coupons')
    .selectAll()
    .where('code', '=', code)
    .where('starts_at', '<=', now)
    .where(row => row.or([row('ends_at', 'is', null), row('ends_at', '>', now)]))
    .executeTakeFirst()
  if (!coupon) return { code, problem: 'unknown' }
  const { id, uses, max_uses, once_per_person } = coupon
  const person =
    user && once_per_person === 1 ? hashPerson(codeSecret, `coupon|${id}`, user.email) : null
  const related = user ? await listActiveUses(db, id, user._id, person) : []
  const others = related.filter(
    use => !includesOwn || use.user_id !== user?._id || use.payment_state !== 'awaiting'
  )
  if (max_uses !== null && uses - (related.length - others.length) >= max_uses)
    return { code, problem: 'unknown' }
  // Anyone can register an address, so an unverified one says nothing about the person.
  if (person !== null && user?.verified !== true) return { code, problem: 'unverified' }
  if (person !== null && others.some(use => use.person === person)) return { code, problem: 'used' }
  return { code, coupon, person }
}

function listActiveUses(db: Db, couponId: string, userId: string, person: string | null) {
  return db
    .selectFrom('coupon_uses')
    .innerJoin('orders', 'orders.id', 'coupon_uses.order_id')
    .select(['person', 'orders.user_id', 'orders.payment_state'])
    .where('coupon_uses.coupon_id', '=', couponId)
    .where('active', '=', 1)
    .where(row => row.or([row('orders.user_id', '=', userId), row('person', '=', person)]))
    .execute()
}

export function toPricedCoupon(
  { percent, amount, minimum, categories, may_be_free }: CouponRow,
  products: Iterable<{ id: string; category: string }>
): Coupon {
  const names = JSON.parse(categories) as string[]
  const fitting = [...products].filter(
    ({ category }) => names.length === 0 || names.includes(category)
  )
  const terms = { minimum, products: fitting.map(({ id }) => id), mayBeFree: may_be_free === 1 }
  if (percent !== null) return { ...terms, percent }
  if (amount !== null) return { ...terms, amount }
  throw new Error('A coupon has neither a percentage nor an amount')
}

/** Returns false if the coupon has changed since the quote. The caller must then roll back. */
export async function claimCoupon(
  trx: Trx,
  { coupon, person }: Extract<CouponLookup, { coupon: CouponRow }>,
  orderId: string
): Promise<boolean> {
  // Locks the coupon: all its claims and releases wait for each other.
  if (!(await countUse(trx, coupon.id, coupon.version))) return false
  const insert = trx
    .insertInto('coupon_uses')
    .values({ order_id: orderId, coupon_id: coupon.id, person, active: 1 })
  return hasWritten(insert.onConflict(conflict => conflict.doNothing()))
}

/** An order that is paid late keeps its coupon, even if the coupon has changed or ended. */
export async function claimCouponAgain(trx: Trx, orderId: string): Promise<boolean> {
  const use = await trx
    .selectFrom('coupon_uses')
    .selectAll()
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  if (!use) return true
  if (!(await countUse(trx, use.coupon_id))) return false
  if (use.person !== null) {
    const other = trx
      .selectFrom('coupon_uses')
      .select('order_id')
      .where('coupon_id', '=', use.coupon_id)
      .where('person', '=', use.person)
      .where('active', '=', 1)
    if (await other.executeTakeFirst()) return false
  }
  await setActive(trx, orderId, 1)
  return true
}

export async function releaseCoupon(trx: Trx, orderId: string): Promise<void> {
  const use = await trx
    .selectFrom('coupon_uses')
    .select('coupon_id')
    .where('order_id', '=', orderId)
    .where('active', '=', 1)
    .executeTakeFirst()
  if (!use) return
  await trx
    .updateTable('coupons')
    .set(row => ({ uses: row('uses', '-', 1) }))
    .where('id', '=', use.coupon_id)
    .execute()
  await setActive(trx, orderId, 0)
}

export async function deleteCouponUses(trx: Trx, orderIds: readonly string[]): Promise<void> {
  await trx.deleteFrom('coupon_uses').where('order_id', 'in', orderIds).execute()
}

async function countUse(trx: Trx, couponId: string, version?: number) {
  const query = trx
    .updateTable('coupons')
    .set(row => ({ uses: row('uses', '+', 1) }))
    .where('id', '=', couponId)
    .where(row => row.or([row('max_uses', 'is', null), row('uses', '<', row.ref('max_uses'))]))
  return hasWritten(version === undefined ? query : query.where('version', '=', version))
}

async function setActive(trx: Trx, orderId: string, active: 0 | 1) {
  await trx.updateTable('coupon_uses').set({ active }).where('order_id', '=', orderId).execute()
}

export async function anonymiseCouponUses(trx: Trx, now: EpochMs): Promise<void> {
  const ended = trx.selectFrom('coupons').select('coupons.id').where('ends_at', '<=', toIso(now))
  await trx
    .updateTable('coupon_uses')
    .set({ person: null })
    .where('person', 'is not', null)
    .where('coupon_id', 'in', ended)
    .execute()
}
