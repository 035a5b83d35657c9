import * as z from 'zod/mini'
import { DELIVERY_METHODS, TAX_STATUSES } from './names.ts'
import {
  countShownLetters,
  FIELD_TEXTS,
  normalizePhone,
  toDigits,
  toKeyboardText,
  toOneLine
} from './formats.ts'
import {
  ACCOUNT_LIMITS,
  CANCEL_BLOCKS,
  DEFAULT_COUNTRY,
  ORDER_LIMITS,
  ORDER_STATUSES,
  PAYMENT_STATUSES,
  PINCODE,
  SETTING_LIMITS
} from '../constants.ts'
import {
  addressLine,
  optionalText,
  emailAddress,
  emptyOr,
  Instant,
  isWebAddress,
  limitedText,
  LanguageCode,
  PackSize,
  Picture,
  Rupees,
  optionalLine,
  plainText,
  requiredLine,
  tooLongText,
  type ById
} from './values.ts'
import { ADMIN_TEXTS } from './admin-texts.ts'
import { text } from './texts.ts'

export type CustomerDetails = z.infer<typeof CustomerDetails>
export const CustomerDetails = z.object({
  name: requiredLine(ACCOUNT_LIMITS.name, FIELD_TEXTS.nameRequired),
  email: emailAddress(FIELD_TEXTS.contactEmailRequired),
  phone: z
    .string(FIELD_TEXTS.phoneInvalid)
    .check(z.overwrite(normalizePhone), z.regex(/^\d{10}$/, FIELD_TEXTS.phoneInvalid))
})

export const Pincode = z
  .string(FIELD_TEXTS.pincodeInvalid)
  .check(z.overwrite(toDigits), z.regex(PINCODE, FIELD_TEXTS.pincodeInvalid))

export type ShippingAddress = z.infer<typeof ShippingAddress>
export const ShippingAddress = z.object({
  apartmentOrSuite: z.optional(addressLine()),
  street: requiredLine(ACCOUNT_LIMITS.addressLine, FIELD_TEXTS.streetRequired),
  landmark: z.optional(addressLine()),
  city: requiredLine(ACCOUNT_LIMITS.addressLine, FIELD_TEXTS.cityRequired),
  district: z.optional(addressLine()),
  state: requiredLine(ACCOUNT_LIMITS.addressLine, FIELD_TEXTS.stateRequired),
  pincode: Pincode,
  country: z._default(
    requiredLine(ACCOUNT_LIMITS.addressLine, text('Please enter the country')),
    DEFAULT_COUNTRY
  )
})

/** Once the account is deleted, all texts but state and country are empty. */
export const StoredCustomer = z.object({ name: z.string(), email: z.string(), phone: z.string() })
const StoredAddress = z.object({
  apartmentOrSuite: z.optional(z.string()),
  street: z.string(),
  landmark: z.optional(z.string()),
  city: z.string(),
  district: z.optional(z.string()),
  state: z.string(),
  pincode: z.string(),
  country: z.string()
})

export const DeliveryDate = z.iso.date(FIELD_TEXTS.deliveryDateInvalid)

export const OrderNote = optionalText(ORDER_LIMITS.note)

const { giftMessage } = ORDER_LIMITS
export type Gift = z.infer<typeof Gift>
/** Both may be empty: then the parcel only shows no prices. */
export const Gift = z.object({
  name: z._default(optionalLine(ACCOUNT_LIMITS.name), ''),
  message: z._default(
    plainText().check(
      z.trim(),
      z.maxLength(5 * giftMessage, tooLongText(giftMessage)),
      z.refine(typed => countShownLetters(typed) <= giftMessage, tooLongText(giftMessage))
    ),
    ''
  )
})

/** In Indian time, such as '2026-12-24T18:30'. */
export const EventTime = z
  .string()
  .check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, FIELD_TEXTS.eventTimeInvalid))

export const PackedItem = z.object({
  product: z.object({
    _id: z.string(),
    name: z.string(),
    image: z.string(),
    picture: z.optional(Picture)
  }),
  quantity: z.int(),
  packSize: z.optional(PackSize)
})

/** In rupees, apart from the rate. A correction is negative. */
const LineTax = z.object({
  rate: z.number(),
  taxable: z.number(),
  cgst: z.number(),
  sgst: z.number(),
  igst: z.number()
})

export type Seller = z.infer<typeof Seller>
export const Seller = z.object({
  name: z.string(),
  legalName: z.string(),
  address: z.object({
    street: z.string(),
    area: z.string(),
    city: z.string(),
    state: z.string(),
    pincode: z.string()
  }),
  phone: z.string(),
  email: z.string(),
  fssai: z.string(),
  gstin: z.string()
})

const OrderItem = z.extend(PackedItem, {
  line: z.int(),
  price: Rupees,
  listPrice: Rupees,
  discount: z.optional(z.int()),
  couponDiscount: z.optional(Rupees),
  total: Rupees,
  /** Of those that stay on the order. */
  refundedPacks: z.optional(z.int()),
  hsn: z.optional(z.string()),
  tax: z.optional(LineTax)
})

export type OrderChange = z.infer<typeof OrderChange>
const OrderChange = z.object({
  at: Instant,
  items: z.array(OrderItem),
  credited: Rupees,
  /** Less than `credited` if money had already gone back. */
  refunded: Rupees,
  creditNoteNumber: z.optional(z.string()),
  /** The items are refunded, but stay on the order. */
  keepsItems: z.optional(z.boolean()),
  /** Taxes of all but the items. Negative if earlier refunds have credited a part of these. */
  otherTax: z.optional(z.array(LineTax)),
  reason: z.optional(z.string()),
  deliveryDate: z.optional(z.string()),
  hasNewPhone: z.boolean(),
  hasNewAddress: z.boolean()
})

const Refunds = z.object({
  /** Also refunds in Razorpay's dashboard, lost disputes, and refunds marked as done. */
  processed: Rupees,
  open: Rupees,
  /** Razorpay has failed to refund it, so an administrator must decide. */
  due: Rupees,
  surplus: Rupees
})

export type Shipment = z.infer<typeof Shipment>
export const Shipment = z.object({
  courier: requiredLine(ORDER_LIMITS.courier, ADMIN_TEXTS.courierRequired),
  trackingNumber: optionalLine(ORDER_LIMITS.courier).check(z.overwrite(toKeyboardText)),
  trackingLink: emptyOr(isWebAddress, ADMIN_TEXTS.webAddressInvalid, toOneLine, SETTING_LIMITS.text)
})

export type Order = z.infer<typeof Order>
export const Order = z.object({
  _id: z.string(),
  orderNumber: z.string(),
  /** Of the page on which it was placed, and of its mails and invoice. */
  language: LanguageCode,
  createdAt: Instant,
  status: z.enum(ORDER_STATUSES),
  items: z.array(OrderItem),
  totalAmount: Rupees,
  changes: z.optional(z.array(OrderChange)),
  /** Refunded without taking packs off the order. */
  refundedAmount: z.optional(Rupees),
  coupon: z.optional(z.object({ code: z.string(), discount: Rupees })),
  shippingAddress: StoredAddress,
  customerDetails: StoredCustomer,
  deliveryDate: z.nullable(z.string()),
  deliveryFee: z.optional(Rupees),
  deliveryTax: z.optional(z.array(LineTax)),
  deliveryMethod: z.optional(z.enum(DELIVERY_METHODS)),
  shipment: z.optional(Shipment),
  note: z.optional(z.string()),
  eventAt: z.optional(z.string()),
  gift: z.optional(Gift),
  paymentMethod: z.string(),
  paymentStatus: z.enum(PAYMENT_STATUSES),
  refunds: z.optional(Refunds),
  razorpay_payment_id: z.nullable(z.string()),
  razorpay_order_id: z.nullable(z.string()),
  razorpay_signature: z.nullable(z.string()),
  history: z.array(z.object({ status: z.enum(ORDER_STATUSES), at: Instant })),
  invoiceNumber: z.nullable(z.string()),
  /** As issued. Missing in older orders. */
  invoice: z.optional(
    z.object({
      status: z.enum(TAX_STATUSES),
      seller: Seller,
      /** GST code. For a pickup, of the seller's state. */
      supplyState: z.optional(z.string())
    })
  ),
  creditNoteNumber: z.optional(z.string()),
  paidAt: z.nullable(Instant),
  canCancel: z.boolean(),
  cancelBlock: z.optional(z.enum(CANCEL_BLOCKS))
})

export type OrderLink = z.infer<typeof OrderLink>
export const OrderLink = z.object({ link: z.string(), expiresAt: Instant })
export type OrderLinkRequest = z.infer<typeof OrderLinkRequest>
/** A new link ends the old one. */
export const OrderLinkRequest = z.object({ renew: z.boolean() })
export type OrderLinkToken = z.infer<typeof OrderLinkToken>
export const OrderLinkToken = z.object({ token: limitedText(100) })

/** For everybody who has the link, so without names, streets, phone numbers and payment ids. */
export type LinkedOrder = z.infer<typeof LinkedOrder>
export const LinkedOrder = z.extend(
  z.pick(Order, {
    orderNumber: true,
    createdAt: true,
    status: true,
    history: true,
    coupon: true,
    totalAmount: true,
    refundedAmount: true,
    refunds: true,
    paymentStatus: true,
    deliveryDate: true,
    deliveryFee: true,
    deliveryMethod: true
  }),
  {
    items: z.array(
      z.pick(OrderItem, {
        product: true,
        quantity: true,
        packSize: true,
        price: true,
        listPrice: true,
        discount: true
      })
    ),
    shippingAddress: z.pick(StoredAddress, { city: true })
  }
)

export interface OrdersApi {
  'GET /orders/my-orders': { reply: Order[] }
  'GET /orders/{id}': ById<Order>
  'POST /orders/{id}/cancel': ById<Order>
  'POST /orders/{id}/link': ById<OrderLink, { body: OrderLinkRequest }>
  'POST /orders/by-link': { body: OrderLinkToken; reply: LinkedOrder }
}
