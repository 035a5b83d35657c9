import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const nodes: Migration = { up }

/** The only row names the release that all nodes show. It is written only if the shop has an object store. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('live_release')
    .addColumn('singleton', 'bigint', column => column.primaryKey().check(sql`singleton = 1`))
    .addColumn('release', text, column => column.notNull())
    .addColumn('since', text, column => column.notNull())
    .execute()
}
