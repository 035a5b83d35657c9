import type { FastifyInstance } from 'fastify'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { OrderStatus } from '#lib/constants.ts'
import type { FulfilmentStatus, RefundCause } from '#lib/contract/names.ts'
import type { CustomerDetails, Gift, ShippingAddress } from '#lib/contract/orders.ts'
import { language } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import type {
  CreditLineRow,
  OrderChangeRow,
  OrderLineRow,
  OrderRow,
  RemovedLineRow
} from '../platform/db/order-tables.ts'
import { readInBatches } from '../platform/db/search.ts'
import type { Db, Tables } from '../platform/db/tables.ts'

export type CheckoutDeps = Pick<
  FastifyInstance,
  'database' | 'write' | 'clock' | 'payments' | 'config' | 'codeSecret' | 'log'
>

function selectOrders(db: Db) {
  return db.selectFrom('orders').selectAll()
}

export function findOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  return selectOrders(db).where('id', '=', id).executeTakeFirst()
}

export function requireOrder(db: Db, id: string): Promise<OrderRow> {
  const order = selectOrders(db).where('id', '=', id)
  return order.executeTakeFirstOrThrow(() => new ShopError('ORDER_NOT_FOUND'))
}

export function requireOwnOrder(db: Db, userId: string, id: string): Promise<OrderRow> {
  const order = selectOrders(db).where('id', '=', id).where('user_id', '=', userId)
  return order.executeTakeFirstOrThrow(() => new ShopError('ORDER_NOT_FOUND'))
}

export function findOrderByProviderOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  return selectOrders(db).where('provider_order_id', '=', id).executeTakeFirst()
}

/** Newest first. */
export function listOrdersOf(
  db: Db,
  userId: string,
  condition: 'visible' | 'all'
): Promise<OrderRow[]> {
  const orders = selectOrders(db).where('user_id', '=', userId)
  const visible = orders.where(row =>
    row.or([
      row('payment_state', 'in', ['paid', 'refund_due', 'refunded']),
      // An attempted payment is being checked.
      row.and([row('payment_state', '=', 'awaiting'), row('attempted_at', 'is not', null)])
    ])
  )
  const found = condition === 'all' ? orders : visible
  return found.orderBy('created_at', 'desc').orderBy('id').execute()
}

export async function findLines(
  db: Db,
  orderIds: readonly string[]
): Promise<Map<string, OrderLineRow[]>> {
  const rows = await readInBatches(orderIds, batch =>
    db.selectFrom('order_lines').selectAll().where('order_id', 'in', batch).orderBy('n').execute()
  )
  return groupByOrder(rows)
}

export function groupByOrder<Row extends { order_id: string }>(
  rows: readonly Row[]
): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.order_id)
    if (group) group.push(row)
    else groups.set(row.order_id, [row])
  }
  return groups
}

export function findLinesOf(db: Db, orderId: string): Promise<OrderLineRow[]> {
  const lines = db.selectFrom('order_lines').selectAll().where('order_id', '=', orderId)
  return lines.orderBy('n').execute()
}

/** In the language of the order, if that is the reader's, otherwise in English. */
export function lineName(
  order: Pick<OrderRow, 'language'>,
  { name, local_name }: Pick<OrderLineRow, 'name' | 'local_name'>
): string {
  return (language() === order.language && local_name) || name
}

export function customerOf({ customer }: Pick<OrderRow, 'customer'>): CustomerDetails {
  return JSON.parse(customer) as CustomerDetails
}

export function addressOf({ address }: Pick<OrderRow, 'address'>): ShippingAddress {
  return JSON.parse(address) as ShippingAddress
}

export function giftOf({ gift }: Pick<OrderRow, 'gift'>): Gift | undefined {
  return gift === '' ? undefined : (JSON.parse(gift) as Gift)
}

export function statusOf({
  payment_state,
  fulfilment_status,
  dispatched_at,
  delivery_method
}: OrderRow): OrderStatus {
  if (fulfilment_status === 'packed' && dispatched_at !== null)
    return delivery_method === 'pickup' ? 'ready' : 'shipped'
  if (fulfilment_status !== null) return fulfilment_status
  if (payment_state === 'awaiting') return 'checking'
  return payment_state === 'expired' ? 'expired' : 'cancelled'
}

/** The same rule as `statusOf`, in SQL. */
export function hasFulfilmentStatus(
  row: ExpressionBuilder<Tables, 'orders'>,
  status: FulfilmentStatus | 'cancelled'
): Expression<SqlBool> {
  const isPacked = row('fulfilment_status', '=', 'packed')
  if (status === 'packed') return row.and([isPacked, row('dispatched_at', 'is', null)])
  if (status !== 'shipped' && status !== 'ready') return row('fulfilment_status', '=', status)
  const isPickup = row('delivery_method', '=', 'pickup')
  return row.and([
    isPacked,
    row('dispatched_at', 'is not', null),
    status === 'ready' ? isPickup : row.not(isPickup)
  ])
}

/** Says only that personal data changed, not to what. */
export interface ChangedDetails {
  deliveryDate?: string
  phone?: true
  address?: true
  refund?: { key: string; cause: RefundCause; note: string; restock: boolean }
}

export interface StoredChange extends OrderChangeRow {
  removed: readonly RemovedLineRow[]
  credits: readonly CreditLineRow[]
}

export function detailsOf({ details }: Pick<OrderChangeRow, 'details'>): ChangedDetails {
  return JSON.parse(details) as ChangedDetails
}

export async function findChanges(
  db: Db,
  orders: readonly OrderRow[]
): Promise<Map<string, StoredChange[]>> {
  const ids = orders.filter(order => order.changes > 0).map(({ id }) => id)
  const lines = await readInBatches(ids, batch =>
    db.selectFrom('removed_lines').selectAll().where('order_id', 'in', batch).orderBy('n').execute()
  )
  const credits = await readInBatches(ids, batch =>
    db.selectFrom('credit_lines').selectAll().where('order_id', 'in', batch).orderBy('n').execute()
  )
  const rows = await readInBatches(ids, batch =>
    db
      .selectFrom('order_changes')
      .selectAll()
      .where('order_id', 'in', batch)
      .orderBy('seq')
      .execute()
  )
  return groupByOrder(
    rows.map(row => {
      const isOf = ({ order_id, seq }: Pick<OrderChangeRow, 'order_id' | 'seq'>) =>
        order_id === row.order_id && seq === row.seq
      return { ...row, removed: lines.filter(isOf), credits: credits.filter(isOf) }
    })
  )
}
