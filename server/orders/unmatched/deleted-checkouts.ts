import { sql, type SqlBool } from 'kysely'
import type { IsoTime } from '#lib/time.ts'
import { deleteCouponUses } from '../../coupons/claims.ts'
import type { DeletedCheckoutRow } from '../../platform/db/order-tables.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'

const BATCH = 300

/** Keeps the ids of the provider orders, because a later payment must be refunded. */
export async function deleteUnattemptedCheckouts(trx: Trx, cutoff: IsoTime): Promise<void> {
  await deleteOrders(trx, cutoff)
  await deleteUnitemised(trx, cutoff)
}

async function deleteOrders(trx: Trx, cutoff: string): Promise<void> {
  // Locks the orders, so that none is deleted while a payment of it is settled.
  const orders = await trx
    .updateTable('orders')
    .set(row => ({ ended_at: row.ref('ended_at') }))
    .where('payment_state', 'in', ['expired', 'cancelled'])
    .where('id', 'in', outer =>
      outer
        .selectFrom('orders as o')
        .select('o.id')
        .where('o.paid_at', 'is', null)
        .where('o.ended_at', '<', cutoff)
        .where('o.payment_state', 'in', ['expired', 'cancelled'])
        .where(sql<SqlBool>`not exists (select 1 from payments where provider_order_id = o.provider_order_id)`)
        .where(sql<SqlBool>`not exists (select 1 from unitemised_payments where order_id = o.id)`)
        .orderBy('o.ended_at')
        .limit(BATCH)
    )
    .returning(['id', 'user_id', 'provider_order_id'])
    .execute()
  const ids = orders.map(({ id }) => id)
  if (ids.length === 0) return
  await deleteCouponUses(trx, ids)
  await trx.deleteFrom('stock_movements').where('order_id', 'in', ids).execute()
  await trx.deleteFrom('order_lines').where('order_id', 'in', ids).execute()
  await trx.deleteFrom('orders').where('id', 'in', ids).execute()
  await keepProviderOrders(trx, orders)
}

async function deleteUnitemised(trx: Trx, cutoff: string): Promise<void> {
  const deleted = await trx
    .deleteFrom('unitemised_payments')
    .where('id', 'in', outer =>
      outer
        .selectFrom('unitemised_payments as u')
        .select('u.id')
        // The value is a literal, because with a parameter the database would not use the partial index.
        .where('u.state', '=', sql.lit('refused'))
        .where('u.next_check_at', 'is', null)
        .where('u.created_at', '<', cutoff)
        .where(sql<SqlBool>`not exists (select 1 from payments where provider_order_id = u.provider_order_id)`)
        .orderBy('u.created_at')
        .limit(BATCH)
    )
    .returning(['user_id', 'provider_order_id'])
    .execute()
  await keepProviderOrders(trx, deleted)
}

async function keepProviderOrders(
  trx: Trx,
  checkouts: readonly { user_id: string; provider_order_id: string | null }[]
): Promise<void> {
  const rows = checkouts.flatMap(({ user_id, provider_order_id }) =>
    provider_order_id === null ? [] : [{ user_id, provider_order_id }]
  )
  if (rows.length > 0) await trx.insertInto('deleted_checkouts').values(rows).execute()
}

export function findDeletedCheckout(db: Db, providerOrderId: string): Promise<DeletedCheckoutRow | undefined> {
  return db
    .selectFrom('deleted_checkouts')
    .selectAll()
    .where('provider_order_id', '=', providerOrderId)
    .executeTakeFirst()
}
