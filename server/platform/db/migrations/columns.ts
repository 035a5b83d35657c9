import { PostgresAdapter, sql, type Kysely, type RawBuilder } from 'kysely'

export function columns(db: Kysely<unknown>): { text: 'text' | RawBuilder<unknown> } {
  // Sorts text by bytes, as SQLite does. PostgreSQL's default order depends on the locale of the
  // installation.
  const byBytes = sql`text collate "C"`
  return { text: db.getExecutor().adapter instanceof PostgresAdapter ? byBytes : 'text' }
}

/**
 * Indexes the rows whose time in `column` is set, for example `orders_next_check` for
 * orders.next_check_at.
 */
export async function createDueIndex(
  db: Kysely<unknown>,
  table: string,
  column: 'next_at' | 'next_check_at'
): Promise<void> {
  await db.schema
    .createIndex(`${table}_${column.replace('_at', '')}`)
    .on(table)
    .column(column)
    .where(column as never, 'is not', sql.lit(null))
    .execute()
}
