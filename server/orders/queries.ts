import type { FastifyInstance } from 'fastify'
import { sql, type NotNull, type SqlBool } from 'kysely'
import type { CustomerDetails, ShippingAddress } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import type { IsoTime } from '#lib/time.ts'
import type { OrderLineRow, OrderRow } from '../platform/db/order-tables.ts'
import { countRows, readInBatches } from '../platform/db/search.ts'
import type { Db, Trx } from '../platform/db/tables.ts'

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

const ANONYMISE_BATCH = 100
/** Couriers show name and address to everybody who knows the tracking number. */
const NOTHING_PERSONAL = { note: '', event_at: null, tracking_number: null, tracking_link: null }
const ANONYMOUS_CUSTOMER = JSON.stringify({ name: '', email: '', phone: '' })

/** Amounts and place of supply stay, because tax law requires them. */
export async function anonymiseOrders(trx: Trx, now: IsoTime): Promise<void> {
  const orders = await trx
    .selectFrom('orders')
    .select(['id', 'address', 'payment_state', 'fulfilment_status'])
    .where(
      'user_id',
      'in',
      trx.selectFrom('users').select('users.id').where('deleted_at', 'is not', null)
    )
    .where('anonymised_at', 'is', null)
    .where(row =>
      row.or([
        row('payment_state', 'in', ['expired', 'cancelled', 'refunded']),
        row.and([row('payment_state', '=', 'paid'), row('fulfilment_status', '=', 'delivered')])
      ])
    )
    // The delivery mail waits while an administrator can undo the delivery.
    .where(
      sql<SqlBool>`not exists (select 1 from outbox
        where state = 'waiting' and id like 'order-%' || orders.id)`
    )
    .limit(ANONYMISE_BATCH)
    .execute()
  for (const order of orders) {
    const { numUpdatedRows } = await trx
      .updateTable('orders')
      .set({
        ...NOTHING_PERSONAL,
        customer: ANONYMOUS_CUSTOMER,
        address: placeOfSupply(order),
        anonymised_at: now
      })
      .where('id', '=', order.id)
      // It may just have become an order that is still to be delivered.
      .where('payment_state', '=', order.payment_state)
      .where('fulfilment_status', 'is not distinct from', order.fulfilment_status)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 1n) await clearMailText(trx, `order-%${order.id}`)
  }
}

/** The rows stay, so that no mail is sent twice. */
export async function clearMailText(trx: Trx, idPattern: string, cutoff?: string): Promise<void> {
  const query = trx
    .updateTable('outbox')
    .set({ payload: '{}' })
    .where('id', 'like', idPattern)
    .where('state', '!=', 'waiting')
    // A literal for the partial index.
    .where('payload', '!=', sql.lit('{}'))
  await (cutoff === undefined ? query : query.where('created_at', '<', cutoff)).execute()
}

function placeOfSupply(order: Pick<OrderRow, 'address'>): string {
  const { state, country } = addressOf(order)
  return JSON.stringify({ street: '', city: '', state, pincode: '', country })
}

export function customerOf({ customer }: Pick<OrderRow, 'customer'>): CustomerDetails {
  return JSON.parse(customer) as CustomerDetails
}

export function addressOf({ address }: Pick<OrderRow, 'address'>): ShippingAddress {
  return JSON.parse(address) as ShippingAddress
}
