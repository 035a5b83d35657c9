import type { IsoTime } from '#lib/time.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { ReversalRow } from '../../platform/db/payment-tables.ts'
import { countRows, readInBatches } from '../../platform/db/search.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { groupByOrder } from '../queries.ts'

export type Reversal = Pick<ReversalRow, 'id' | 'payment_id' | 'kind' | 'amount' | 'state'>

export async function findReversalState(
  db: Db,
  id: string,
  order: OrderRow | undefined
): Promise<ReversalRow['state'] | undefined> {
  const table = order ? 'reversals' : 'payment_reversals'
  return (await db.selectFrom(table).select('state').where('id', '=', id).executeTakeFirst())?.state
}

/** Returns the order that the payment has paid, or that has ended before the payment came. */
export async function findOrderOf(db: Db, paymentId: string): Promise<OrderRow | undefined> {
  const orders = db.selectFrom('orders').selectAll('orders')
  return (
    (await orders.where('paid_payment_id', '=', paymentId).executeTakeFirst()) ??
    (await orders
      .innerJoin('refunds', 'refunds.order_id', 'orders.id')
      .where('refunds.payment_id', '=', paymentId)
      .where('refunds.reason', '=', 'too_late')
      .executeTakeFirst())
  )
}

/** A reversal of an order must be acknowledged again if it has a new state. */
export async function saveReversal(
  trx: Trx,
  reversal: Reversal & Pick<ReversalRow, 'created_at'>,
  order: OrderRow | undefined
): Promise<void> {
  const { id, state, amount } = reversal
  if (!order) {
    await trx
      .insertInto('payment_reversals')
      .values(reversal)
      .onConflict(conflict => conflict.column('id').doUpdateSet({ state, amount }))
      .execute()
  } else {
    // The order may have been placed after the reversal.
    await trx.deleteFrom('payment_reversals').where('id', '=', id).execute()
    await trx
      .insertInto('reversals')
      .values({ ...reversal, order_id: order.id, acknowledged_at: null })
      .onConflict(conflict =>
        conflict.column('id').doUpdateSet({ state, amount, acknowledged_at: null })
      )
      .execute()
  }
}

export async function hasUnacknowledgedReversal(db: Db, orderId: string): Promise<boolean> {
  const effective = db
    .selectFrom('reversals')
    .where('order_id', '=', orderId)
    .where('state', '!=', 'void')
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

export async function listReversalsByOrder(
  db: Db,
  orderIds: readonly string[]
): Promise<Map<string, ReversalRow[]>> {
  const rows = await readInBatches(orderIds, batch =>
    db
      .selectFrom('reversals')
      .selectAll()
      .where('order_id', 'in', batch)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  )
  return groupByOrder(rows)
}
