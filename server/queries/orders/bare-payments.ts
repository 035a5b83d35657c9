import type { BarePaymentRow } from '../../db/order-tables.ts'
import type { Db, Trx } from '../../db/tables.ts'

export async function insertBare(
  trx: Trx,
  bare: Pick<BarePaymentRow, 'id' | 'user_id' | 'total' | 'next_check_at' | 'created_at'>
): Promise<void> {
  await trx
    .insertInto('bare_payments')
    .values({ ...bare, state: 'open' })
    .execute()
}

export async function bindBare(trx: Trx, id: string, providerOrderId: string): Promise<void> {
  await trx
    .updateTable('bare_payments')
    .set({ provider_order_id: providerOrderId })
    .where('id', '=', id)
    .where('provider_order_id', 'is', null)
    .execute()
}

export function findBoundBare(db: Db, providerOrderId: string): Promise<BarePaymentRow | undefined> {
  return db.selectFrom('bare_payments').selectAll().where('provider_order_id', '=', providerOrderId).executeTakeFirst()
}

/** Decides what it was for, once: an order, or nothing. False when that was decided before. */
export async function decideBare(
  trx: Trx,
  id: string,
  decision: Pick<BarePaymentRow, 'state' | 'order_id' | 'next_check_at'>
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('bare_payments')
    .set(decision)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function checkBareLater(trx: Trx, id: string, nextCheckAt: string | null): Promise<void> {
  await trx.updateTable('bare_payments').set({ next_check_at: nextCheckAt }).where('id', '=', id).execute()
}

/** Those about which the provider is to be asked, the one that waits longest first. */
export function listDueBare(db: Db, now: string, limit: number): Promise<BarePaymentRow[]> {
  return db
    .selectFrom('bare_payments')
    .selectAll()
    .where('next_check_at', 'is not', null)
    .where('next_check_at', '<=', now)
    .orderBy('next_check_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}
