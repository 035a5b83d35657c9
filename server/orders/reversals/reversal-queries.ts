import type { IsoTime } from '#lib/time.ts'
import type { OrderRow, ReversalRow } from '../../platform/db/order-tables.ts'
import { countRows, readInBatches } from '../../platform/db/search.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'

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
export async function sumReturned(db: Db, paymentId: string, kind?: ReversalRow['kind']): Promise<number> {
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

export async function findReversals(db: Db, orderIds: readonly string[]): Promise<Map<string, ReversalRow[]>> {
  const reversals = new Map<string, ReversalRow[]>()
  const rows = await readInBatches(orderIds, batch =>
    db.selectFrom('reversals').selectAll().where('order_id', 'in', batch).orderBy('created_at').orderBy('id').execute()
  )
  for (const row of rows) reversals.set(row.order_id, [...(reversals.get(row.order_id) ?? []), row])
  return reversals
}

function reversalsOf(db: Db, orderId: string) {
  return db.selectFrom('reversals').where('order_id', '=', orderId)
}
