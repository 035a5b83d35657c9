import * as z from 'zod/mini'
import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import { isStatusStep, ORDER_FILTERS, ORDER_LIMITS, FULFILMENT_STATUSES, type FulfilmentStatus } from '../../admin/orders.ts'
import { Credential } from '../accounts.ts'
import { DeliveryDate, Order } from '../orders.ts'
import { PathId, trimmed } from '../values.ts'

export type AdminOrder = z.infer<typeof AdminOrder>
/** An order as the people see it who cook and pack it. */
export const AdminOrder = z.extend(Order, {
  /** Who ordered; the details that were typed for the order may be somebody else's. */
  userId: z.string(),
  /** Whether nobody is known any more: the account has ended. */
  isForgotten: z.boolean(),
  /** What goes back to the shopper. */
  refund: z.nullable(z.enum(['due', 'made']))
})

const Ids = z.array(PathId).check(z.minLength(1), z.maxLength(ORDER_LIMITS.most))

export type OrderQuery = z.infer<typeof OrderQuery>
/** What is not named is not asked. */
export const OrderQuery = z.object({
  status: z.optional(z.enum(ORDER_FILTERS)),
  /** The days of delivery, both included. Without the first, also what has no day: it is wanted as soon as it is fresh. */
  from: z.optional(DeliveryDate),
  until: z.optional(DeliveryDate),
  /** Words that number, person, address or products hold. */
  q: z.optional(z.string().check(z.maxLength(ORDER_LIMITS.search))),
  user: z.optional(PathId),
  /** Only these, separated by commas. */
  ids: z.optional(z.string().check(z.maxLength(10_000))),
  /** From 1. */
  page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/)))
})

export type OrderList = z.infer<typeof OrderList>
export const OrderList = z.object({
  orders: z.array(AdminOrder),
  /** On all pages together. */
  count: z.int(),
  pages: z.int()
})

const Status = z.enum(FULFILMENT_STATUSES)

const isStepCheck = z.refine<{ from: FulfilmentStatus; to: FulfilmentStatus }>(({ from, to }) => isStatusStep(from, to), {
  error: ADMIN_MESSAGES.orderStatusOrder,
  path: ['to']
})

export type OrderStatusChange = z.infer<typeof OrderStatusChange>
/** From where it stood when it was looked at, one step on or back. */
export const OrderStatusChange = z.object({ from: Status, to: Status }).check(isStepCheck)

export type OrderStatusChanges = z.infer<typeof OrderStatusChanges>
export const OrderStatusChanges = z.object({ ids: Ids, from: Status, to: Status }).check(isStepCheck)

export type OrderStatusReport = z.infer<typeof OrderStatusReport>
/** As they are now: those that stood elsewhere, because somebody else was faster, are left as they were. */
export const OrderStatusReport = z.object({ moved: z.array(AdminOrder), left: z.array(AdminOrder) })

export type OrderCancellation = z.infer<typeof OrderCancellation>
export const OrderCancellation = z.object({
  from: z.enum(['pending', 'packed']),
  /** Told to the shopper. */
  reason: trimmed(ORDER_LIMITS.reason, ADMIN_MESSAGES.orderReasonRequired),
  /** Money goes back: a phone that was left unlocked is not enough. */
  proof: Credential
})

/** As it is sent; what is not named is not asked. */
type QueryStrings = Partial<Record<keyof OrderQuery, string>>

export interface AdminOrdersApi {
  'GET /admin/orders': { query: QueryStrings; reply: OrderList }
  'GET /admin/orders/export': { query: QueryStrings; reply: Blob }
  'GET /admin/orders/{id}': { params: { id: string }; reply: AdminOrder }
  /** 409 EDIT_CONFLICT when it stands elsewhere. */
  'POST /admin/orders/{id}/move': { params: { id: string }; body: OrderStatusChange; reply: AdminOrder }
  'POST /admin/orders/move': { body: OrderStatusChanges; reply: OrderStatusReport }
  'POST /admin/orders/{id}/cancel': { params: { id: string }; body: OrderCancellation; reply: AdminOrder }
}
