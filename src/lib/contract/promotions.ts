import * as z from 'zod/mini'
import { COUPON_LIMITS, DEAL_PERCENT, SETTING_LIMITS } from '../constants.ts'
import type { Done } from './accounts.ts'
import { Product } from './catalog.ts'
import { normalizeCouponCode } from './formats.ts'
import {
  decimal,
  Instant,
  MAX_ID_LENGTH,
  MAX_RUPEES,
  PathId,
  Picture,
  requiredText,
  Rupees,
  timeText,
  VersionText,
  wholeNumber,
  type ById
} from './values.ts'
import { ADMIN_TEXTS } from './admin-texts.ts'
import { text } from './texts.ts'

const { _id, name, nameTamil, price, image, description, category, quantity, translations } =
  Product.shape
const picture = z.optional(Picture)
const DealProduct = z.object({
  _id,
  name,
  price,
  image,
  picture,
  description,
  category,
  stock: z.int(),
  quantity,
  nameTamil: z.optional(nameTamil),
  translations
})

export type DiscountedProduct = z.infer<typeof DiscountedProduct>
export const DiscountedProduct = z.object({
  _id: z.string(),
  id: z.string(),
  product: DealProduct,
  name: z.string(),
  nameTamil: z.optional(z.string()),
  image: z.string(),
  originalPrice: Rupees,
  currentPrice: Rupees,
  discountedPrice: Rupees,
  discountPercentage: z.number(),
  startTime: Instant,
  endTime: Instant
})

export type AdminDeal = z.infer<typeof AdminDeal>
export const AdminDeal = z.extend(DiscountedProduct, {
  version: z.int(),
  drawn: z.int(),
  hidden: z.boolean(),
  /** For the countdown, because a device's clock may be wrong. */
  serverTime: Instant
})

export type FlashDeal = z.infer<typeof FlashDeal>
export const FlashDeal = z.object({
  _id: z.string(),
  productId: DealProduct,
  startTime: Instant,
  endTime: Instant,
  discountPercentage: z.number(),
  serverTime: Instant
})

export type Discount = z.infer<typeof Discount>
export const Discount = z.object({
  dealId: z.string(),
  productId: z.string(),
  discount: z.int(),
  price: Rupees,
  originalPrice: Rupees,
  endTime: Instant,
  used: z.boolean(),
  serverTime: Instant
})

const percent = decimal(DEAL_PERCENT.min, DEAL_PERCENT.max, ADMIN_TEXTS.dealPercentInvalid)

const checkEndTime = z.refine<{ startTime: string; endTime: string }>(
  ({ startTime, endTime }) => !(Date.parse(startTime) >= Date.parse(endTime)),
  { error: ADMIN_TEXTS.dealEndTooEarly, path: ['endTime'] }
)

const dealTime = timeText(text('Please enter a date and time'))
const terms = { discountPercentage: percent, startTime: dealTime, endTime: dealTime }

export type DealDraft = z.infer<typeof DealDraft>
export const DealDraft = z
  .object({
    productId: requiredText(MAX_ID_LENGTH, ADMIN_TEXTS.dealProductRequired),
    /** Not used: the price comes from the catalogue. */
    originalPrice: z.optional(z.number().check(z.nonnegative(), z.maximum(MAX_RUPEES))),
    ...terms
  })
  .check(checkEndTime)

export type DealChange = z.infer<typeof DealChange>
/** Without the product: shoppers may have drawn a discount for it. */
export const DealChange = z.object({ ...terms, version: z.int() }).check(checkEndTime)

export const DealRemovalQuery = z.object({ version: z.optional(VersionText) })

export const DrawPath = z.object({ productId: PathId })

const COUPON_FIELDS = {
  code: z
    .string(ADMIN_TEXTS.couponCodeInvalid)
    .check(
      z.overwrite(normalizeCouponCode),
      z.regex(
        new RegExp(`^[A-Z0-9-]{${COUPON_LIMITS.minCode},${COUPON_LIMITS.code}}$`),
        ADMIN_TEXTS.couponCodeInvalid
      )
    ),
  percent: z.nullable(wholeNumber(1, 100, ADMIN_TEXTS.couponDiscountInvalid)),
  amount: z.nullable(decimal(1, COUPON_LIMITS.maxRupees, ADMIN_TEXTS.couponDiscountInvalid)),
  minimum: decimal(0, COUPON_LIMITS.maxRupees, ADMIN_TEXTS.couponMinimumInvalid),
  startTime: timeText(ADMIN_TEXTS.couponStartRequired),
  endTime: z.nullable(timeText(ADMIN_TEXTS.couponEndTooEarly)),
  oncePerPerson: z.boolean(),
  maxUses: z.nullable(wholeNumber(1, COUPON_LIMITS.uses, ADMIN_TEXTS.couponUsesInvalid)),
  categories: z
    .array(requiredText(SETTING_LIMITS.name, ADMIN_TEXTS.productCategoryInvalid))
    .check(z.maxLength(50)),
  mayBeFree: z.boolean()
}

export type CouponFields = z.infer<typeof CouponFields>
const CouponFields = z.object(COUPON_FIELDS)

const hasOneDiscount = z.refine<Pick<CouponFields, 'percent' | 'amount'>>(
  ({ percent, amount }) => (percent === null) !== (amount === null),
  { error: ADMIN_TEXTS.couponDiscountInvalid, path: ['discount'] }
)
const endsAfterStart = z.refine<Pick<CouponFields, 'startTime' | 'endTime'>>(
  ({ startTime, endTime }) => endTime === null || endTime > startTime,
  { error: ADMIN_TEXTS.couponEndTooEarly, path: ['endTime'] }
)

export type CouponDraft = z.infer<typeof CouponDraft>
export const CouponDraft = z
  .object({ ...COUPON_FIELDS, key: z.uuid() })
  .check(hasOneDiscount, endsAfterStart)

export type CouponChange = z.infer<typeof CouponChange>
export const CouponChange = z
  .object({ ...COUPON_FIELDS, version: z.int() })
  .check(hasOneDiscount, endsAfterStart)

export type AdminCoupon = z.infer<typeof AdminCoupon>
export const AdminCoupon = z.object({
  ...COUPON_FIELDS,
  startTime: Instant,
  endTime: z.nullable(Instant),
  id: z.string(),
  version: z.int(),
  state: z.enum(['scheduled', 'running', 'used_up', 'ended']),
  uses: z.int(),
  createdAt: Instant
})

export interface PromotionsApi {
  'GET /discounted-products': { reply: DiscountedProduct[] | AdminDeal[] }
  'POST /discounted-products': { body: DealDraft; reply: AdminDeal }
  'PATCH /discounted-products/{id}': ById<AdminDeal, { body: DealChange }>
  'DELETE /discounted-products/{id}': ById<Done, { query: { version?: string } }>
  'GET /flash-deals': { reply: FlashDeal[] }
  'POST /flash-deals/generate/{productId}': { params: { productId: string }; reply: Discount }
  'GET /flash-deals/mine': { reply: Discount[] }
  'GET /admin/coupons': { reply: AdminCoupon[] }
  'GET /admin/coupons/{id}': ById<AdminCoupon>
  'POST /admin/coupons': { body: CouponDraft; reply: AdminCoupon }
  'PATCH /admin/coupons/{id}': ById<AdminCoupon, { body: CouponChange }>
  'POST /admin/coupons/{id}/end': ById<AdminCoupon>
}
