import { sql } from 'kysely'
import type { WebhookEventRow } from '../../db/order-tables.ts'
import type { Db, Trx } from '../../db/tables.ts'

/** False when it came before. */
export async function insertEvent(trx: Trx, event: Omit<WebhookEventRow, 'attempts'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('webhook_events')
    .values({ ...event, attempts: 0 })
    .onConflict(conflict => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** The notices that nobody has looked into yet, the one that waits longest first. */
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

/** Removes what came before an instant (ISO) and is done with. */
export async function deleteEvents(trx: Trx, before: string): Promise<void> {
  await trx.deleteFrom('webhook_events').where('received_at', '<', before).where('next_at', 'is', null).execute()
}
