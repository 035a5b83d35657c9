import { t } from '#lib/contract/texts.ts'
import { randomUUID } from 'node:crypto'
import { toCouponFields } from '#lib/admin/discount-forms.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import {
  AdminCoupon,
  CouponDraft,
  type CouponFields,
  CouponChange
} from '#lib/contract/promotions.ts'
import { ShopError } from '#lib/errors.ts'
import { fromRupees, toRupees } from '#lib/money.ts'
import { isoNow } from '#lib/time.ts'
import { record } from '../accounts/audit.ts'
import { type Edit, Records, recordRoutes, toEditor } from '../accounts/records.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { isDuplicate } from '../platform/db/failures.ts'
import { hasWritten, lockRow } from '../platform/db/write.ts'
import type { CouponRow, Trx } from '../platform/db/tables.ts'
import { invalidField, route } from '../platform/http/validate.ts'
import { listCategoryNames } from '../settings/settings.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { IdPath } from '#lib/contract/values.ts'

const MAX_SHARE_WITHOUT_VERIFICATION = 0.5

export const coupons = new Records<AdminCoupon, CouponFields>({
  kind: 'coupon',
  table: 'coupons',
  notFound: 'COUPON_NOT_FOUND',
  lock: (trx, id) => (id === undefined ? raiseCounter(trx, 'coupons') : lockCoupon(trx, id)),
  find: async (db, id, now) => {
    const row = await db.selectFrom('coupons').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toAdminCoupon(row, now)
  },
  fieldsOf: toCouponFields,
  save: async (trx, edit, coupon, changed) => {
    // It can't run again: the hashes of the persons who used it are deleted.
    if (coupon.state === 'ended') throw new ShopError('COUPON_ENDED')
    const fields = { ...toCouponFields(coupon), ...changed }
    await requireValid(trx, edit, fields)
    await updateCoupon(trx, coupon.id, toColumns(fields)).catch((error: unknown) => {
      throw isDuplicate(error) ? codeTaken() : error
    })
  }
})

async function insertCoupon(trx: Trx, edit: Edit, { key, ...fields }: CouponDraft) {
  await requireValid(trx, edit, fields)
  const id = randomUUID()
  const own = { id, creation_key: key, created_at: edit.at, uses: 0, version: 1 }
  const insert = trx.insertInto('coupons').values({ ...toColumns(fields), ...own })
  if (!(await hasWritten(insert.onConflict(conflict => conflict.doNothing())))) throw codeTaken()
  return id
}

async function requireValid(
  trx: Trx,
  { at, isVerified }: Edit,
  { percent, amount, minimum, mayBeFree, categories, endTime }: CouponFields
) {
  const share = amount === null ? (percent ?? 0) / 100 : amount / minimum
  if (!isVerified && (mayBeFree || share > MAX_SHARE_WITHOUT_VERIFICATION))
    throw new ShopError('VERIFICATION_REQUIRED')
  const known = await listCategoryNames(trx)
  if (!categories.every(name => known.includes(name)))
    throw invalidField('categories', ADMIN_MESSAGES.productCategoryInvalid)
  if (endTime !== null && endTime <= at)
    throw invalidField('endTime', t('Please choose an end in the future'))
}

function stateOf(row: CouponRow, now: string): AdminCoupon['state'] {
  if (row.ends_at !== null && row.ends_at <= now) return 'ended'
  if (row.max_uses !== null && row.uses >= row.max_uses) return 'used_up'
  return row.starts_at > now ? 'scheduled' : 'running'
}

function toAdminCoupon(row: CouponRow, now: string): AdminCoupon {
  return {
    id: row.id,
    version: row.version,
    uses: row.uses,
    createdAt: row.created_at,
    state: stateOf(row, now),
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

function codeTaken(): ShopError {
  return invalidField('code', t('Another coupon has this code. Please choose another code.'))
}

async function lockCoupon(trx: Trx, id: string): Promise<CouponRow> {
  const coupon = await lockRow(trx, 'coupons', id)
  if (!coupon) throw new ShopError('COUPON_NOT_FOUND')
  return coupon
}

type CouponTermColumns = Omit<CouponRow, 'id' | 'uses' | 'version' | 'creation_key' | 'created_at'>

async function updateCoupon(trx: Trx, id: string, changes: Partial<CouponTermColumns>) {
  await trx
    .updateTable('coupons')
    .set(changes)
    .set(row => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export const couponRoutes: FastifyPluginAsyncZod = async app => {
  app.get('/coupons', route('List all coupons', z.array(AdminCoupon)), async () => {
    const all = app.database.kysely.selectFrom('coupons').selectAll()
    const rows = await all.orderBy('created_at', 'desc').orderBy('id').execute()
    return rows.map(row => toAdminCoupon(row, isoNow(app.clock)))
  })

  recordRoutes(app, {
    noun: 'coupon',
    records: coupons,
    item: AdminCoupon,
    draft: CouponDraft,
    change: CouponChange,
    create: (editor, draft) => coupons.create(app, editor, draft, insertCoupon)
  })

  app.post(
    '/coupons/:id/end',
    route('End a coupon now', AdminCoupon, { params: IdPath }),
    request => {
      const [{ actor }, { id }, at] = [toEditor(request), request.params, isoNow(app.clock)]
      return app.write(async trx => {
        const { ends_at } = await lockCoupon(trx, id)
        if (ends_at === null || ends_at > at) {
          await updateCoupon(trx, id, { ends_at: at })
          const [before, after] = [{ endTime: ends_at }, { endTime: at }]
          await record(trx, { actor, at, kind: 'coupon', id, action: 'ended', before, after })
        }
        return coupons.require(trx, id, at)
      })
    }
  )
}
