import { sql } from 'kysely'
import type { WebhookEventRow } from '../platform/db/order-tables.ts'
import { prepared } from '../platform/db/prepared.ts'
import type { Db, Trx } from '../platform/db/tables.ts'

export async function insertEvent(trx: Trx, event: Omit<WebhookEventRow, 'attempts'>): Promise<boolean> {
  return (await insertQuery(trx, event)).numAffectedRows === 1n
}

const insertQuery = prepared<Omit<WebhookEventRow, 'attempts'>, unknown>((db, value) =>
  db
    .insertInto('webhook_events')
    .values({
      id: value('id'),
      type: value('type'),
      payment_id: value('payment_id'),
      refund_id: value('refund_id'),
      attempts: 0,
      next_at: value('next_at'),
      received_at: value('received_at')
    })
    .onConflict(conflict => conflict.column('id').doNothing())
)

/** `now` is ISO. */
export function listDueEvents(db: Db, now: string, limit: number): Promise<WebhookEventRow[]> {
  return db
    .selectFrom('webhook_events')
    .selectAll()
    .where('next_at', 'is not', null)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function isEventPending(db: Db, id: string): Promise<boolean> {
  const [event] = (await nextAtQuery(db, { id })).rows
  return event !== undefined && event.next_at !== null
}

const nextAtQuery = prepared<{ id: string }, Pick<WebhookEventRow, 'next_at'>>((db, value) =>
  db.selectFrom('webhook_events').select('next_at').where('id', '=', value('id'))
)

export async function closePaymentEvents(trx: Trx, paymentId: string): Promise<void> {
  await closeQuery(trx, { paymentId })
}

const closeQuery = prepared<{ paymentId: string }, unknown>((db, value) =>
  db
    .updateTable('webhook_events')
    .set({ next_at: null })
    .where('next_at', 'is not', null)
    .where('payment_id', '=', value('paymentId'))
    .where('refund_id', 'is', null)
)

export async function closeEvent(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('webhook_events').set({ next_at: null }).where('id', '=', id).execute()
}

export async function postponeEvent(trx: Trx, id: string, nextAt: string): Promise<void> {
  await trx
    .updateTable('webhook_events')
    .set({ next_at: nextAt, attempts: sql<number>`attempts + 1` })
    .where('id', '=', id)
    .where('next_at', 'is not', null)
    .execute()
}

export async function deleteOldEvents(trx: Trx, cutoff: string): Promise<void> {
  await trx.deleteFrom('webhook_events').where('received_at', '<', cutoff).where('next_at', 'is', null).execute()
}
