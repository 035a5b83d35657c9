import { PostgresAdapter, sql, type Kysely, type RawBuilder } from 'kysely'

/** Types that need a word more on one of the engines. */
export function columns(db: Kysely<unknown>): { text: 'text' | RawBuilder<unknown> } {
  // Compared by bytes on both: PostgreSQL would else order names, and times, by the language it was installed with.
  const byBytes = sql`text collate "C"`
  return { text: db.getExecutor().adapter instanceof PostgresAdapter ? byBytes : 'text' }
}
