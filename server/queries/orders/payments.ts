import type { PaymentRow, PaymentStatus } from '../../db/order-tables.ts'
import type { Db, Trx } from '../../db/tables.ts'

const RANKS: Record<PaymentStatus, number> = { created: 0, failed: 1, authorized: 2, captured: 3, refunded: 4 }

/** Keeps what the provider says of a payment; what is older news than we have changes nothing. Others wait meanwhile. */
export async function notePayment(trx: Trx, payment: Omit<PaymentRow, 'rank'>): Promise<void> {
  const { status, updated_at } = payment
  const rank = RANKS[status]
  await trx
    .insertInto('payments')
    .values({ ...payment, rank })
    .onConflict(conflict =>
      conflict.column('id').doUpdateSet(row => ({
        status: row.case().when('payments.rank', '<', rank).then(status).else(row.ref('payments.status')).end(),
        rank: row.case().when('payments.rank', '<', rank).then(rank).else(row.ref('payments.rank')).end(),
        updated_at
      }))
    )
    .execute()
}

/** Makes others who would pay with it or give it back wait. */
export async function holdPayment(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('payments')
    .set(row => ({ rank: row.ref('rank') }))
    .where('id', '=', id)
    .execute()
}

export async function markRefunded(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('payments').set({ status: 'refunded', rank: RANKS.refunded }).where('id', '=', id).execute()
}

export function findPayment(db: Db, id: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Which of these payments have come to their end, or wait for it where we know of them. */
export async function listSettled(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('payments')
    .select('id')
    .where('id', 'in', ids)
    .where('rank', '>=', RANKS.captured)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
