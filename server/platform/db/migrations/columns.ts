import { PostgresAdapter, sql, type Kysely, type RawBuilder } from 'kysely'

export function columns(db: Kysely<unknown>): { text: 'text' | RawBuilder<unknown> } {
  // Sorts text by bytes, as SQLite does. PostgreSQL's default order depends on the locale of the installation.
  const byBytes = sql`text collate "C"`
  return { text: db.getExecutor().adapter instanceof PostgresAdapter ? byBytes : 'text' }
}
