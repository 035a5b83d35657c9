import type { Order } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import {
  findLines,
  findLinesOf,
  findUserOrder,
  listAllOrdersOf,
  listVisibleOrdersOf
} from './order-queries.ts'
import type { CheckoutDeps } from './deps.ts'
import { toOrder } from './to-order.ts'

type ReadDeps = Pick<CheckoutDeps, 'database' | 'clock'>

export async function readMyOrders(deps: ReadDeps, userId: string): Promise<Order[]> {
  return toOrders(deps, await listVisibleOrdersOf(deps.database.kysely, userId))
}

export async function readAllOrders(deps: ReadDeps, userId: string): Promise<Order[]> {
  return toOrders(deps, await listAllOrdersOf(deps.database.kysely, userId))
}

async function toOrders({ database, clock }: ReadDeps, orders: readonly OrderRow[]): Promise<Order[]> {
  const lines = await findLines(
    database.kysely,
    orders.map(({ id }) => id)
  )
  return orders.map(order => toOrder(order, lines.get(order.id) ?? [], clock()))
}

export async function readOrder(deps: ReadDeps, userId: string, id: string): Promise<Order> {
  return withLines(deps, await findOwnOrder(deps, userId, id))
}

/** Throws ORDER_NOT_FOUND, also if the order belongs to another user. */
export async function findOwnOrder({ database }: ReadDeps, userId: string, id: string): Promise<OrderRow> {
  const order = await findUserOrder(database.kysely, userId, id)
  if (!order) throw new ShopError('ORDER_NOT_FOUND')
  return order
}

export async function withLines({ database, clock }: ReadDeps, order: OrderRow): Promise<Order> {
  return toOrder(order, await findLinesOf(database.kysely, order.id), clock())
}
