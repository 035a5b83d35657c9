import { type Kysely, type Migration, sql } from 'kysely'
import { columns } from './columns.ts'

export const refunds: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  // The table `reversals` needs an order, and SQLite can't change that without copying it.
  await db.schema
    .createTable('payment_reversals')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('payment_id', text, column => column.notNull().references('payments.id'))
    .addColumn('kind', text, column => column.notNull().check(sql`kind in ('refund', 'dispute')`))
    .addColumn('amount', 'bigint', column => column.notNull().check(sql`amount >= 0`))
    .addColumn('state', text, column =>
      column.notNull().check(sql`state in ('pending', 'returned', 'void')`)
    )
    .addColumn('created_at', text, column => column.notNull())
    .execute()
  await db.schema
    .createIndex('payment_reversals_payment')
    .on('payment_reversals')
    .column('payment_id')
    .execute()
  await db.schema
    .createIndex('refunds_failed')
    .on('refunds')
    .column('payment_id')
    .where('state' as never, '=', sql.lit('failed'))
    .execute()
  // Refunds that the shop had given up were due or sent, and counted as on their way.
  await sql`update refunds set state = 'failed', provider_refund_id = null
    where state in ('due', 'sent') and next_at is null`.execute(db)
}
