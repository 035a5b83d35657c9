import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const deletedCheckouts: Migration = { up }

/** A provider order can be paid for ever, so its id is kept when the checkout is deleted. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('deleted_checkouts')
    .addColumn('provider_order_id', text, column => column.primaryKey())
    .addColumn('user_id', text, column => column.notNull().references('users.id'))
    .execute()
  await db.schema
    .createIndex('unitemised_payments_refused')
    .on('unitemised_payments')
    .column('created_at')
    .where('state' as never, '=', sql.lit('refused'))
    .execute()
}
