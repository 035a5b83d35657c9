import * as z from 'zod/mini'
import { COUPON_PROBLEMS, LINE_PROBLEMS, REDUCTIONS, STOCK_LEVELS } from './names.ts'
import {
  CART_LIMITS,
  COUPON_LIMITS,
  CURRENCY,
  MAX_CART_QUANTITY,
  MIN_CART_QUANTITY,
  ORDER_LIMITS
} from '../constants.ts'
import {
  CustomerDetails,
  DeliveryDate,
  EventTime,
  Gift,
  Order,
  OrderNote,
  Pincode,
  ShippingAddress
} from './orders.ts'
import {
  Instant,
  PackSize,
  PathId,
  Picture,
  plainText,
  Rupees,
  filledText,
  tooLongText
} from './values.ts'
import { DISCOUNTED_PACK_LIMIT, FIELD_TEXTS, normalizeCouponCode } from './formats.ts'

export type CartEntry = z.infer<typeof CartEntry>
export const CartEntry = z
  .object({
    product: PathId,
    quantity: z.int().check(z.minimum(MIN_CART_QUANTITY), z.maximum(MAX_CART_QUANTITY)),
    dealId: z.optional(PathId)
  })
  .check(
    z.refine(({ quantity, dealId }) => dealId === undefined || quantity === 1, {
      error: DISCOUNTED_PACK_LIMIT,
      path: ['quantity']
    })
  )

const CartEntries = z.array(CartEntry).check(z.maxLength(CART_LIMITS.lines))

export type ServerCart = z.infer<typeof ServerCart>
export const ServerCart = z.object({
  lines: z.array(CartEntry),
  /** A change based on an older version fails with CART_CHANGED. */
  version: z.int().check(z.nonnegative())
})

export type CartChange = z.infer<typeof CartChange>
export const CartChange = z.object({ lines: CartEntries, version: z.int().check(z.nonnegative()) })

export type QuotedLine = z.infer<typeof QuotedLine>
export const QuotedLine = z.object({
  product: z.string(),
  dealId: z.optional(z.string()),
  name: z.string(),
  image: z.string(),
  picture: z.optional(Picture),
  packSize: z.optional(PackSize),
  quantity: z.int(),
  listPrice: Rupees,
  salePrice: z.optional(Rupees),
  price: Rupees,
  reduction: z.optional(z.enum(REDUCTIONS)),
  discount: z.optional(z.int()),
  couponDiscount: z.optional(Rupees),
  total: Rupees,
  stock: z.enum(STOCK_LEVELS),
  most: z.int(),
  problem: z.optional(z.enum(LINE_PROBLEMS))
})

export type CouponTerms = z.infer<typeof CouponTerms>
/** Lets the browser calculate the discount. Either percent or amount is set. */
export const CouponTerms = z.object({
  percent: z.optional(z.int()),
  amount: z.optional(Rupees),
  minimum: Rupees,
  products: z.array(z.string()),
  mayBeFree: z.boolean()
})

const QUOTED_COUPON_PROBLEMS = [
  ...COUPON_PROBLEMS,
  'unknown',
  'used',
  'unverified',
  'limited'
] as const
export type QuotedCouponProblem = (typeof QUOTED_COUPON_PROBLEMS)[number]

export type QuotedCoupon = z.infer<typeof QuotedCoupon>
export const QuotedCoupon = z.object({
  code: z.string(),
  discount: Rupees,
  problem: z.optional(z.enum(QUOTED_COUPON_PROBLEMS)),
  terms: z.optional(CouponTerms)
})

export type Quote = z.infer<typeof Quote>
export const Quote = z.object({
  lines: z.array(QuotedLine),
  coupon: z.optional(QuotedCoupon),
  /** Included in `total`. Only with a pincode, and if there are fees. */
  deliveryFee: z.optional(Rupees),
  total: Rupees,
  canOrder: z.boolean(),
  serverTime: Instant
})

const CouponCode = plainText().check(
  z.overwrite(normalizeCouponCode),
  z.minLength(1),
  z.maxLength(COUPON_LIMITS.typedCode, tooLongText(COUPON_LIMITS.typedCode))
)

export type QuoteRequest = z.infer<typeof QuoteRequest>
export const QuoteRequest = z.object({
  lines: CartEntries,
  coupon: z.optional(CouponCode),
  pincode: z.optional(Pincode),
  pickup: z.optional(z.boolean())
})

const CheckoutFields = z.object({
  items: z
    .array(CartEntry)
    .check(z.minLength(1, FIELD_TEXTS.cartEmpty), z.maxLength(ORDER_LIMITS.lines)),
  customerDetails: CustomerDetails,
  shippingAddress: ShippingAddress,
  deliveryDate: z.optional(z.nullable(DeliveryDate)),
  pickup: z.optional(z.boolean()),
  note: z.optional(OrderNote),
  eventAt: z.optional(EventTime),
  gift: z.optional(Gift)
})

export type UnitemisedOrder = z.infer<typeof UnitemisedOrder>
export const UnitemisedOrder = z.extend(CheckoutFields, {
  items: z
    // The specification's calls contain no `dealId`. A drawn discount is then found by the price of
    // the item.
    .array(z.intersection(CartEntry, z.object({ price: z.optional(z.unknown()) })))
    .check(z.minLength(1, FIELD_TEXTS.cartEmpty), z.maxLength(ORDER_LIMITS.lines))
})

export type PaymentOrderRequest = z.infer<typeof PaymentOrderRequest>
/** Without `items`, the payment is unitemised, as in the specification. */
export const PaymentOrderRequest = z.extend(z.partial(CheckoutFields), {
  /** PRICE_CHANGED if the total differs now. */
  amount: Rupees,
  coupon: z.optional(CouponCode),
  /** Idempotency key. A changed checkout needs a new one. */
  checkoutKey: z.optional(z.uuid())
})

export type PaymentOrder = z.infer<typeof PaymentOrder>
export const PaymentOrder = z.object({
  id: z.nullable(z.string()),
  /** In paise. */
  amount: z.int(),
  currency: z.literal(CURRENCY),
  key: z.string(),
  orderId: z.string(),
  total: Rupees,
  holdUntil: z.nullable(Instant),
  theme: z.object({ color: z.string() }),
  sandbox: z.boolean(),
  script: z.string(),
  order: z.optional(Order)
})

const unchecked = z.optional(z.unknown())
export type OrderRequest = z.infer<typeof OrderRequest>
export const OrderRequest = z.object({
  razorpay_order_id: filledText(100),
  razorpay_payment_id: filledText(100),
  razorpay_signature: filledText(200),
  /** For unitemised payments. An invalid field must not block an order that is paid. */
  items: unchecked,
  customerDetails: unchecked,
  shippingAddress: unchecked,
  deliveryDate: unchecked,
  pickup: unchecked,
  note: unchecked,
  eventAt: unchecked,
  gift: unchecked
})

export type PaymentState = z.infer<typeof PaymentState>
export const PaymentState = z.object({
  state: z.enum(['paid', 'checking', 'unpaid', 'refunded']),
  order: Order
})

export interface CheckoutApi {
  'GET /cart': { reply: ServerCart }
  'PUT /cart': { body: CartChange; reply: ServerCart }
  'DELETE /cart': { reply: ServerCart }
  'POST /cart/quote': { body: QuoteRequest; reply: Quote }
  'POST /payments/razorpay-order': { body: PaymentOrderRequest; reply: PaymentOrder }
  'POST /payments/{orderId}/sync': { params: { orderId: string }; reply: PaymentState }
  /** 202 if the provider has not confirmed the payment yet. */
  'POST /orders': { body: OrderRequest; reply: Order }
}
