import type { OrderLineRow, OrderRow } from '../../db/order-tables.ts'
import type { Db, Trx } from '../../db/tables.ts'

export type OrderDraft = Pick<
  OrderRow,
  | 'id'
  | 'order_no'
  | 'user_id'
  | 'checkout_key'
  | 'request'
  | 'currency'
  | 'total'
  | 'customer'
  | 'address'
  | 'delivery_date'
  | 'hold_until'
  | 'next_check_at'
  | 'created_at'
> &
  Partial<Pick<OrderRow, 'provider_order_id'>>

/** Undefined when the shopper has an order for this checkout already, or another order has the number. */
export function insertOrder(trx: Trx, draft: OrderDraft): Promise<OrderRow | undefined> {
  return trx
    .insertInto('orders')
    .values({ ...draft, payment_state: 'awaiting' })
    .onConflict(conflict => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function insertLines(trx: Trx, lines: readonly OrderLineRow[]): Promise<void> {
  await trx
    .insertInto('order_lines')
    .values([...lines])
    .execute()
}

export function findCheckout(db: Db, userId: string, checkoutKey: string): Promise<OrderRow | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('checkout_key', '=', checkoutKey)
    .executeTakeFirst()
}

export function findOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  return db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Undefined also for an order of somebody else. */
export function findOrderOf(db: Db, userId: string, id: string): Promise<OrderRow | undefined> {
  return db.selectFrom('orders').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
}

/** By the order of the provider's that is paid for it. */
export function findBoundOrder(db: Db, providerOrderId: string): Promise<OrderRow | undefined> {
  return db.selectFrom('orders').selectAll().where('provider_order_id', '=', providerOrderId).executeTakeFirst()
}

/** What a shopper has ordered, and is perhaps paying for, the latest first. What came to nothing is left out. */
export function listOrdersOf(db: Db, userId: string): Promise<OrderRow[]> {
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

/** Whatever a shopper has begun to order, the latest first. */
export function listAllOrdersOf(db: Db, userId: string): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** The lines of orders, by order. */
export async function findLines(db: Db, orderIds: readonly string[]): Promise<Map<string, OrderLineRow[]>> {
  const lines = new Map<string, OrderLineRow[]>()
  if (orderIds.length === 0) return lines
  const rows = await db
    .selectFrom('order_lines')
    .selectAll()
    .where('order_id', 'in', orderIds)
    .orderBy('order_id')
    .orderBy('n')
    .execute()
  for (const row of rows) lines.set(row.order_id, [...(lines.get(row.order_id) ?? []), row])
  return lines
}

export async function findLinesOf(db: Db, orderId: string): Promise<OrderLineRow[]> {
  return db.selectFrom('order_lines').selectAll().where('order_id', '=', orderId).orderBy('n').execute()
}

/** The orders of a shopper that keep goods until they are paid, the oldest first. */
export function listHolds(db: Db, userId: string): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('payment_state', '=', 'awaiting')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The orders about whose payment the provider is to be asked, the one that waits longest first. */
export function listDueOrders(db: Db, now: string, limit: number): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('next_check_at', 'is not', null)
    .where('next_check_at', '<=', now)
    .orderBy('next_check_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Whether there is anything that somebody could be paying for. */
export async function awaitsPayment(db: Db): Promise<boolean> {
  const order = await db
    .selectFrom('orders')
    .select('id')
    .where('payment_state', '=', 'awaiting')
    .where('provider_order_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return order !== undefined
}

export async function countHolds(trx: Trx, userId: string): Promise<number> {
  const { holds } = await trx
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll<number>().as('holds'))
    .where('user_id', '=', userId)
    .where('payment_state', '=', 'awaiting')
    .executeTakeFirstOrThrow()
  return Number(holds)
}
