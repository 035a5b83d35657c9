import { sql } from 'kysely'
import type { RefundRow } from '../platform/db/order-tables.ts'
import type { Db, Trx } from '../platform/db/tables.ts'

export type RefundDraft = Pick<
  RefundRow,
  'id' | 'payment_id' | 'seq' | 'order_id' | 'amount' | 'reason' | 'body' | 'next_at' | 'created_at'
>

/** Returns the sum of all refunds that have not failed, in paise. */
export async function sumRefunds(trx: Trx, paymentId: string): Promise<number> {
  const { sum } = await trx
    .selectFrom('refunds')
    .select(({ fn }) => fn.sum<number | null>('amount').as('sum'))
    .where('payment_id', '=', paymentId)
    .where('state', '!=', 'failed')
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

export async function insertRefund(trx: Trx, draft: RefundDraft): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('refunds')
    .values({ ...draft, state: 'due', attempts: 0 })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** `now` is ISO. */
export function listDueRefunds(db: Db, now: string, limit: number): Promise<RefundRow[]> {
  return db
    .selectFrom('refunds')
    .selectAll()
    .where('next_at', 'is not', null)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export function findRefund(db: Db, id: string): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findProviderRefund(db: Db, providerRefundId: string): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('provider_refund_id', '=', providerRefundId).executeTakeFirst()
}

export function changeRefund(
  trx: Trx,
  id: string,
  from: readonly RefundRow['state'][],
  changes: Partial<Pick<RefundRow, 'state' | 'provider_refund_id' | 'next_at'>>
): Promise<RefundRow | undefined> {
  return trx
    .updateTable('refunds')
    .set(changes)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
}

export async function postponeRefund(trx: Trx, id: string, nextAt: string): Promise<void> {
  await trx
    .updateTable('refunds')
    .set({ next_at: nextAt, attempts: sql<number>`attempts + 1` })
    .where('id', '=', id)
    .where('next_at', 'is not', null)
    .execute()
}
