import { type RawBuilder, sql } from 'kysely'
import { type Paise, toPaise } from '#lib/money.ts'
import { type EpochMs, type IsoTime, SECOND } from '#lib/time.ts'
import type {
  PaymentRow,
  ProviderStatus,
  UnitemisedPaymentRow,
  WebhookEventRow
} from '../../platform/db/payment-tables.ts'
import { prepared } from '../../platform/db/prepared.ts'
import { readInBatches } from '../../platform/db/search.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { listDueRows } from '../../platform/jobs/loop.ts'
import { toIso } from '../../platform/process/clock.ts'
import type { ProviderPayment } from '../../razorpay/client.ts'

export const RANKS = {
  created: 0,
  failed: 1,
  authorized: 2,
  captured: 3,
  refunded: 4
} as const satisfies Record<ProviderStatus, number>

/**
 * Leaves out contact and card data, and locks the row. The rank of the stored status never
 * decreases.
 */
export async function upsertPayment(
  trx: Trx,
  payment: ProviderPayment,
  now: EpochMs
): Promise<void> {
  await upsertPaymentQuery(trx, {
    id: payment.id,
    provider_order_id: payment.order_id ?? null,
    amount: toPaise(payment.amount),
    currency: payment.currency,
    status: payment.status,
    rank: RANKS[payment.status],
    method: payment.method ?? null,
    created_at: toIso(payment.created_at * SECOND),
    updated_at: toIso(now)
  })
}

const upsertPaymentQuery = prepared<PaymentRow, unknown>((db, values) =>
  db
    .insertInto('payments')
    .values(values)
    .onConflict(conflict =>
      conflict.column('id').doUpdateSet(row => {
        const isHigher = row('payments.rank', '<', row.ref('excluded.rank'))
        return {
          status: row
            .case()
            .when(isHigher)
            .then(row.ref('excluded.status'))
            .else(row.ref('payments.status'))
            .end(),
          rank: row
            .case()
            .when(isHigher)
            .then(row.ref('excluded.rank'))
            .else(row.ref('payments.rank'))
            .end(),
          updated_at: row.ref('excluded.updated_at')
        }
      })
    )
)

export async function lockPayment(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('payments')
    .set(row => ({ rank: row.ref('rank') }))
    .where('id', '=', id)
    .execute()
}

export async function markRefunded(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('payments')
    .set({ status: 'refunded', rank: RANKS.refunded })
    .where('id', '=', id)
    .execute()
}

export async function findPayment(db: Db, id: string): Promise<PaymentRow | undefined> {
  return (await findPaymentQuery(db, { id })).rows[0]
}

const findPaymentQuery = prepared<{ id: string }, PaymentRow>((db, { id }) =>
  db.selectFrom('payments').selectAll().where('id', '=', id)
)

/** Returns false also for payments of other shops, which are not stored. */
export async function isCaptured(db: Db, id: string): Promise<boolean> {
  return (await listSettledIds(db, [id])).has(id)
}

/** Returns the ids of captured and refunded payments, including unitemised ones. */
export async function listSettledIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('payments')
    .select('id')
    .where('id', 'in', ids)
    .where('rank', '>=', RANKS.captured)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * `POST /payments/razorpay-order` creates an unitemised payment if the request contains no items.
 */
export async function insertUnitemised(
  trx: Trx,
  payment: Pick<UnitemisedPaymentRow, 'id' | 'user_id' | 'total' | 'next_check_at' | 'created_at'>
): Promise<void> {
  await trx
    .insertInto('unitemised_payments')
    .values({ ...payment, state: 'open' })
    .execute()
}

export async function setUnitemisedProviderOrder(
  trx: Trx,
  id: string,
  providerOrderId: string
): Promise<void> {
  await trx
    .updateTable('unitemised_payments')
    .set({ provider_order_id: providerOrderId })
    .where('id', '=', id)
    .where('provider_order_id', 'is', null)
    .execute()
}

export function findUnitemisedByProviderOrder(
  db: Db,
  providerOrderId: string
): Promise<UnitemisedPaymentRow | undefined> {
  return db
    .selectFrom('unitemised_payments')
    .selectAll()
    .where('provider_order_id', '=', providerOrderId)
    .executeTakeFirst()
}

/** Locks the payment, so that it gets either an order or a refund. */
export async function lockUnitemised(
  trx: Trx,
  providerOrderId: string
): Promise<UnitemisedPaymentRow | undefined> {
  return (await lockUnitemisedQuery(trx, { providerOrderId })).rows[0]
}

const lockUnitemisedQuery = prepared<{ providerOrderId: string }, UnitemisedPaymentRow>(
  (db, { providerOrderId }) =>
    db
      .updateTable('unitemised_payments')
      .set(row => ({ state: row.ref('state') }))
      .where('provider_order_id', '=', providerOrderId)
      .returningAll()
)

export async function decideUnitemised(
  trx: Trx,
  id: string,
  decision: Pick<UnitemisedPaymentRow, 'state' | 'order_id' | 'next_check_at'>
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('unitemised_payments')
    .set(decision)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function setUnitemisedNextCheck(
  trx: Trx,
  id: string,
  nextCheckAt: string | null
): Promise<void> {
  await trx
    .updateTable('unitemised_payments')
    .set({ next_check_at: nextCheckAt })
    .where('id', '=', id)
    .execute()
}

export function listDueUnitemised(db: Db, now: IsoTime): Promise<UnitemisedPaymentRow[]> {
  return listDueRows(db.selectFrom('unitemised_payments').selectAll(), 'next_check_at', now)
}

export async function insertEvent(
  trx: Trx,
  event: Omit<WebhookEventRow, 'attempts'>
): Promise<boolean> {
  return (await insertEventQuery(trx, event)).numAffectedRows === 1n
}

const insertEventQuery = prepared<Omit<WebhookEventRow, 'attempts'>, unknown>((db, values) =>
  db
    .insertInto('webhook_events')
    .values({ ...values, attempts: 0 })
    .onConflict(conflict => conflict.column('id').doNothing())
)

export function listDueEvents(db: Db, now: IsoTime): Promise<WebhookEventRow[]> {
  return listDueRows(db.selectFrom('webhook_events').selectAll(), 'next_at', now)
}

export async function isEventPending(db: Db, id: string): Promise<boolean> {
  const event = await db
    .selectFrom('webhook_events')
    .select('next_at')
    .where('id', '=', id)
    .executeTakeFirst()
  return event !== undefined && event.next_at !== null
}

export async function closePaymentEvents(trx: Trx, paymentId: string): Promise<void> {
  await trx
    .updateTable('webhook_events')
    .set({ next_at: null })
    .where('next_at', 'is not', null)
    .where('payment_id', '=', paymentId)
    .where('refund_id', 'is', null)
    .where('dispute_id', 'is', null)
    .execute()
}

export async function closeEvent(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('webhook_events').set({ next_at: null }).where('id', '=', id).execute()
}

export async function deleteOldEvents(trx: Trx, cutoff: string): Promise<void> {
  await trx
    .deleteFrom('webhook_events')
    .where('received_at', '<', cutoff)
    .where('next_at', 'is', null)
    .execute()
}

/** Where the money of a payment is, in paise. */
export interface Balance {
  paid: number
  /**
   * What must go back in all: what the paid order has credited, or everything if no order keeps the
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
        (select case payment_state when 'paid' then credited else payments.amount end
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
