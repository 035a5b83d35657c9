import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const publishes: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('publishes')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('cause', text, column => column.notNull())
    .addColumn('state', text, column =>
      column.notNull().check(sql`state in ('waiting', 'rendering', 'live', 'failed')`)
    )
    .addColumn('requested_at', text, column => column.notNull())
    .addColumn('started_at', text)
    .addColumn('ended_at', text)
    .addColumn('release', text)
    .addColumn('pages', 'bigint')
    .addColumn('problem', text)
    .addColumn('counter', 'bigint')
    .addColumn('code', text)
    .execute()
  await db.schema.createIndex('publishes_requested').on('publishes').column('requested_at').execute()
}
