import { type RawBuilder, sql } from 'kysely'
import { type Paise, toPaise } from '#lib/money.ts'
import { type EpochMs, toIso } from '#lib/time.ts'
import type {
  OrderRow,
  RefundReason,
  RefundRow,
  ReversalRow
} from '../../platform/db/order-tables.ts'
import { countRows, readInBatches } from '../../platform/db/search.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { lockRow } from '../../platform/db/write.ts'
import type { ProviderRefund } from '../../razorpay/client.ts'
import { groupByOrder } from '../queries.ts'
import { RANKS, updateOrder } from './transitions.ts'

interface RefundRequest {
  orderId: string | null
  reason: RefundReason
  /** Number of the change that is refunded, or 0 for everything that is left. */
  part?: number
  now: EpochMs
  /** Delay before the first attempt, in ms. */
  delay?: number
  /** True if an administrator has paid the money back outside Razorpay. */
  isByHand?: boolean
}

/** Returns the amount, or 0 if nothing is due. Lock the payment's row first. */
export async function createRefund(
  trx: Trx,
  paymentId: string,
  { orderId, reason, part = 0, now, delay = 0, isByHand = false }: RefundRequest
): Promise<Paise> {
  const amount = dueNow(await readBalance(trx, paymentId))
  if (amount === 0) return amount
  const seq = ((await findLastRefund(trx, paymentId))?.seq ?? 0) + 1
  const id = `rf_${paymentId}_${seq}`
  const notes = { order: orderId ?? '', reason }
  const body = JSON.stringify({ amount, speed: 'normal', notes, receipt: id })
  const row = {
    id,
    payment_id: paymentId,
    seq,
    part,
    order_id: orderId,
    amount,
    reason,
    attempts: 0,
    created_at: toIso(now)
  }
  const progress = isByHand
    ? ({ state: 'processed', body: '', next_at: null } as const)
    : ({ state: 'due', body, next_at: toIso(now + delay) } as const)
  await trx
    .insertInto('refunds')
    .values({ ...row, ...progress })
    .execute()
  if (isByHand) await endPayment(trx, paymentId)
  return amount
}

export async function replaceRefund(
  trx: Trx,
  { id, payment_id, order_id: orderId, reason, part, amount, ...failed }: RefundRow,
  options: Pick<RefundRequest, 'now' | 'delay' | 'isByHand'>
): Promise<Paise> {
  const isSame =
    amount === dueNow(await readBalance(trx, payment_id)) &&
    failed.provider_refund_id === null &&
    failed.body !== ''
  if (!isSame || options.isByHand)
    return createRefund(trx, payment_id, { orderId, reason, part, ...options })
  // It may have been made after all, so it is sent with its own key again.
  const again = { state: 'due', attempts: 0, next_at: toIso(options.now) } as const
  await changeRefund(trx, id, ['failed'], again)
  return amount
}

export function findLastRefund(trx: Trx, paymentId: string): Promise<RefundRow | undefined> {
  const refunds = trx.selectFrom('refunds').selectAll().where('payment_id', '=', paymentId)
  return refunds.orderBy('seq', 'desc').limit(1).executeTakeFirst()
}

export async function findShopRefund(
  db: Db,
  { id, receipt }: ProviderRefund
): Promise<RefundRow | undefined> {
  const refunds = db.selectFrom('refunds').selectAll()
  return (
    (await refunds.where('provider_refund_id', '=', id).executeTakeFirst()) ??
    (await findRefund(db, receipt ?? ''))
  )
}

export function findRefund(db: Db, id: string): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function endPayment(trx: Trx, paymentId: string): Promise<void> {
  const { paid, processed, open } = await readBalance(trx, paymentId)
  if (processed < paid || open > 0) return
  await trx
    .updateTable('payments')
    .set({ status: 'refunded', rank: RANKS.refunded })
    .where('id', '=', paymentId)
    .execute()
  const order = await findOrderOf(trx, paymentId)
  if (!order) return
  await updateOrder(trx, order.id, { payment_state: 'refunded' })
    .where('payment_state', '=', 'refund_due')
    .execute()
}

export function hasTooMuch({ toRefund, processed, open, reported }: Balance): boolean {
  return processed + open + reported > toRefund
}

/** A refund of the same amount in the dashboard is the money that was marked as paid by hand. */
export async function undoPaidByHand(
  trx: Trx,
  { payment_id, amount }: Pick<RefundRow, 'payment_id' | 'amount'>
): Promise<void> {
  if (!hasTooMuch(await readBalance(trx, payment_id))) return
  const paidByHand = await trx
    .selectFrom('refunds')
    .select('id')
    .where('payment_id', '=', payment_id)
    .where('amount', '=', amount)
    .where('state', '=', 'processed')
    .where('provider_refund_id', 'is', null)
    .executeTakeFirst()
  if (paidByHand) await changeRefund(trx, paidByHand.id, ['processed'], { state: 'failed' })
}

export function changeRefund(
  trx: Trx,
  id: string,
  from: readonly RefundRow['state'][],
  changes: Partial<Pick<RefundRow, 'state' | 'provider_refund_id' | 'next_at' | 'attempts'>>
): Promise<RefundRow | undefined> {
  return (
    trx
      .updateTable('refunds')
      .set(changes)
      .where('id', '=', id)
      .where('state', 'in', from)
      // What has failed at the provider stays failed.
      .where(row => row.or([row('state', '!=', 'failed'), row('provider_refund_id', 'is', null)]))
      .returningAll()
      .executeTakeFirst()
  )
}

/** Which the payment has paid, or which has ended before the payment came. */
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

/** In paise. */
export interface Balance {
  paid: number
  /** What a change has credited, or everything if no order keeps the payment. */
  toRefund: number
  /** Also in the provider's dashboard or by hand, and by lost disputes. */
  processed: number
  open: number
  /** By refunds and disputes at the provider whose result is open. */
  reported: number
}

/** What must go back but is not on its way, in paise. */
export function dueNow({ toRefund, processed, open, reported }: Balance): Paise {
  return toPaise(Math.max(0, toRefund - processed - open - reported))
}

export async function lockBalance(trx: Trx, paymentId: string): Promise<Balance> {
  await lockRow(trx, 'payments', paymentId)
  return readBalance(trx, paymentId)
}

/** Lock the payment's row first. */
export async function readBalance(trx: Trx, paymentId: string): Promise<Balance> {
  return selectBalances(trx).where('payments.id', '=', paymentId).executeTakeFirstOrThrow()
}

export async function readBalancesOf(
  db: Db,
  orderIds: readonly string[]
): Promise<Map<string, Balance>> {
  const late = sql`select payment_id from refunds
    where order_id = orders.id and reason = 'too_late' limit 1`
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
