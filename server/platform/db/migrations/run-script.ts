import { PostgresAdapter, sql, type Kysely } from 'kysely'

export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

export async function runScript(db: Kysely<unknown>, script: string): Promise<void> {
  // Sorts text by bytes, as SQLite does. PostgreSQL's default order depends on its locale.
  const typed = isPostgres(db) ? script.replace(/(?<=\w )text\b/g, 'text collate "C"') : script
  for (const statement of typed.split(';'))
    if (statement.trim() !== '') await sql.raw(statement).execute(db)
}
