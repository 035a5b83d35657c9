import * as z from 'zod/mini'
import { normalizeCouponCode } from './formats.ts'
import { COUPON_LIMITS, SETTING_LIMITS } from '../constants.ts'
import { decimal, Instant, requiredText, timeText, wholeNumber, type ById } from './values.ts'
import { ADMIN_FIELD_TEXTS } from './admin-field-texts.ts'

const FIELDS = {
  code: z
    .string(ADMIN_FIELD_TEXTS.couponCodeInvalid)
    .check(
      z.overwrite(normalizeCouponCode),
      z.regex(
        new RegExp(`^[A-Z0-9-]{${COUPON_LIMITS.minCode},${COUPON_LIMITS.code}}$`),
        ADMIN_FIELD_TEXTS.couponCodeInvalid
      )
    ),
  percent: z.nullable(wholeNumber(1, 100, ADMIN_FIELD_TEXTS.couponDiscountInvalid)),
  amount: z.nullable(decimal(1, COUPON_LIMITS.maxRupees, ADMIN_FIELD_TEXTS.couponDiscountInvalid)),
  minimum: decimal(0, COUPON_LIMITS.maxRupees, ADMIN_FIELD_TEXTS.couponMinimumInvalid),
  startTime: timeText(ADMIN_FIELD_TEXTS.couponStartRequired),
  /** Null if the coupon runs until an administrator ends it. */
  endTime: z.nullable(timeText(ADMIN_FIELD_TEXTS.couponEndTooEarly)),
  oncePerPerson: z.boolean(),
  maxUses: z.nullable(wholeNumber(1, COUPON_LIMITS.uses, ADMIN_FIELD_TEXTS.couponUsesInvalid)),
  /** Empty for all categories. */
  categories: z
    .array(requiredText(SETTING_LIMITS.name, ADMIN_FIELD_TEXTS.productCategoryInvalid))
    .check(z.maxLength(50)),
  mayBeFree: z.boolean()
}

export type CouponFields = z.infer<typeof CouponFields>
const CouponFields = z.object(FIELDS)

const hasOneDiscount = z.refine<Pick<CouponFields, 'percent' | 'amount'>>(
  ({ percent, amount }) => (percent === null) !== (amount === null),
  { error: ADMIN_FIELD_TEXTS.couponDiscountInvalid, path: ['discount'] }
)
const endsAfterStart = z.refine<Pick<CouponFields, 'startTime' | 'endTime'>>(
  ({ startTime, endTime }) => endTime === null || endTime > startTime,
  { error: ADMIN_FIELD_TEXTS.couponEndTooEarly, path: ['endTime'] }
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
  'GET /admin/coupons/{id}': ById<AdminCoupon>
  'POST /admin/coupons': { body: CouponDraft; reply: AdminCoupon }
  'PATCH /admin/coupons/{id}': ById<AdminCoupon, { body: CouponChange }>
  'POST /admin/coupons/{id}/end': ById<AdminCoupon>
}
