import type { Kysely, Migration } from 'kysely'
import { columns } from './columns.ts'

export const missedSearches: Migration = { up }

/** Texts that shoppers searched for and did not find, by day in India, without any person. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('missed_searches')
    .addColumn('day', text, column => column.notNull())
    .addColumn('text', text, column => column.notNull())
    .addColumn('count', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('missed_searches_key', ['day', 'text'])
    .execute()
}
