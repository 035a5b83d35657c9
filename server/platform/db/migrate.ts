import { Migrator, sql } from 'kysely'
import { MINUTE } from '#lib/time.ts'
import type { Database } from './connect.ts'
import { DatabaseError } from './failures.ts'
import { MIGRATIONS } from './migrations/index.ts'
import type { Db } from './tables.ts'
import { withRetries } from './write.ts'

/** Maximum wait while another process migrates the SQLite file. On PostgreSQL, Kysely waits for its own lock. */
const LOCK_TIMEOUT = MINUTE

export async function migrate({ kysely, dialect, location }: Database): Promise<void> {
  const run = dialect === 'postgres' ? withoutStatementTimeout : migrateToLatest
  try {
    await withRetries(() => kysely.connection().execute(run), LOCK_TIMEOUT)
  } catch (cause) {
    throw new DatabaseError(`The database ${location} can't be prepared: ${describeError(cause)}`, { cause })
  }
}

async function migrateToLatest(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error as Error
}

/** A change of a large table, or the wait for another process that makes it, may take minutes. */
async function withoutStatementTimeout(db: Db): Promise<void> {
  await sql`set statement_timeout = 0`.execute(db)
  await migrateToLatest(db)
  await sql`reset statement_timeout`.execute(db)
}

// If all addresses of a host refuse the connection, the error is an AggregateError without a message.
function describeError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeError).join(', ')
  return error instanceof Error ? error.message.replace(/\s*\n\s*/g, ' ') : String(error)
}
