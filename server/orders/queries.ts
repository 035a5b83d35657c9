import type { FastifyInstance } from 'fastify'
import { type Expression, type ExpressionBuilder, type NotNull, sql, type SqlBool } from 'kysely'
import type { OrderStatus } from '#lib/constants.ts'
import type { FulfilmentStatus } from '#lib/contract/names.ts'
import type { CustomerDetails, ShippingAddress } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import type { IsoTime } from '#lib/time.ts'
import type {
  OrderChangeRow,
  OrderLineRow,
  OrderRow,
  RemovedLineRow
} from '../platform/db/order-tables.ts'
import { countRows, readInBatches } from '../platform/db/search.ts'
import type { Db, Tables, Trx } from '../platform/db/tables.ts'

export type CheckoutDeps = Pick<
  FastifyInstance,
  'database' | 'write' | 'clock' | 'payments' | 'config' | 'log'
>

/** The checkout with this key, and all with an open reservation. */
export function listCheckouts(db: Db, userId: string, checkoutKey: string): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where(row =>
      // A literal, because with a parameter the database would not use the partial index.
      row.or([
        row('checkout_key', '=', checkoutKey),
        row('payment_state', '=', sql.lit('awaiting'))
      ])
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function findOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  return db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Throws ORDER_NOT_FOUND. */
export function requireOrder(db: Db, id: string): Promise<OrderRow> {
  const order = db.selectFrom('orders').selectAll().where('id', '=', id)
  return order.executeTakeFirstOrThrow(() => new ShopError('ORDER_NOT_FOUND'))
}

export function requireOwnOrder(db: Db, userId: string, id: string): Promise<OrderRow> {
  const order = db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
  return order.executeTakeFirstOrThrow(() => new ShopError('ORDER_NOT_FOUND'))
}

export function findOrderByProviderOrder(
  db: Db,
  providerOrderId: string
): Promise<OrderRow | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('provider_order_id', '=', providerOrderId)
    .executeTakeFirst()
}

export function listVisibleOrdersOf(db: Db, userId: string): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where(row =>
      row.or([
        row('payment_state', 'in', ['paid', 'refund_due', 'refunded']),
        row.and([row('payment_state', '=', 'awaiting'), row('attempted_at', 'is not', null)])
      ])
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

export function listAllOrders(db: Db, userId: string): Promise<OrderRow[]> {
  const orders = db.selectFrom('orders').selectAll().where('user_id', '=', userId)
  return orders.orderBy('created_at', 'desc').orderBy('id').execute()
}

export async function findLines(
  db: Db,
  orderIds: readonly string[]
): Promise<Map<string, OrderLineRow[]>> {
  const rows = await readInBatches(orderIds, batch =>
    db
      .selectFrom('order_lines')
      .selectAll()
      .where('order_id', 'in', batch)
      .orderBy('order_id')
      .orderBy('n')
      .execute()
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

/** A payment could pay an open order, or revive one that was opened after `since`. */
export async function hasPayableOrder(db: Db, since: IsoTime): Promise<boolean> {
  const orders = db.selectFrom('orders').where('provider_order_id', 'is not', null)
  const awaiting = orders.where('payment_state', '=', sql.lit('awaiting'))
  const released = orders
    .where('created_at', '>', since)
    .where('payment_state', 'in', ['expired', 'cancelled'])
  return (await countRows(awaiting)) > 0 || (await countRows(released)) > 0
}

export async function hasPaidOrder(trx: Trx, userId: string): Promise<boolean> {
  const paid = trx
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', userId)
    .where('payment_state', '=', 'paid')
  // An order that costs nothing has no payment.
  return (
    (await paid.where('paid_payment_id', 'is not', null).limit(1).executeTakeFirst()) !== undefined
  )
}

type EndedReservation = Pick<OrderRow, 'created_at' | 'reserved_until' | 'ended_at'>

/** Without any payment attempt, newest first. */
export function listUnattempted(
  db: Db,
  userId: string,
  since: IsoTime
): Promise<EndedReservation[]> {
  const deleted = db
    .selectFrom('deleted_checkouts')
    .select(['reserved_from as created_at', 'reserved_until', 'reserved_until as ended_at'])
    .$narrowType<{ created_at: NotNull; reserved_until: NotNull }>()
    .where('user_id', '=', userId)
    .where('reserved_until', '>', since)
  return (
    db
      .selectFrom('orders')
      .select(['created_at', 'reserved_until', 'ended_at'])
      .where('user_id', '=', userId)
      .where('payment_state', 'in', ['expired', 'cancelled'])
      // Without a provider order, the shopper could not pay.
      .where('provider_order_id', 'is not', null)
      .where('ended_at', '>', since)
      .where(
        sql<SqlBool>`not exists (select 1 from payments
          where provider_order_id = orders.provider_order_id)`
      )
      .unionAll(deleted)
      .orderBy('ended_at', 'desc')
      .execute()
  )
}

export function customerOf({ customer }: Pick<OrderRow, 'customer'>): CustomerDetails {
  return JSON.parse(customer) as CustomerDetails
}

export function addressOf({ address }: Pick<OrderRow, 'address'>): ShippingAddress {
  return JSON.parse(address) as ShippingAddress
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

/** Contents of `order_changes.details`. Personal data are not stored, only that they changed. */
export interface ChangedDetails {
  deliveryDate?: string
  phone?: true
  address?: true
}

export interface StoredChange extends OrderChangeRow {
  removed: readonly RemovedLineRow[]
}

export async function findChanges(
  db: Db,
  orders: readonly OrderRow[]
): Promise<Map<string, StoredChange[]>> {
  const ids = orders.filter(order => order.changes > 0).map(({ id }) => id)
  const lines = await readInBatches(ids, batch =>
    db.selectFrom('removed_lines').selectAll().where('order_id', 'in', batch).orderBy('n').execute()
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
    rows.map(row => ({
      ...row,
      removed: lines.filter(({ order_id, seq }) => order_id === row.order_id && seq === row.seq)
    }))
  )
}
