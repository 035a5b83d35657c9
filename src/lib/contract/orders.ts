import * as z from 'zod/mini'
import { KITCHEN_FILTERS, ORDER_FILTERS, DELIVERY_METHODS, TAX_STATUSES } from './names.ts'
import { normalizePhone, removeSpaces } from './formats.ts'
import {
  ACCOUNT_LIMITS,
  CANCEL_BLOCKS,
  DEFAULT_COUNTRY,
  ORDER_LIMITS,
  ORDER_STATUSES,
  PAYMENT_STATUSES,
  PINCODE
} from '../constants.ts'
import { type OrderStatusChange, type OrderStatusChanges, Shipment } from './fulfilment.ts'
import {
  addressLine,
  optionalText,
  emailAddress,
  Instant,
  PackSize,
  PageNumber,
  PathId,
  Picture,
  Rupees,
  SearchText,
  plainText,
  type QueryStrings,
  requiredLine,
  type ById
} from './values.ts'
import { FIELD_TEXTS } from './field-texts.ts'

export type CustomerDetails = z.infer<typeof CustomerDetails>
export const CustomerDetails = z.object({
  name: requiredLine(ACCOUNT_LIMITS.name, FIELD_TEXTS.nameRequired),
  email: emailAddress(FIELD_TEXTS.contactEmailRequired).check(z.toLowerCase()),
  phone: z
    .string(FIELD_TEXTS.phoneInvalid)
    .check(z.overwrite(normalizePhone), z.regex(/^\d{10}$/, FIELD_TEXTS.phoneInvalid))
})

export const Pincode = z
  .string(FIELD_TEXTS.pincodeInvalid)
  .check(z.overwrite(removeSpaces), z.regex(PINCODE, FIELD_TEXTS.pincodeInvalid))

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
    requiredLine(ACCOUNT_LIMITS.addressLine, 'Please enter the country'),
    DEFAULT_COUNTRY
  )
})

/** In replies. All texts but state and country are empty once the account is deleted. */
const StoredCustomer = z.object({ name: z.string(), email: z.string(), phone: z.string() })
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
/** In Indian time, such as '2026-12-24T18:30'. */
export const EventTime = z
  .string()
  .check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, FIELD_TEXTS.eventTimeInvalid))

const PackedItem = z.object({
  product: z.object({
    _id: z.string(),
    name: z.string(),
    image: z.string(),
    picture: z.optional(Picture)
  }),
  quantity: z.int(),
  packSize: z.optional(PackSize)
})

const LineTax = z.object({
  /** In percent, CGST and SGST together. */
  rate: z.number(),
  taxable: Rupees,
  cgst: Rupees,
  sgst: Rupees,
  igst: Rupees
})

export type Seller = z.infer<typeof Seller>
/** The shop as its invoices name it. */
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
  /** Empty if the shop is not registered for GST. */
  gstin: z.string()
})

const OrderItem = z.extend(PackedItem, {
  line: z.int(),
  price: Rupees,
  listPrice: Rupees,
  discount: z.optional(z.int()),
  couponDiscount: z.optional(Rupees),
  /** price × quantity, less the coupon discount. */
  total: Rupees,
  hsn: z.optional(z.string()),
  /** Only on tax invoices. */
  tax: z.optional(LineTax)
})

export type OrderChange = z.infer<typeof OrderChange>
const OrderChange = z.object({
  at: Instant,
  /** The removed packs. */
  items: z.array(OrderItem),
  /** Amount of the credit note. */
  credited: Rupees,
  /** Less than `credited` if money was already refunded at the provider. */
  refunded: Rupees,
  creditNoteNumber: z.optional(z.string()),
  deliveryDate: z.optional(z.string()),
  hasNewPhone: z.boolean(),
  hasNewAddress: z.boolean()
})

/** Refunds of the payment, in rupees. Missing if there are none. */
const Refunds = z.object({
  /** Includes refunds made in Razorpay's dashboard, lost disputes, and refunds marked as done. */
  processed: Rupees,
  /** Created by the shop, but not confirmed by Razorpay yet. */
  open: Rupees,
  /** Must go back, but Razorpay has failed to refund it, so an administrator must decide. */
  due: Rupees,
  /** Has gone back without a credit note. */
  surplus: Rupees
})

export type Order = z.infer<typeof Order>
export const Order = z.object({
  _id: z.string(),
  orderNumber: z.string(),
  createdAt: Instant,
  status: z.enum(ORDER_STATUSES),
  /** Without removed packs. */
  items: z.array(OrderItem),
  totalAmount: Rupees,
  changes: z.optional(z.array(OrderChange)),
  /** Included in the totals of the items. */
  coupon: z.optional(z.object({ code: z.string(), discount: Rupees })),
  shippingAddress: StoredAddress,
  customerDetails: StoredCustomer,
  deliveryDate: z.nullable(z.string()),
  /** Included in `totalAmount`. Omitted if there was none. */
  deliveryFee: z.optional(Rupees),
  /** For each tax rate of the goods. Only on tax invoices. */
  deliveryTax: z.optional(z.array(LineTax)),
  /** Missing in orders that are older than the shop's delivery settings. */
  deliveryMethod: z.optional(z.enum(DELIVERY_METHODS)),
  shipment: z.optional(Shipment),
  note: z.optional(z.string()),
  eventAt: z.optional(z.string()),
  paymentMethod: z.string(),
  paymentStatus: z.enum(PAYMENT_STATUSES),
  refunds: z.optional(Refunds),
  razorpay_payment_id: z.nullable(z.string()),
  razorpay_order_id: z.nullable(z.string()),
  razorpay_signature: z.nullable(z.string()),
  history: z.array(z.object({ status: z.enum(ORDER_STATUSES), at: Instant })),
  invoiceNumber: z.nullable(z.string()),
  /** As issued. Missing in orders that are older than the shop's tax settings. */
  invoice: z.optional(
    z.object({
      status: z.enum(TAX_STATUSES),
      seller: Seller,
      /** GST code of the state of delivery, or of the seller's state for a pickup. */
      supplyState: z.optional(z.string())
    })
  ),
  creditNoteNumber: z.optional(z.string()),
  paidAt: z.nullable(Instant),
  canCancel: z.boolean(),
  cancelBlock: z.optional(z.enum(CANCEL_BLOCKS))
})

/** Of the provider. `returned`: the money went back. `void`: it stayed with the shop. */
const Reversal = z.object({
  id: z.string(),
  kind: z.enum(['refund', 'dispute']),
  amount: Rupees,
  state: z.enum(['pending', 'returned', 'void']),
  isAcknowledged: z.boolean()
})

export type AdminOrder = z.infer<typeof AdminOrder>
export const AdminOrder = z.extend(Order, {
  userId: z.string(),
  deliveryZone: z.optional(z.string()),
  isAnonymised: z.boolean(),
  /** True if the order was placed in test mode, so no money moved. */
  isTest: z.boolean(),
  /** True while a refund or dispute at the provider stops the order. */
  isOnHold: z.boolean(),
  refund: z.nullable(z.enum(['due', 'processed'])),
  reversals: z.array(Reversal),
  version: z.int(),
  /** Amount that can still be refunded, without what an open dispute may take. */
  refundable: Rupees
})

export type KitchenOrder = z.infer<typeof KitchenOrder>
export const KitchenOrder = z.extend(
  z.pick(AdminOrder, {
    _id: true,
    orderNumber: true,
    createdAt: true,
    status: true,
    shippingAddress: true,
    deliveryDate: true,
    deliveryMethod: true,
    shipment: true,
    note: true,
    eventAt: true,
    history: true,
    isAnonymised: true,
    isTest: true,
    isOnHold: true
  }),
  { items: z.array(PackedItem), customerDetails: z.omit(StoredCustomer, { email: true }) }
)

export type OrderQuery = z.infer<typeof OrderQuery>
export const OrderQuery = z.object({
  status: z.optional(z.enum(ORDER_FILTERS)),
  /** Earliest delivery date. If omitted, orders without a delivery date are also returned. */
  from: z.optional(DeliveryDate),
  until: z.optional(DeliveryDate),
  q: z.optional(SearchText),
  user: z.optional(PathId),
  ids: z.optional(plainText().check(z.maxLength(10_000))),
  page: z.optional(PageNumber)
})

export type KitchenOrderQuery = z.infer<typeof KitchenOrderQuery>
/** Without a search: it would find email addresses. */
export const KitchenOrderQuery = z.extend(z.omit(OrderQuery, { q: true, user: true }), {
  status: z.optional(z.enum(KITCHEN_FILTERS))
})

const pageOf = <Each extends z.core.$ZodType>(order: Each) =>
  z.object({ orders: z.array(order), count: z.int(), pages: z.int() })
export type OrderList = z.infer<typeof OrderList>
export const OrderList = pageOf(AdminOrder)
export type KitchenOrderList = z.infer<typeof KitchenOrderList>
export const KitchenOrderList = pageOf(KitchenOrder)

/** `left`: the orders that were not changed, because they no longer had the status `from`. */
const reportOf = <Each extends z.core.$ZodType>(order: Each) =>
  z.object({ moved: z.array(order), left: z.array(order) })
export type OrderStatusReport = z.infer<typeof OrderStatusReport>
export const OrderStatusReport = reportOf(AdminOrder)
export type KitchenStatusReport = z.infer<typeof KitchenStatusReport>
export const KitchenStatusReport = reportOf(KitchenOrder)

export interface OrdersApi {
  'GET /orders/my-orders': { reply: Order[] }
  'GET /orders/{id}': ById<Order>
  'POST /orders/{id}/cancel': ById<Order>
  'GET /admin/orders': { query: QueryStrings<OrderQuery>; reply: OrderList }
  'GET /admin/orders/export': { query: QueryStrings<OrderQuery>; reply: Blob }
  'GET /admin/orders/{id}': ById<AdminOrder>
  /** Fails with EDIT_CONFLICT if the order no longer has the status `from`. */
  'POST /admin/orders/{id}/move': ById<AdminOrder, { body: OrderStatusChange }>
  'POST /admin/orders/move': { body: OrderStatusChanges; reply: OrderStatusReport }
  'GET /admin/kitchen/orders': { query: QueryStrings<KitchenOrderQuery>; reply: KitchenOrderList }
  'GET /admin/kitchen/orders/{id}': ById<KitchenOrder>
  'POST /admin/kitchen/orders/{id}/move': ById<KitchenOrder, { body: OrderStatusChange }>
  'POST /admin/kitchen/orders/move': { body: OrderStatusChanges; reply: KitchenStatusReport }
}
