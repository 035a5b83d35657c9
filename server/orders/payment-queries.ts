import type { PaymentRow, PaymentStatus } from '../platform/db/order-tables.ts'
import { prepared } from '../platform/db/prepared.ts'
import type { Db, Trx } from '../platform/db/tables.ts'

const RANKS: Record<PaymentStatus, number> = { created: 0, failed: 1, authorized: 2, captured: 3, refunded: 4 }

/** Saves the payment and locks its row. The stored status changes only to a status with a higher rank. */
export async function upsertPayment(trx: Trx, payment: Omit<PaymentRow, 'rank'>): Promise<void> {
  await upsertQuery(trx, { ...payment, rank: RANKS[payment.status] })
}

const upsertQuery = prepared<PaymentRow, unknown>((db, value) =>
  db
    .insertInto('payments')
    .values({
      id: value('id'),
      provider_order_id: value('provider_order_id'),
      amount: value('amount'),
      currency: value('currency'),
      status: value('status'),
      rank: value('rank'),
      method: value('method'),
      created_at: value('created_at'),
      updated_at: value('updated_at')
    })
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
  return (await findQuery(db, { id })).rows[0]
}

const findQuery = prepared<{ id: string }, PaymentRow>((db, value) =>
  db.selectFrom('payments').selectAll().where('id', '=', value('id'))
)

/**
 * Returns the ids of captured and refunded payments, including unitemised payments (created without a list of items).
 */
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
