import * as z from 'zod/mini'
import {
  FULFILMENT_STATUSES,
  FULFILMENT_STEPS,
  type FulfilmentStatus,
  KITCHEN_FILTERS,
  ORDER_FILTERS,
  REFUND_CAUSES
} from './names.ts'
import { ORDER_LIMITS } from '../constants.ts'
import {
  CustomerDetails,
  DeliveryDate,
  Order,
  type OrderLink,
  type OrderLinkRequest,
  Shipment,
  ShippingAddress
} from './orders.ts'
import {
  type ById,
  Credential,
  PageNumber,
  PathId,
  type QueryStrings,
  requiredText,
  Rupees,
  SearchText,
  limitedText
} from './values.ts'
import { ADMIN_TEXTS } from './admin-texts.ts'

/** `returned`: the money went back. `void`: it stayed with the shop. */
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
  isTest: z.boolean(),
  isOnHold: z.boolean(),
  refund: z.nullable(z.enum(['due', 'processed'])),
  reversals: z.array(Reversal),
  version: z.int(),
  /** Without what an open dispute may take. */
  refundable: Rupees
})

export type OrderQuery = z.infer<typeof OrderQuery>
export const OrderQuery = z.object({
  status: z.optional(z.enum(ORDER_FILTERS)),
  from: z.optional(DeliveryDate),
  until: z.optional(DeliveryDate),
  /** The days are those in the kitchen, not those of delivery. */
  cooked: z.optional(z.literal('true')),
  q: z.optional(SearchText),
  user: z.optional(PathId),
  ids: z.optional(limitedText(10_000)),
  page: z.optional(PageNumber)
})

export const pageOf = <Each extends z.core.$ZodType>(order: Each) =>
  z.object({ orders: z.array(order), count: z.int(), pages: z.int() })
export type AdminOrderList = z.infer<typeof AdminOrderList>
export const AdminOrderList = pageOf(AdminOrder)

/** `left` no longer had the status `from`. */
export const reportOf = <Each extends z.core.$ZodType>(order: Each) =>
  z.object({ moved: z.array(order), left: z.array(order) })
export type OrderStatusReport = z.infer<typeof OrderStatusReport>
export const OrderStatusReport = reportOf(AdminOrder)

const OrderIds = z.array(PathId).check(z.minLength(1), z.maxLength(ORDER_LIMITS.maxBatch))

const Status = z.enum(FULFILMENT_STATUSES)

const isStepCheck = z.refine<{ from: FulfilmentStatus; to: FulfilmentStatus }>(
  ({ from, to }) =>
    Object.values(FULFILMENT_STEPS).some(steps => isStatusStep(from, to, steps)) ||
    isShipment(from, to),
  { error: ADMIN_TEXTS.orderStatusOrder, path: ['to'] }
)

export function isStatusStep(
  from: FulfilmentStatus,
  to: FulfilmentStatus,
  steps: readonly FulfilmentStatus[]
): boolean {
  return (
    steps.includes(from) &&
    steps.includes(to) &&
    Math.abs(steps.indexOf(from) - steps.indexOf(to)) === 1
  )
}

function isShipment(from: FulfilmentStatus, to: FulfilmentStatus) {
  return to === 'shipped' && (from === 'packed' || from === 'shipped')
}

export type OrderStatusChange = z.infer<typeof OrderStatusChange>
export const OrderStatusChange = z
  .object({
    from: Status,
    to: Status,
    shipment: z.optional(Shipment)
  })
  .check(isStepCheck)
  .check(
    z.refine(({ from, to, shipment }) => !isShipment(from, to) || shipment !== undefined, {
      error: ADMIN_TEXTS.courierRequired,
      path: ['shipment', 'courier']
    })
  )

export type OrderStatusChanges = z.infer<typeof OrderStatusChanges>
/** Not to ship orders, because each parcel has its own tracking number. */
export const OrderStatusChanges = z
  .object({ ids: OrderIds, from: Status, to: Status })
  .check(isStepCheck)
  .check(
    z.refine(({ from, to }) => !isShipment(from, to), {
      error: ADMIN_TEXTS.courierRequired,
      path: ['to']
    })
  )

export type OrderChangeRequest = z.infer<typeof OrderChangeRequest>
export const OrderChangeRequest = z.object({
  version: z.int(),
  deliveryDate: z.optional(DeliveryDate),
  confirmDay: z.optional(z.boolean()),
  phone: z.optional(CustomerDetails.shape.phone),
  shippingAddress: z.optional(ShippingAddress)
})

/** Of a line of the order. */
const RefundedPacks = z.object({ line: z.int(), packs: z.int().check(z.positive()) })

export type OrderRefundRequest = z.infer<typeof OrderRefundRequest>
/** Either of packs or of an amount. */
export const OrderRefundRequest = z.object({
  /** Repeated with the same key, nothing more is refunded. */
  key: PathId,
  version: z.int(),
  lines: z.array(RefundedPacks).check(z.maxLength(ORDER_LIMITS.lines)),
  amount: z.optional(Rupees),
  /** As the preview has shown. */
  refund: Rupees,
  cause: z.enum(REFUND_CAUSES, ADMIN_TEXTS.refundCauseRequired),
  note: z.optional(limitedText(ORDER_LIMITS.maxReasonLength)),
  restock: z.boolean()
})

export type OrderCancellation = z.infer<typeof OrderCancellation>
export const OrderCancellation = z.object({
  from: z.enum(KITCHEN_FILTERS),
  reason: requiredText(ORDER_LIMITS.maxReasonLength, ADMIN_TEXTS.orderReasonRequired),
  proof: Credential
})

export type ReversalAcknowledgement = z.infer<typeof ReversalAcknowledgement>
export const ReversalAcknowledgement = z.object({ reversals: OrderIds })

export type OrderMessage = z.infer<typeof OrderMessage>
export const OrderMessage = z.object({
  kind: z.enum([...FULFILMENT_STATUSES, 'delayed']),
  text: z.string()
})

export interface DeskApi {
  'GET /admin/orders': { query: QueryStrings<OrderQuery>; reply: AdminOrderList }
  'GET /admin/orders/export': { query: QueryStrings<OrderQuery>; reply: Blob }
  'GET /admin/orders/{id}': ById<AdminOrder>
  /** EDIT_CONFLICT if the order no longer has the status `from`. */
  'POST /admin/orders/{id}/move': ById<AdminOrder, { body: OrderStatusChange }>
  'POST /admin/orders/move': { body: OrderStatusChanges; reply: OrderStatusReport }
  'POST /admin/orders/{id}/acknowledge': ById<AdminOrder, { body: ReversalAcknowledgement }>
  /** With a link to the order, which is created if it has none. */
  'POST /admin/orders/{id}/messages': ById<OrderMessage[]>
  /** EDIT_CONFLICT if the order has another version. */
  'POST /admin/orders/{id}/change': ById<AdminOrder, { body: OrderChangeRequest }>
  /** EDIT_CONFLICT if the order has another version, or the refund would be another. */
  'POST /admin/orders/{id}/refund': ById<AdminOrder, { body: OrderRefundRequest }>
  'POST /admin/orders/{id}/cancel': ById<AdminOrder, { body: OrderCancellation }>
  'POST /admin/orders/{id}/link': ById<OrderLink, { body: OrderLinkRequest }>
}
