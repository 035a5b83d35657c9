import type { OrderPaymentState } from '../platform/db/order-tables.ts'
import type { CouponRow, Db } from '../platform/db/tables.ts'

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
