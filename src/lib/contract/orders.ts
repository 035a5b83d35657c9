import * as z from 'zod/mini'
import {
  ACCOUNT_LIMITS,
  CURRENCY,
  DEFAULT_COUNTRY,
  ORDER_LIMITS,
  ORDER_STATUSES,
  PAYMENT_STATUSES
} from '../constants.ts'
import { CHECKOUT_MESSAGES } from '../checkout/messages.ts'
import { tooLongText, MESSAGES } from '../messages.ts'
import { normalizePhone } from '../phone.ts'
import { CartEntry } from './cart.ts'
import { Instant, PackSize, Picture, Rupees, requiredText } from './values.ts'

export type CustomerDetails = z.infer<typeof CustomerDetails>
export const CustomerDetails = z.object({
  name: requiredText(ACCOUNT_LIMITS.name, MESSAGES.nameRequired),
  email: z
    .string(MESSAGES.contactEmailRequired)
    .check(
      z.trim(),
      z.toLowerCase(),
      z.minLength(1, MESSAGES.contactEmailRequired),
      z.maxLength(ACCOUNT_LIMITS.email, tooLongText(ACCOUNT_LIMITS.email)),
      z.email(MESSAGES.contactEmailInvalid)
    ),
  phone: z.string(MESSAGES.phoneInvalid).check(z.overwrite(normalizePhone), z.regex(/^\d{10}$/, MESSAGES.phoneInvalid))
})

const optionalLine = () =>
  z.optional(
    z.string().check(z.trim(), z.maxLength(ACCOUNT_LIMITS.addressLine, tooLongText(ACCOUNT_LIMITS.addressLine)))
  )

const withoutSpaces = (typed: string): string => typed.replace(/\s/g, '')

export type ShippingAddress = z.infer<typeof ShippingAddress>
export const ShippingAddress = z.object({
  apartmentOrSuite: optionalLine(),
  street: requiredText(ACCOUNT_LIMITS.addressLine, CHECKOUT_MESSAGES.streetRequired),
  landmark: optionalLine(),
  city: requiredText(ACCOUNT_LIMITS.addressLine, CHECKOUT_MESSAGES.cityRequired),
  district: optionalLine(),
  state: requiredText(ACCOUNT_LIMITS.addressLine, CHECKOUT_MESSAGES.stateRequired),
  pincode: z
    .string(MESSAGES.pincodeInvalid)
    .check(z.overwrite(withoutSpaces), z.regex(/^[1-9]\d{5}$/, MESSAGES.pincodeInvalid)),
  country: z._default(requiredText(ACCOUNT_LIMITS.addressLine, CHECKOUT_MESSAGES.countryRequired), DEFAULT_COUNTRY)
})

export const DeliveryDate = z.iso.date(CHECKOUT_MESSAGES.deliveryDateInvalid)

export type PaymentOrderRequest = z.infer<typeof PaymentOrderRequest>
/** If `items` is omitted, the payment is unitemised: it is created without a list of items, as in the specification. */
export const PaymentOrderRequest = z.object({
  /** The total shown to the shopper. The call fails with PRICE_CHANGED if the current total differs. */
  amount: Rupees,
  items: z.optional(z.array(CartEntry).check(z.minLength(1, MESSAGES.cartEmpty), z.maxLength(ORDER_LIMITS.lines))),
  customerDetails: z.optional(CustomerDetails),
  shippingAddress: z.optional(ShippingAddress),
  deliveryDate: z.optional(z.nullable(DeliveryDate)),
  /** Idempotency key. The browser creates a new key if the items, address or date change. */
  checkoutKey: z.optional(z.uuid())
})

const OrderItem = z.object({
  product: z.object({ _id: z.string(), name: z.string(), image: z.string(), picture: z.optional(Picture) }),
  quantity: z.int(),
  price: Rupees,
  listPrice: Rupees,
  discount: z.optional(z.int()),
  total: Rupees,
  packSize: z.optional(PackSize)
})

export type Order = z.infer<typeof Order>
export const Order = z.object({
  _id: z.string(),
  orderNumber: z.string(),
  createdAt: Instant,
  status: z.enum(ORDER_STATUSES),
  items: z.array(OrderItem),
  totalAmount: Rupees,
  shippingAddress: ShippingAddress,
  customerDetails: CustomerDetails,
  deliveryDate: z.nullable(z.string()),
  paymentMethod: z.string(),
  paymentStatus: z.enum(PAYMENT_STATUSES),
  razorpay_payment_id: z.nullable(z.string()),
  razorpay_order_id: z.nullable(z.string()),
  razorpay_signature: z.nullable(z.string()),
  history: z.array(z.object({ status: z.enum(ORDER_STATUSES), at: Instant })),
  invoiceNumber: z.nullable(z.string()),
  creditNoteNumber: z.optional(z.string()),
  paidAt: z.nullable(Instant),
  canCancel: z.boolean()
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

export type OrderRequest = z.infer<typeof OrderRequest>
export const OrderRequest = z.object({
  razorpay_order_id: z.string().check(z.minLength(1), z.maxLength(100)),
  razorpay_payment_id: z.string().check(z.minLength(1), z.maxLength(100)),
  razorpay_signature: z.string().check(z.minLength(1), z.maxLength(200)),
  /**
   * Used only for unitemised payments (created without a list of items). Otherwise ignored, because an invalid field
   * must not block an order that is paid.
   */
  items: z.optional(z.unknown()),
  customerDetails: z.optional(z.unknown()),
  shippingAddress: z.optional(z.unknown()),
  deliveryDate: z.optional(z.unknown())
})

export type UnitemisedOrder = z.infer<typeof UnitemisedOrder>
export const UnitemisedOrder = z.object({
  items: z.array(CartEntry).check(z.minLength(1, MESSAGES.cartEmpty), z.maxLength(ORDER_LIMITS.lines)),
  customerDetails: CustomerDetails,
  shippingAddress: ShippingAddress,
  deliveryDate: z.optional(z.nullable(DeliveryDate))
})

export type PaymentState = z.infer<typeof PaymentState>
export const PaymentState = z.object({
  /** 'checking' means that the provider has not yet reported whether the payment succeeded. */
  state: z.enum(['paid', 'checking', 'unpaid', 'refunded']),
  order: Order
})

export interface OrdersApi {
  'POST /payments/razorpay-order': { body: PaymentOrderRequest; reply: PaymentOrder }
  /** Replies with 202 if the provider has not confirmed the payment yet. */
  'POST /orders': { body: OrderRequest; reply: Order }
  'POST /payments/{orderId}/sync': { params: { orderId: string }; reply: PaymentState }
  'GET /orders/my-orders': { reply: Order[] }
  'GET /orders/{id}': { params: { id: string }; reply: Order }
  'POST /orders/{id}/cancel': { params: { id: string }; reply: Order }
}
