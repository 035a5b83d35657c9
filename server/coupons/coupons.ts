import { randomUUID } from 'node:crypto'
import type { AdminCoupon, CouponChange, CouponDraft, CouponFields } from '#lib/contract/coupons.ts'
import { ShopError } from '#lib/errors.ts'
import { fromRupees, toRupees } from '#lib/money.ts'
import type { IsoTime } from '#lib/time.ts'
import { type Actor, type Change, changedFields, record } from '../accounts/audit.ts'
import type { OrderPaymentState } from '../platform/db/order-tables.ts'
import { isDuplicate } from '../platform/db/failures.ts'
import { lockRow } from '../platform/db/lock-row.ts'
import { findIdByKey } from '../platform/db/search.ts'
import type { CouponRow, Db, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { invalidField } from '../platform/http/validate.ts'
import { isoNow } from '../platform/process/clock.ts'
import { hasCategory } from '../settings/settings.ts'
import { ADMIN_FIELD_TEXTS } from '#lib/contract/field-texts.ts'

const texts = {
  couponCodeTaken: 'Another coupon has this code. Please choose another code.',
  couponEndPast: 'Please choose an end in the future'
}

export async function readCoupons(db: Db, now: IsoTime): Promise<AdminCoupon[]> {
  const rows = await db
    .selectFrom('coupons')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(row => toAdminCoupon(row, now))
}

/** Throws COUPON_NOT_FOUND. */
export async function readCoupon(db: Db, id: string, now: IsoTime): Promise<AdminCoupon> {
  const row = await db.selectFrom('coupons').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new ShopError('COUPON_NOT_FOUND')
  return toAdminCoupon(row, now)
}

/**
 * If a coupon with this `key` already exists, changes that one. Throws INVALID_INPUT,
 * EDIT_CONFLICT.
 */
export function createCoupon(
  { write, clock }: DataDeps,
  actor: Actor,
  { key, ...fields }: CouponDraft
): Promise<AdminCoupon> {
  const now = isoNow(clock)
  return write(async trx => {
    const id = randomUUID()
    if (
      !(await insertCoupon(trx, { ...toColumns(fields), id, creation_key: key, created_at: now }))
    ) {
      const existingId = await findIdByKey(trx, 'coupons', key)
      if (existingId === undefined) throw codeTaken()
      // An earlier submit of this form created version 1. If somebody has edited it since, this
      // throws EDIT_CONFLICT.
      return applyChange(trx, { actor, at: now }, await lockCoupon(trx, existingId), {
        ...fields,
        version: 1
      })
    }
    requireFutureEnd(fields, now)
    await requireCategories(trx, fields)
    await record(trx, { actor, at: now, kind: 'coupon', id, action: 'created', after: fields })
    return readCoupon(trx, id, now)
  })
}

/** Throws COUPON_NOT_FOUND, COUPON_ENDED, EDIT_CONFLICT, INVALID_INPUT. */
export function changeCoupon(
  { write, clock }: DataDeps,
  actor: Actor,
  id: string,
  change: CouponChange
): Promise<AdminCoupon> {
  return write(async trx =>
    applyChange(trx, { actor, at: isoNow(clock) }, await lockCoupon(trx, id), change)
  )
}

async function applyChange(
  trx: Trx,
  { actor, at }: Pick<Change, 'actor' | 'at'>,
  row: CouponRow,
  { version, ...fields }: CouponChange
): Promise<AdminCoupon> {
  const { id } = row
  const before = toFields(row)
  if (Object.keys(changedFields(before, fields)).length === 0) return toAdminCoupon(row, at)
  if (version !== row.version) throw new ShopError('EDIT_CONFLICT')
  // An ended coupon can't run again, because the hashes of the persons who used it are deleted.
  if (isEnded(row, at)) throw new ShopError('COUPON_ENDED')
  await requireCategories(trx, fields)
  requireFutureEnd(fields, at)
  await updateCoupon(trx, id, toColumns(fields)).catch((error: unknown) => {
    throw isDuplicate(error) ? codeTaken() : error
  })
  await record(trx, { actor, at, kind: 'coupon', id, action: 'changed', before, after: fields })
  return readCoupon(trx, id, at)
}

/** Idempotent. Throws COUPON_NOT_FOUND. */
export function endCoupon(
  { write, clock }: DataDeps,
  actor: Actor,
  id: string
): Promise<AdminCoupon> {
  const now = isoNow(clock)
  return write(async trx => {
    const row = await lockCoupon(trx, id)
    if (isEnded(row, now)) return toAdminCoupon(row, now)
    await updateCoupon(trx, id, { ends_at: now })
    const [before, after] = [{ endTime: row.ends_at }, { endTime: now }]
    await record(trx, { actor, at: now, kind: 'coupon', id, action: 'ended', before, after })
    return readCoupon(trx, id, now)
  })
}

function toAdminCoupon(row: CouponRow, now: string): AdminCoupon {
  const { id, version, uses, created_at: createdAt } = row
  return { ...toFields(row), id, version, uses, createdAt, state: stateOf(row, now) }
}

function stateOf(row: CouponRow, now: string): AdminCoupon['state'] {
  if (isEnded(row, now)) return 'ended'
  if (row.max_uses !== null && row.uses >= row.max_uses) return 'used_up'
  return row.starts_at > now ? 'scheduled' : 'running'
}

function isEnded({ ends_at }: CouponRow, now: string): boolean {
  return ends_at !== null && ends_at <= now
}

function toFields(row: CouponRow): CouponFields {
  return {
    code: row.code,
    percent: row.percent,
    amount: row.amount === null ? null : toRupees(row.amount),
    minimum: toRupees(row.minimum),
    startTime: row.starts_at,
    endTime: row.ends_at,
    oncePerPerson: row.once_per_person === 1,
    maxUses: row.max_uses,
    categories: JSON.parse(row.categories) as string[],
    mayBeFree: row.may_be_free === 1
  }
}

function toColumns(fields: CouponFields): CouponTermColumns {
  return {
    code: fields.code,
    percent: fields.percent,
    amount: fields.amount === null ? null : fromRupees(fields.amount),
    minimum: fromRupees(fields.minimum),
    starts_at: fields.startTime,
    ends_at: fields.endTime,
    once_per_person: fields.oncePerPerson ? 1 : 0,
    max_uses: fields.maxUses,
    categories: JSON.stringify(fields.categories),
    may_be_free: fields.mayBeFree ? 1 : 0
  }
}

async function requireCategories(trx: Trx, { categories }: CouponFields): Promise<void> {
  for (const name of categories) {
    if (!(await hasCategory(trx, name)))
      throw invalidField('categories', ADMIN_FIELD_TEXTS.productCategoryInvalid)
  }
}

function requireFutureEnd({ endTime }: CouponFields, now: string): void {
  if (endTime !== null && endTime <= now) throw invalidField('endTime', texts.couponEndPast)
}

function codeTaken(): ShopError {
  return invalidField('code', texts.couponCodeTaken)
}

export function findByCode(db: Db, code: string): Promise<CouponRow | undefined> {
  return db.selectFrom('coupons').selectAll().where('code', '=', code).executeTakeFirst()
}

interface CouponUse {
  person: string | null
  user_id: string
  payment_state: OrderPaymentState
}

/** Returns the uses by the account and by other accounts of the same person. */
export function listActiveUses(
  db: Db,
  couponId: string,
  { userId, person }: { userId: string; person: string | null }
): Promise<CouponUse[]> {
  return db
    .selectFrom('coupon_uses')
    .innerJoin('orders', 'orders.id', 'coupon_uses.order_id')
    .select(['person', 'orders.user_id', 'orders.payment_state'])
    .where('coupon_uses.coupon_id', '=', couponId)
    .where('active', '=', 1)
    .where(row => row.or([row('orders.user_id', '=', userId), row('person', '=', person)]))
    .execute()
}

/** Claims and edits of a coupon wait for each other. Throws COUPON_NOT_FOUND. */
async function lockCoupon(trx: Trx, id: string): Promise<CouponRow> {
  const coupon = await lockRow(trx, 'coupons', id)
  if (!coupon) throw new ShopError('COUPON_NOT_FOUND')
  return coupon
}

type CouponTermColumns = Omit<CouponRow, 'id' | 'uses' | 'version' | 'creation_key' | 'created_at'>

/** Returns false if there is a coupon with this code or this creation key. */
async function insertCoupon(
  trx: Trx,
  draft: CouponTermColumns & Pick<CouponRow, 'id' | 'creation_key' | 'created_at'>
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('coupons')
    .values({ ...draft, uses: 0, version: 1 })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

async function updateCoupon(
  trx: Trx,
  id: string,
  changes: Partial<CouponTermColumns>
): Promise<void> {
  await trx
    .updateTable('coupons')
    .set(changes)
    .set(row => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
