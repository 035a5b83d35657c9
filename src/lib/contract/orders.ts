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
import { atMost, MESSAGES } from '../messages.ts'
import { phoneDigits } from '../phone.ts'
import { CartEntry } from './cart.ts'
import { Instant, PackSize, Picture, Rupees, trimmed } from './values.ts'

export type CustomerDetails = z.infer<typeof CustomerDetails>
export const CustomerDetails = z.object({
  name: trimmed(ACCOUNT_LIMITS.name, MESSAGES.nameRequired),
  email: z
    .string(MESSAGES.contactEmailRequired)
    .check(
      z.trim(),
      z.toLowerCase(),
      z.minLength(1, MESSAGES.contactEmailRequired),
      z.maxLength(ACCOUNT_LIMITS.email, atMost(ACCOUNT_LIMITS.email)),
      z.email(MESSAGES.contactEmailInvalid)
    ),
  phone: z.string(MESSAGES.phoneInvalid).check(z.overwrite(phoneDigits), z.regex(/^\d{10}$/, MESSAGES.phoneInvalid))
})

const optionalLine = () =>
  z.optional(z.string().check(z.trim(), z.maxLength(ACCOUNT_LIMITS.addressLine, atMost(ACCOUNT_LIMITS.addressLine))))

const withoutSpaces = (typed: string): string => typed.replace(/\s/g, '')

export type ShippingAddress = z.infer<typeof ShippingAddress>
/** Where an order goes; unlike a profile's address it is complete. */
export const ShippingAddress = z.object({
  apartmentOrSuite: optionalLine(),
  street: trimmed(ACCOUNT_LIMITS.addressLine, CHECKOUT_MESSAGES.streetRequired),
  landmark: optionalLine(),
  city: trimmed(ACCOUNT_LIMITS.addressLine, CHECKOUT_MESSAGES.cityRequired),
  district: optionalLine(),
  state: trimmed(ACCOUNT_LIMITS.addressLine, CHECKOUT_MESSAGES.stateRequired),
  pincode: z
    .string(MESSAGES.pincodeInvalid)
    .check(z.overwrite(withoutSpaces), z.regex(/^[1-9]\d{5}$/, MESSAGES.pincodeInvalid)),
  country: z._default(trimmed(ACCOUNT_LIMITS.addressLine, CHECKOUT_MESSAGES.countryRequired), DEFAULT_COUNTRY)
})

/** A day in India: '2026-11-23'. */
export const DeliveryDate = z.iso.date(CHECKOUT_MESSAGES.deliveryDateInvalid)

export type PaymentOrderRequest = z.infer<typeof PaymentOrderRequest>
/** With `items` a whole checkout; without, the specification's bare call. */
export const PaymentOrderRequest = z.object({
  /** The total in rupees that the shopper has seen; another one is answered by PRICE_CHANGED. */
  amount: Rupees,
  items: z.optional(z.array(CartEntry).check(z.minLength(1, MESSAGES.cartEmpty), z.maxLength(ORDER_LIMITS.lines))),
  customerDetails: z.optional(CustomerDetails),
  shippingAddress: z.optional(ShippingAddress),
  deliveryDate: z.optional(z.nullable(DeliveryDate)),
  /** Made by the browser for each checkout and anew whenever lines, address or date change: it makes repeating harmless. */
  checkoutKey: z.optional(z.uuid())
})

const OrderItem = z.object({
  product: z.object({ _id: z.string(), name: z.string(), image: z.string(), picture: z.optional(Picture) }),
  quantity: z.int(),
  /** What one pack cost. */
  price: Rupees,
  /** The catalogue's price of one pack when it was ordered. */
  listPrice: Rupees,
  discount: z.optional(z.int()),
  total: Rupees,
  packSize: z.optional(PackSize)
})

export type Order = z.infer<typeof Order>
/** An order as it was made: names and prices are those of its day. */
export const Order = z.object({
  _id: z.string(),
  /** What shopper and shop call it. */
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
  /** Each status and since when, the oldest first. */
  history: z.array(z.object({ status: z.enum(ORDER_STATUSES), at: Instant })),
  /** Consecutive within India's financial year; given when the order is paid. */
  invoiceNumber: z.nullable(z.string()),
  /** Likewise, of what was given back when it was cancelled. */
  creditNoteNumber: z.optional(z.string()),
  paidAt: z.nullable(Instant),
  /** Whether the shopper may cancel it now. */
  canCancel: z.boolean()
})

export type PaymentOrder = z.infer<typeof PaymentOrder>
/** What the provider's window takes. */
export const PaymentOrder = z.object({
  /** The provider's order; null when there is nothing to pay, and `order` is the finished one. */
  id: z.nullable(z.string()),
  /** In paise, as the provider wants it. */
  amount: z.int(),
  currency: z.literal(CURRENCY),
  /** Of the provider; public. */
  key: z.string(),
  orderId: z.string(),
  total: Rupees,
  /** Until when the goods are kept for the shopper. */
  holdUntil: z.nullable(Instant),
  theme: z.object({ color: z.string() }),
  /** Whether the built-in sandbox stands in for the provider: no money moves. */
  sandbox: z.boolean(),
  /** The script that defines `window.Razorpay`. */
  script: z.string(),
  order: z.optional(Order)
})

export type OrderRequest = z.infer<typeof OrderRequest>
/** What the provider's handler gave. The specification's other fields are taken and not believed. */
export const OrderRequest = z.object({
  razorpay_order_id: z.string().check(z.minLength(1), z.maxLength(100)),
  razorpay_payment_id: z.string().check(z.minLength(1), z.maxLength(100)),
  razorpay_signature: z.string().check(z.minLength(1), z.maxLength(200)),
  /** Needed only after the bare payment call, and read only then: nothing that is sent besides may stop a paid order. */
  items: z.optional(z.unknown()),
  customerDetails: z.optional(z.unknown()),
  shippingAddress: z.optional(z.unknown()),
  deliveryDate: z.optional(z.unknown())
})

export type BareOrder = z.infer<typeof BareOrder>
/** What a bare payment was for. */
export const BareOrder = z.object({
  items: z.array(CartEntry).check(z.minLength(1, MESSAGES.cartEmpty), z.maxLength(ORDER_LIMITS.lines)),
  customerDetails: CustomerDetails,
  shippingAddress: ShippingAddress,
  deliveryDate: z.optional(z.nullable(DeliveryDate))
})

export type PaymentState = z.infer<typeof PaymentState>
export const PaymentState = z.object({
  /** `checking`: the provider knows of an attempt that has not ended. `unpaid`: nothing was paid, and it may be tried again. */
  state: z.enum(['paid', 'checking', 'unpaid', 'refunded']),
  order: Order
})

export interface OrdersApi {
  'POST /payments/razorpay-order': { body: PaymentOrderRequest; reply: PaymentOrder }
  /** 201 and 200: the paid order. 202: an order whose status is `checking`, since the provider has not confirmed yet. */
  'POST /orders': { body: OrderRequest; reply: Order }
  /** Asks the provider how a payment stands. */
  'POST /payments/{orderId}/sync': { params: { orderId: string }; reply: PaymentState }
  'GET /orders/my-orders': { reply: Order[] }
  'GET /orders/{id}': { params: { id: string }; reply: Order }
  'POST /orders/{id}/cancel': { params: { id: string }; reply: Order }
}
