import type { Kysely, Migration } from 'kysely'
import { columns } from './columns.ts'

export const packing: Migration = { up }

/** Lines of orders that somebody in the kitchen has ticked as packed. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('packed_lines')
    .addColumn('order_id', text, column => column.notNull().references('orders.id').onDelete('cascade'))
    .addColumn('n', 'bigint', column => column.notNull())
    .addColumn('quantity', 'bigint', column => column.notNull())
    .addColumn('packed_at', text, column => column.notNull())
    .addPrimaryKeyConstraint('packed_lines_key', ['order_id', 'n'])
    .execute()
  await db.schema.createIndex('packed_lines_packed_at').on('packed_lines').column('packed_at').execute()
}
