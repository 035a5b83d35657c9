import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const stockWords: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('stock_words')
    .addColumn('product_id', text, column => column.primaryKey().references('products.id').onDelete('cascade'))
    .addColumn('word', text, column => column.notNull().check(sql`word in ('in', 'low', 'out')`))
    .addColumn('shown_at', text, column => column.notNull())
    .execute()
}
