import { sql, type Kysely, type Migration } from 'kysely'

export const unpaidOrders: Migration = { up }

/** For the deletion of checkouts that nobody tried to pay. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('orders_unpaid_ended')
    .on('orders')
    .column('ended_at')
    .where('paid_at' as never, 'is', sql.lit(null))
    .execute()
  await db.schema.createIndex('unitemised_payments_order').on('unitemised_payments').column('order_id').execute()
}
