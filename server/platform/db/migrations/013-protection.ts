import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const protection: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  // Null in existing sessions: their users verify themselves at the first call that needs it.
  await db.schema.alterTable('sessions').addColumn('identity_verified_at', text).execute()
  // A person draws once per deal, also with several accounts. Existing draws belong to their
  // account only.
  await db.schema.alterTable('draws').addColumn('person', text).execute()
  await db.schema
    .createIndex('draws_person')
    .on('draws')
    .columns(['deal_id', 'person'])
    .unique()
    .execute()
  await db.schema
    .createTable('stock_words')
    .addColumn('product_id', text, column =>
      column.primaryKey().references('products.id').onDelete('cascade')
    )
    .addColumn('word', text, column => column.notNull().check(sql`word in ('in', 'low', 'out')`))
    .addColumn('shown_at', text, column => column.notNull())
    .execute()
  await createIdentity(db)
  await createReversals(db)
}

/** The first start inserts the only row of `shop_identity`, because it contains SITE_URL. */
async function createIdentity(db: Kysely<unknown>): Promise<void> {
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

async function createReversals(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('reversals')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('order_id', text, column => column.notNull().references('orders.id'))
    .addColumn('payment_id', text, column => column.notNull().references('payments.id'))
    .addColumn('kind', text, column => column.notNull().check(sql`kind in ('refund', 'dispute')`))
    .addColumn('amount', 'bigint', column => column.notNull().check(sql`amount >= 0`))
    .addColumn('state', text, column =>
      column.notNull().check(sql`state in ('pending', 'returned', 'void')`)
    )
    .addColumn('acknowledged_at', text)
    .addColumn('created_at', text, column => column.notNull())
    .execute()
  await db.schema.createIndex('reversals_order').on('reversals').column('order_id').execute()
  await db.schema.createIndex('reversals_payment').on('reversals').column('payment_id').execute()
  await db.schema.alterTable('webhook_events').addColumn('dispute_id', text).execute()
}
