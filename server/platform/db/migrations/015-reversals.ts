import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const reversals: Migration = { up }

/** Refunds and disputes that were made at the provider, not by the shop. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('reversals')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('order_id', text, column => column.notNull().references('orders.id'))
    .addColumn('payment_id', text, column => column.notNull().references('payments.id'))
    .addColumn('kind', text, column => column.notNull().check(sql`kind in ('refund', 'dispute')`))
    .addColumn('amount', 'bigint', column => column.notNull().check(sql`amount >= 0`))
    .addColumn('state', text, column => column.notNull().check(sql`state in ('pending', 'returned', 'void')`))
    .addColumn('acknowledged_at', text)
    .addColumn('created_at', text, column => column.notNull())
    .execute()
  await db.schema.createIndex('reversals_order').on('reversals').column('order_id').execute()
  await db.schema.createIndex('reversals_payment').on('reversals').column('payment_id').execute()
  await db.schema.alterTable('webhook_events').addColumn('dispute_id', text).execute()
}
