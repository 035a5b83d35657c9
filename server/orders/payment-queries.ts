import { toPaise } from '#lib/money.ts'
import { type EpochMs, type IsoTime, SECOND } from '#lib/time.ts'
import type {
  OrderRow,
  PaymentRow,
  ProviderStatus,
  ReversalRow,
  UnitemisedPaymentRow,
  WebhookEventRow
} from '../platform/db/order-tables.ts'
import { prepared } from '../platform/db/prepared.ts'
import { countRows, readInBatches } from '../platform/db/search.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import { listDueRows } from '../platform/jobs/loop.ts'
import { toIso } from '../platform/process/clock.ts'
import type { ProviderPayment } from '../razorpay/client.ts'
import { groupByOrder } from './order-queries.ts'

export const RANKS = { created: 0, failed: 1, authorized: 2, captured: 3, refunded: 4 } as const satisfies Record<
  ProviderStatus,
  number
>

/** Leaves out contact and card data, and locks the row. The rank of the stored status never decreases. */
export async function upsertPayment(trx: Trx, payment: ProviderPayment, now: EpochMs): Promise<void> {
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
          status: row.case().when(isHigher).then(row.ref('excluded.status')).else(row.ref('payments.status')).end(),
          rank: row.case().when(isHigher).then(row.ref('excluded.rank')).else(row.ref('payments.rank')).end(),
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
  await trx.updateTable('payments').set({ status: 'refunded', rank: RANKS.refunded }).where('id', '=', id).execute()
}

export async function findPayment(db: Db, id: string): Promise<PaymentRow | undefined> {
  return (await findPaymentQuery(db, { id })).rows[0]
}

const findPaymentQuery = prepared<{ id: string }, PaymentRow>((db, { id }) =>
  db.selectFrom('payments').selectAll().where('id', '=', id)
)

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

/** `POST /payments/razorpay-order` creates an unitemised payment if the request contains no items. */
export async function insertUnitemised(
  trx: Trx,
  payment: Pick<UnitemisedPaymentRow, 'id' | 'user_id' | 'total' | 'next_check_at' | 'created_at'>
): Promise<void> {
  await trx
    .insertInto('unitemised_payments')
    .values({ ...payment, state: 'open' })
    .execute()
}

export async function setUnitemisedProviderOrder(trx: Trx, id: string, providerOrderId: string): Promise<void> {
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
export async function lockUnitemised(trx: Trx, providerOrderId: string): Promise<UnitemisedPaymentRow | undefined> {
  return (await lockUnitemisedQuery(trx, { providerOrderId })).rows[0]
}

const lockUnitemisedQuery = prepared<{ providerOrderId: string }, UnitemisedPaymentRow>((db, { providerOrderId }) =>
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

export async function setUnitemisedNextCheck(trx: Trx, id: string, nextCheckAt: string | null): Promise<void> {
  await trx.updateTable('unitemised_payments').set({ next_check_at: nextCheckAt }).where('id', '=', id).execute()
}

export function listDueUnitemised(db: Db, now: IsoTime): Promise<UnitemisedPaymentRow[]> {
  return listDueRows(db.selectFrom('unitemised_payments').selectAll(), 'next_check_at', now)
}

export async function insertEvent(trx: Trx, event: Omit<WebhookEventRow, 'attempts'>): Promise<boolean> {
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
  const event = await db.selectFrom('webhook_events').select('next_at').where('id', '=', id).executeTakeFirst()
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
  await trx.deleteFrom('webhook_events').where('received_at', '<', cutoff).where('next_at', 'is', null).execute()
}

export function findReversal(db: Db, id: string): Promise<ReversalRow | undefined> {
  return db.selectFrom('reversals').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findOrderPaidBy(db: Db, paymentId: string): Promise<OrderRow | undefined> {
  return db.selectFrom('orders').selectAll().where('paid_payment_id', '=', paymentId).executeTakeFirst()
}

/** A reversal with a new state must be acknowledged again. */
export async function saveReversal(trx: Trx, reversal: ReversalRow): Promise<void> {
  const { state, amount } = reversal
  await trx
    .insertInto('reversals')
    .values(reversal)
    .onConflict(conflict => conflict.column('id').doUpdateSet({ state, amount, acknowledged_at: null }))
    .execute()
}

/** Returns the sum in paise that has gone back to the payer by refunds and lost disputes at the provider. */
export async function sumReversals(db: Db, paymentId: string, kind?: ReversalRow['kind']): Promise<number> {
  const query = db.selectFrom('reversals').where('payment_id', '=', paymentId).where('state', '=', 'returned')
  const { sum } = await (kind === undefined ? query : query.where('kind', '=', kind))
    .select(({ fn }) => fn.sum<number | null>('amount').as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

export async function hasPendingReversal(db: Db, orderId: string): Promise<boolean> {
  return (await countRows(reversalsOf(db, orderId).where('state', '=', 'pending'))) > 0
}

export async function hasUnacknowledgedReversal(db: Db, orderId: string): Promise<boolean> {
  const effective = reversalsOf(db, orderId).where('state', '!=', 'void')
  return (await countRows(effective.where('acknowledged_at', 'is', null))) > 0
}

/** Returns the ids of the reversals that were not acknowledged before. */
export async function markAcknowledged(
  trx: Trx,
  orderId: string,
  ids: readonly string[],
  now: IsoTime
): Promise<string[]> {
  const rows = await trx
    .updateTable('reversals')
    .set({ acknowledged_at: now })
    .where('order_id', '=', orderId)
    .where('id', 'in', ids)
    .where('acknowledged_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function listReversalIds(db: Db, paymentId: string): Promise<string[]> {
  const rows = await db.selectFrom('reversals').select('id').where('payment_id', '=', paymentId).execute()
  return rows.map(({ id }) => id)
}

export async function listReversalsByOrder(db: Db, orderIds: readonly string[]): Promise<Map<string, ReversalRow[]>> {
  const rows = await readInBatches(orderIds, batch =>
    db.selectFrom('reversals').selectAll().where('order_id', 'in', batch).orderBy('created_at').orderBy('id').execute()
  )
  return groupByOrder(rows)
}

function reversalsOf(db: Db, orderId: string) {
  return db.selectFrom('reversals').where('order_id', '=', orderId)
}
