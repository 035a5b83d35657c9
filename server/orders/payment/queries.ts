import { toPaise } from '#lib/money.ts'
import { type EpochMs, type IsoTime, SECOND } from '#lib/time.ts'
import type {
  ProviderStatus,
  UnitemisedPaymentRow,
  WebhookEventRow
} from '../../platform/db/payment-tables.ts'
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
  const values = {
    id: payment.id,
    provider_order_id: payment.order_id ?? null,
    amount: toPaise(payment.amount),
    currency: payment.currency,
    status: payment.status,
    rank: RANKS[payment.status],
    method: payment.method ?? null,
    created_at: toIso(payment.created_at * SECOND),
    updated_at: toIso(now)
  }
  await trx
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
    .execute()
}

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
export function lockUnitemised(
  trx: Trx,
  providerOrderId: string
): Promise<UnitemisedPaymentRow | undefined> {
  return trx
    .updateTable('unitemised_payments')
    .set(row => ({ state: row.ref('state') }))
    .where('provider_order_id', '=', providerOrderId)
    .returningAll()
    .executeTakeFirst()
}

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

export async function updateUnitemised(
  trx: Trx,
  id: string,
  changes: Partial<Pick<UnitemisedPaymentRow, 'provider_order_id' | 'next_check_at'>>
): Promise<void> {
  await trx.updateTable('unitemised_payments').set(changes).where('id', '=', id).execute()
}

export function listDueUnitemised(db: Db, now: IsoTime): Promise<UnitemisedPaymentRow[]> {
  return listDueRows(db.selectFrom('unitemised_payments').selectAll(), 'next_check_at', now)
}

/** Returns false if the event is already stored. */
export async function insertEvent(trx: Trx, event: WebhookEventRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('webhook_events')
    .values(event)
    .onConflict(conflict => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export function listDueEvents(db: Db, now: IsoTime): Promise<WebhookEventRow[]> {
  return listDueRows(db.selectFrom('webhook_events').selectAll(), 'next_at', now)
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
