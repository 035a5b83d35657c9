import * as z from 'zod/mini'
import { ADMIN_MESSAGES } from '../admin/messages.ts'
import { normalizeCouponCode } from '../cart/coupon.ts'
import { COUPON_LIMITS, SETTING_LIMITS } from '../constants.ts'
import { decimal, Instant, requiredText, timeText, wholeNumber } from './values.ts'

const { couponCodeInvalid, couponDiscountInvalid, couponMinimumInvalid, couponUsesInvalid } =
  ADMIN_MESSAGES

const FIELDS = {
  code: z
    .string(couponCodeInvalid)
    .check(
      z.overwrite(normalizeCouponCode),
      z.regex(
        new RegExp(`^[A-Z0-9-]{${COUPON_LIMITS.minCode},${COUPON_LIMITS.code}}$`),
        couponCodeInvalid
      )
    ),
  percent: z.nullable(wholeNumber(1, 100, couponDiscountInvalid)),
  amount: z.nullable(decimal(1, COUPON_LIMITS.maxRupees, couponDiscountInvalid)),
  minimum: decimal(0, COUPON_LIMITS.maxRupees, couponMinimumInvalid),
  startTime: timeText(ADMIN_MESSAGES.couponStartRequired),
  /** Null if the coupon runs until an administrator ends it. */
  endTime: z.nullable(timeText(ADMIN_MESSAGES.couponEndTooEarly)),
  oncePerPerson: z.boolean(),
  maxUses: z.nullable(wholeNumber(1, COUPON_LIMITS.uses, couponUsesInvalid)),
  /** Empty for all categories. */
  categories: z
    .array(requiredText(SETTING_LIMITS.name, ADMIN_MESSAGES.productCategoryInvalid))
    .check(z.maxLength(50)),
  mayBeFree: z.boolean()
}

export type CouponFields = z.infer<typeof CouponFields>
const CouponFields = z.object(FIELDS)

const hasOneDiscount = z.refine<Pick<CouponFields, 'percent' | 'amount'>>(
  ({ percent, amount }) => (percent === null) !== (amount === null),
  { error: couponDiscountInvalid, path: ['discount'] }
)
const endsAfterStart = z.refine<Pick<CouponFields, 'startTime' | 'endTime'>>(
  ({ startTime, endTime }) => endTime === null || endTime > startTime,
  { error: ADMIN_MESSAGES.couponEndTooEarly, path: ['endTime'] }
)

export type CouponDraft = z.infer<typeof CouponDraft>
export const CouponDraft = z
  .object({ ...FIELDS, key: z.uuid() })
  .check(hasOneDiscount, endsAfterStart)

export type CouponChange = z.infer<typeof CouponChange>
export const CouponChange = z
  .object({ ...FIELDS, version: z.int() })
  .check(hasOneDiscount, endsAfterStart)

export type AdminCoupon = z.infer<typeof AdminCoupon>
export const AdminCoupon = z.object({
  ...FIELDS,
  startTime: Instant,
  endTime: z.nullable(Instant),
  id: z.string(),
  version: z.int(),
  state: z.enum(['scheduled', 'running', 'used_up', 'ended']),
  uses: z.int(),
  createdAt: Instant
})

export interface CouponsApi {
  'GET /admin/coupons': { reply: AdminCoupon[] }
  'GET /admin/coupons/{id}': { params: { id: string }; reply: AdminCoupon }
  'POST /admin/coupons': { body: CouponDraft; reply: AdminCoupon }
  'PATCH /admin/coupons/{id}': { params: { id: string }; body: CouponChange; reply: AdminCoupon }
  'POST /admin/coupons/{id}/end': { params: { id: string }; reply: AdminCoupon }
}
