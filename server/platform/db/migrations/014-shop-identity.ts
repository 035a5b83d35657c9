import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const shopIdentity: Migration = { up }

/** The first start inserts the only row of `shop_identity`, because it contains SITE_URL. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('shop_identity')
    .addColumn('singleton', 'bigint', column => column.primaryKey().check(sql`singleton = 1`))
    .addColumn('id', text, column => column.notNull())
    .addColumn('site_url', text)
    .addColumn('created_at', text, column => column.notNull())
    .execute()
  await db.schema
    .createTable('unmatched_payments')
    .addColumn('payment_id', text, column => column.primaryKey().references('payments.id'))
    .addColumn('order_no', text)
    .addColumn('found_at', text, column => column.notNull())
    .addColumn('decision', text, column => column.check(sql`decision in ('refund', 'keep')`))
    .execute()
}
