import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const draws: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('draws')
    .addColumn('deal_id', text, column => column.notNull().references('deals.id').onDelete('cascade'))
    .addColumn('user_id', text, column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('percent', 'bigint', column => column.notNull().check(sql`percent between 1 and 100`))
    .addColumn('drawn_at', text, column => column.notNull())
    .addColumn('order_id', text)
    .addPrimaryKeyConstraint('draws_pkey', ['deal_id', 'user_id'])
    .execute()
  await db.schema.createIndex('draws_user').on('draws').column('user_id').execute()
}
