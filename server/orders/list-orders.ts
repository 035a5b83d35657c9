import { ORDER_LIMITS } from '#lib/admin/orders.ts'
import type { AdminOrder, OrderList, OrderQuery } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import type { OrderLineRow, OrderRow } from '../platform/db/order-tables.ts'
import { countOrders, listOrders } from './admin-queries.ts'
import { findLines, findOrder } from './order-queries.ts'
import type { CheckoutDeps } from './deps.ts'
import { toOrder } from './to-order.ts'

type ReadDeps = Pick<CheckoutDeps, 'database' | 'clock'>

export async function readAdminOrders(
  deps: ReadDeps,
  query: OrderQuery,
  size: number = ORDER_LIMITS.pageSize
): Promise<OrderList> {
  const db = deps.database.kysely
  const page = Number(query.page ?? 1)
  const [rows, count] = await Promise.all([
    listOrders(db, query, { limit: size, offset: (page - 1) * size }),
    countOrders(db, query)
  ])
  return { orders: await toAdminOrders(deps, rows), count, pages: Math.max(1, Math.ceil(count / size)) }
}

export async function readAdminOrder(deps: ReadDeps, id: string): Promise<AdminOrder> {
  const row = await findOrder(deps.database.kysely, id)
  const [order] = await toAdminOrders(deps, row ? [row] : [])
  if (!order) throw new ShopError('ORDER_NOT_FOUND')
  return order
}

async function toAdminOrders({ database, clock }: ReadDeps, rows: readonly OrderRow[]): Promise<AdminOrder[]> {
  const lines = await findLines(
    database.kysely,
    rows.map(({ id }) => id)
  )
  return rows.map(row => toAdminOrder(row, lines.get(row.id) ?? [], clock()))
}

function toAdminOrder(row: OrderRow, lines: readonly OrderLineRow[], now: number): AdminOrder {
  const refund = row.payment_state === 'refund_due' ? 'due' : row.payment_state === 'refunded' ? 'processed' : null
  return { ...toOrder(row, lines, now), userId: row.user_id, isAnonymised: row.anonymised_at !== null, refund }
}
