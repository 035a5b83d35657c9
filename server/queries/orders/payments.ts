import type { PaymentRow, PaymentStatus } from '../../db/order-tables.ts'
import { prepared } from '../../db/prepared.ts'
import type { Db, Trx } from '../../db/tables.ts'

const RANKS: Record<PaymentStatus, number> = { created: 0, failed: 1, authorized: 2, captured: 3, refunded: 4 }

/** Keeps what the provider says of a payment; what is older news than we have changes nothing. Others wait meanwhile. */
export async function upsertPayment(trx: Trx, payment: Omit<PaymentRow, 'rank'>): Promise<void> {
  await noting(trx, { ...payment, rank: RANKS[payment.status] })
}

const noting = prepared<PaymentRow, unknown>((db, value) =>
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
        const isNews = row('payments.rank', '<', row.ref('excluded.rank'))
        return {
          status: row.case().when(isNews).then(row.ref('excluded.status')).else(row.ref('payments.status')).end(),
          rank: row.case().when(isNews).then(row.ref('excluded.rank')).else(row.ref('payments.rank')).end(),
          updated_at: row.ref('excluded.updated_at')
        }
      })
    )
)

/** Makes others who would pay with it or give it back wait. */
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
  return (await paymentById(db, { id })).rows[0]
}

const paymentById = prepared<{ id: string }, PaymentRow>((db, value) =>
  db.selectFrom('payments').selectAll().where('id', '=', value('id'))
)

/** Which of these payments have come to their end, or wait for it where we know of them. */
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
