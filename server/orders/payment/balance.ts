import { type RawBuilder, sql } from 'kysely'
import { type Paise, toPaise } from '#lib/money.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { ReversalRow } from '../../platform/db/payment-tables.ts'
import { countRows, readInBatches } from '../../platform/db/search.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { groupByOrder } from '../queries.ts'

/** Returns the order that the payment has paid, or that has ended before the payment came. */
export async function findOrderOf(db: Db, paymentId: string): Promise<OrderRow | undefined> {
  const orders = db.selectFrom('orders').selectAll('orders')
  return (
    (await orders.where('paid_payment_id', '=', paymentId).executeTakeFirst()) ??
    (await orders
      .innerJoin('refunds', 'refunds.order_id', 'orders.id')
      .where('refunds.payment_id', '=', paymentId)
      .where('refunds.reason', '=', 'too_late')
      .executeTakeFirst())
  )
}

/** Where the money of a payment is, in paise. */
export interface Balance {
  paid: number
  /**
   * What must go back in all: what a change of the paid order has credited, or everything if no order keeps the
   * payment.
   */
  toRefund: number
  /**
   * By refunds that are processed, also in the provider's dashboard or by hand, and by lost
   * disputes.
   */
  processed: number
  /** By refunds of the shop that are due or sent. */
  open: number
  /** By refunds and disputes at the provider whose result is open. */
  reported: number
}

/** What must go back but is not on its way, in paise. */
export function dueNow({ toRefund, processed, open, reported }: Balance): Paise {
  return toPaise(Math.max(0, toRefund - processed - open - reported))
}

/** Lock the payment's row first. */
export async function readBalance(trx: Trx, paymentId: string): Promise<Balance> {
  return selectBalances(trx).where('payments.id', '=', paymentId).executeTakeFirstOrThrow()
}

/** By order. Leaves out orders without a payment. */
export async function readBalancesOf(
  db: Db,
  orderIds: readonly string[]
): Promise<Map<string, Balance>> {
  const late = sql`select payment_id from refunds where order_id = orders.id and reason = 'too_late' limit 1`
  const rows = await readInBatches(orderIds, batch =>
    selectBalances(db)
      .innerJoin('orders', join =>
        join.on('payments.id', '=', sql<string>`coalesce(paid_payment_id, (${late}))`)
      )
      .select('orders.id as orderId')
      .where('orders.id', 'in', batch)
      .execute()
  )
  return new Map(rows.map(({ orderId, ...balance }) => [orderId, balance]))
}

/** One statement, so that a change between two reads can't count money twice or not at all. */
export function selectBalances(db: Db) {
  const refunds = (states: string): RawBuilder<unknown> => sumOf('refunds', states)
  const reversals = (state: string): RawBuilder<unknown> =>
    sql`${sumOf('reversals', state)} + ${sumOf('payment_reversals', state)}`
  return db
    .selectFrom('payments')
    .select(['payments.id', 'payments.amount as paid'])
    .select([
      sql<number>`coalesce(
        (select case payment_state when 'paid' then payments.amount - total else payments.amount end
          from orders where paid_payment_id = payments.id), payments.amount)`.as('toRefund'),
      sql<number>`${refunds("'processed'")} + ${reversals("'returned'")}`.as('processed'),
      sql<number>`${refunds("'due', 'sent'")}`.as('open'),
      sql<number>`${reversals("'pending'")}`.as('reported')
    ])
}

function sumOf(
  table: 'refunds' | 'reversals' | 'payment_reversals',
  states: string
): RawBuilder<unknown> {
  return sql`cast((select coalesce(sum(amount), 0) from ${sql.table(table)}
    where payment_id = payments.id and state in (${sql.raw(states)})) as bigint)`
}

export async function hasUnacknowledgedReversal(db: Db, orderId: string): Promise<boolean> {
  const effective = db
    .selectFrom('reversals')
    .where('order_id', '=', orderId)
    .where('state', '!=', 'void')
  return (await countRows(effective.where('acknowledged_at', 'is', null))) > 0
}

export async function listReversalsByOrder(
  db: Db,
  orderIds: readonly string[]
): Promise<Map<string, ReversalRow[]>> {
  const rows = await readInBatches(orderIds, batch =>
    db
      .selectFrom('reversals')
      .selectAll()
      .where('order_id', 'in', batch)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  )
  return groupByOrder(rows)
}
