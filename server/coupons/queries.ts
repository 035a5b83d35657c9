import type { OrderPaymentState } from '../platform/db/order-tables.ts'
import type { CouponRow, Db, Trx } from '../platform/db/tables.ts'

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

export function listCoupons(db: Db): Promise<CouponRow[]> {
  return db.selectFrom('coupons').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()
}

export function findById(db: Db, id: string): Promise<CouponRow | undefined> {
  return db.selectFrom('coupons').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Claims and edits of a coupon wait for each other. */
export function lockCoupon(trx: Trx, id: string): Promise<CouponRow | undefined> {
  const locked = trx.updateTable('coupons').set(row => ({ version: row.ref('version') }))
  return locked.where('id', '=', id).returningAll().executeTakeFirst()
}

export type CouponTermColumns = Omit<CouponRow, 'id' | 'uses' | 'version' | 'creation_key' | 'created_at'>

/** Returns false if there is a coupon with this code or this creation key. */
export async function insertCoupon(
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

export async function updateCoupon(trx: Trx, id: string, changes: Partial<CouponTermColumns>): Promise<void> {
  await trx
    .updateTable('coupons')
    .set(changes)
    .set(row => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
