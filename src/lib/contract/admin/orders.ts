import * as z from 'zod/mini'
import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import {
  isStatusStep,
  ORDER_FILTERS,
  ORDER_LIMITS,
  FULFILMENT_STATUSES,
  type FulfilmentStatus
} from '../../admin/orders.ts'
import { Credential } from '../accounts.ts'
import { DeliveryDate, Order } from '../orders.ts'
import { PathId, trimmed } from '../values.ts'

export type AdminOrder = z.infer<typeof AdminOrder>
export const AdminOrder = z.extend(Order, {
  /** The account that ordered; `customerDetails` may name someone else. */
  userId: z.string(),
  /** The account was deleted and the order is anonymised. */
  isAnonymised: z.boolean(),
  refund: z.nullable(z.enum(['due', 'processed']))
})

const Ids = z.array(PathId).check(z.minLength(1), z.maxLength(ORDER_LIMITS.maxBatch))

export type OrderQuery = z.infer<typeof OrderQuery>
export const OrderQuery = z.object({
  status: z.optional(z.enum(ORDER_FILTERS)),
  /** Delivery dates, both included. Without `from`, orders without a date are included. */
  from: z.optional(DeliveryDate),
  until: z.optional(DeliveryDate),
  /** Searches order number, customer, address and products. */
  q: z.optional(z.string().check(z.maxLength(ORDER_LIMITS.search))),
  user: z.optional(PathId),
  /** Comma-separated. */
  ids: z.optional(z.string().check(z.maxLength(10_000))),
  page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/)))
})

export type OrderList = z.infer<typeof OrderList>
export const OrderList = z.object({
  orders: z.array(AdminOrder),
  count: z.int(),
  pages: z.int()
})

const Status = z.enum(FULFILMENT_STATUSES)

const isStepCheck = z.refine<{ from: FulfilmentStatus; to: FulfilmentStatus }>(
  ({ from, to }) => isStatusStep(from, to),
  {
    error: ADMIN_MESSAGES.orderStatusOrder,
    path: ['to']
  }
)

export type OrderStatusChange = z.infer<typeof OrderStatusChange>
/** `from` is the status that the client has seen; `to` is one step before or after it. */
export const OrderStatusChange = z.object({ from: Status, to: Status }).check(isStepCheck)

export type OrderStatusChanges = z.infer<typeof OrderStatusChanges>
export const OrderStatusChanges = z.object({ ids: Ids, from: Status, to: Status }).check(isStepCheck)

export type OrderStatusReport = z.infer<typeof OrderStatusReport>
/** `left` are orders that no longer had the status `from`. */
export const OrderStatusReport = z.object({ moved: z.array(AdminOrder), left: z.array(AdminOrder) })

export type OrderCancellation = z.infer<typeof OrderCancellation>
export const OrderCancellation = z.object({
  from: z.enum(['pending', 'packed']),
  /** Shown to the customer. */
  reason: trimmed(ORDER_LIMITS.reason, ADMIN_MESSAGES.orderReasonRequired),
  /** A refund needs the password or a code, in case the device was left unlocked. */
  proof: Credential
})

type QueryStrings = Partial<Record<keyof OrderQuery, string>>

export interface AdminOrdersApi {
  'GET /admin/orders': { query: QueryStrings; reply: OrderList }
  'GET /admin/orders/export': { query: QueryStrings; reply: Blob }
  'GET /admin/orders/{id}': { params: { id: string }; reply: AdminOrder }
  /** 409 EDIT_CONFLICT if the status is no longer `from`. */
  'POST /admin/orders/{id}/move': { params: { id: string }; body: OrderStatusChange; reply: AdminOrder }
  'POST /admin/orders/move': { body: OrderStatusChanges; reply: OrderStatusReport }
  'POST /admin/orders/{id}/cancel': { params: { id: string }; body: OrderCancellation; reply: AdminOrder }
}
