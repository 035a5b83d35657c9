import * as z from 'zod/mini'
import { DIETARY, ORDER_LIMITS } from '../constants.ts'
import {
  AdminOrder,
  OrderQuery,
  type OrderStatusChange,
  type OrderStatusChanges,
  pageOf,
  reportOf
} from './desk.ts'
import { KITCHEN_FILTERS } from './names.ts'
import { DeliveryDate, PackedItem, Seller, StoredCustomer } from './orders.ts'
import { PackSize, type QueryStrings, Rupees, type ById } from './values.ts'

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
    gift: true,
    history: true,
    isAnonymised: true,
    isTest: true,
    isOnHold: true
  }),
  { items: z.array(PackedItem), customerDetails: z.omit(StoredCustomer, { email: true }) }
)

export type KitchenOrderQuery = z.infer<typeof KitchenOrderQuery>
/** Without a search: it would find email addresses. */
export const KitchenOrderQuery = z.extend(z.omit(OrderQuery, { q: true, user: true }), {
  status: z.optional(z.enum(KITCHEN_FILTERS))
})

export type KitchenOrderList = z.infer<typeof KitchenOrderList>
export const KitchenOrderList = pageOf(KitchenOrder)
export type KitchenStatusReport = z.infer<typeof KitchenStatusReport>
export const KitchenStatusReport = reportOf(KitchenOrder)

const DayLine = z.object({
  n: z.int(),
  product: z.object({ id: z.string(), name: z.string(), nameTamil: z.string() }),
  category: z.string(),
  packSize: PackSize,
  quantity: z.int(),
  isPacked: z.boolean()
})

export type KitchenDayOrder = z.infer<typeof KitchenDayOrder>
export const KitchenDayOrder = z.extend(
  z.omit(KitchenOrder, { createdAt: true, items: true, shipment: true, history: true }),
  { lines: z.array(DayLine) }
)

export type KitchenDay = z.infer<typeof KitchenDay>
export const KitchenDay = z.object({ day: z.iso.date(), orders: z.array(KitchenDayOrder) })

export type PricedKitchenDay = z.infer<typeof PricedKitchenDay>
export const PricedKitchenDay = z.extend(KitchenDay, {
  orders: z.array(z.extend(KitchenDayOrder, { totalAmount: Rupees }))
})

export const KitchenDayQuery = z.object({ date: z.optional(DeliveryDate) })

export type PackingTicks = z.infer<typeof PackingTicks>
/** Saved only while the line still has the quantity. */
export const PackingTicks = z.object({
  lines: z
    .array(z.object({ n: z.int(), quantity: z.int() }))
    .check(z.minLength(1), z.maxLength(ORDER_LIMITS.lines)),
  isPacked: z.boolean()
})

export type PackedLines = z.infer<typeof PackedLines>
export const PackedLines = z.object({ packed: z.array(z.int()) })

export type Bookings = z.infer<typeof Bookings>
export const Bookings = z.array(z.object({ day: z.iso.date(), orders: z.int(), units: z.int() }))

export type LabelProduct = z.infer<typeof LabelProduct>
export const LabelProduct = z.object({
  id: z.string(),
  name: z.string(),
  nameTamil: z.string(),
  dietary: z.enum(DIETARY),
  ingredients: z.array(z.string()),
  allergens: z.string(),
  nutrition: z.string(),
  quantity: PackSize,
  /** Maximum retail price. */
  mrp: Rupees,
  shelfLifeDays: z.nullable(z.int())
})

export type LabelFacts = z.infer<typeof LabelFacts>
export const LabelFacts = z.object({
  maker: z.omit(Seller, { gstin: true }),
  products: z.array(LabelProduct)
})

export interface KitchenApi {
  'GET /admin/kitchen/orders': { query: QueryStrings<KitchenOrderQuery>; reply: KitchenOrderList }
  'GET /admin/kitchen/orders/{id}': ById<KitchenOrder>
  'POST /admin/kitchen/orders/{id}/move': ById<KitchenOrder, { body: OrderStatusChange }>
  'POST /admin/kitchen/orders/move': { body: OrderStatusChanges; reply: KitchenStatusReport }
  'GET /admin/kitchen/day': { query: { date?: string }; reply: KitchenDay }
  'GET /admin/orders/day': { query: { date?: string }; reply: PricedKitchenDay }
  'POST /admin/kitchen/orders/{id}/ticks': ById<PackedLines, { body: PackingTicks }>
  'GET /admin/kitchen/bookings': { query: { month: string }; reply: Bookings }
  'GET /admin/kitchen/labels': { reply: LabelFacts }
}
