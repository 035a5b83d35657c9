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
import { PathId, requiredText } from '../values.ts'

export type AdminOrder = z.infer<typeof AdminOrder>
export const AdminOrder = z.extend(Order, {
  userId: z.string(),
  isAnonymised: z.boolean(),
  refund: z.nullable(z.enum(['due', 'processed']))
})

const Ids = z.array(PathId).check(z.minLength(1), z.maxLength(ORDER_LIMITS.maxBatch))

export type OrderQuery = z.infer<typeof OrderQuery>
export const OrderQuery = z.object({
  status: z.optional(z.enum(ORDER_FILTERS)),
  /** Earliest delivery date. If omitted, orders without a delivery date are also returned. */
  from: z.optional(DeliveryDate),
  until: z.optional(DeliveryDate),
  q: z.optional(z.string().check(z.maxLength(ORDER_LIMITS.maxSearchLength))),
  user: z.optional(PathId),
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
export const OrderStatusChange = z.object({ from: Status, to: Status }).check(isStepCheck)

export type OrderStatusChanges = z.infer<typeof OrderStatusChanges>
export const OrderStatusChanges = z.object({ ids: Ids, from: Status, to: Status }).check(isStepCheck)

export type OrderStatusReport = z.infer<typeof OrderStatusReport>
/** `left` contains the orders that were not changed, because they no longer had the status `from`. */
export const OrderStatusReport = z.object({ moved: z.array(AdminOrder), left: z.array(AdminOrder) })

export type OrderCancellation = z.infer<typeof OrderCancellation>
export const OrderCancellation = z.object({
  from: z.enum(['pending', 'packed']),
  reason: requiredText(ORDER_LIMITS.maxReasonLength, ADMIN_MESSAGES.orderReasonRequired),
  /** Without it, anybody with an administrator's unlocked device could refund orders. */
  proof: Credential
})

type QueryStrings = Partial<Record<keyof OrderQuery, string>>

export interface AdminOrdersApi {
  'GET /admin/orders': { query: QueryStrings; reply: OrderList }
  'GET /admin/orders/export': { query: QueryStrings; reply: Blob }
  'GET /admin/orders/{id}': { params: { id: string }; reply: AdminOrder }
  /** Fails with EDIT_CONFLICT if the order no longer has the status `from`. */
  'POST /admin/orders/{id}/move': { params: { id: string }; body: OrderStatusChange; reply: AdminOrder }
  'POST /admin/orders/move': { body: OrderStatusChanges; reply: OrderStatusReport }
  'POST /admin/orders/{id}/cancel': { params: { id: string }; body: OrderCancellation; reply: AdminOrder }
}
