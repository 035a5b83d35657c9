import { DEFAULT_MIGRATION_TABLE, Migrator, sql, type Migration } from 'kysely'
import { MINUTE } from '#lib/time.ts'
import { oneLine } from '../process/command.ts'
import type { Database } from './connect.ts'
import { DatabaseError } from './failures.ts'
import { BASELINE, listNewer, MIGRATIONS } from './migrations/index.ts'
import type { Db } from './tables.ts'
import { withRetries } from './write.ts'

/** For another process that migrates the SQLite file. On PostgreSQL, Kysely waits. */
const LOCK_TIMEOUT = MINUTE

/** Returns the migrations of a newer version. */
export async function migrate({ kysely, dialect, location }: Database): Promise<string[]> {
  const run = dialect === 'postgres' ? withoutStatementTimeout : migrateToLatest
  try {
    return await withRetries(() => kysely.connection().execute(run), LOCK_TIMEOUT)
  } catch (cause) {
    throw new DatabaseError(`The database ${location} can't be prepared: ${oneLine(cause)}`, {
      cause
    })
  }
}

async function migrateToLatest(db: Db): Promise<string[]> {
  const executed = await listExecuted(db)
  if (executed.length > 0 && !executed.includes(BASELINE))
    throw new Error('it is too old; start the version of commit 1678b053 once, then this one')
  const placeholders = Object.fromEntries(
    executed.map(name => [name, { up: async () => undefined }])
  )
  const getMigrations = async (): Promise<Record<string, Migration>> => ({
    ...placeholders,
    ...MIGRATIONS
  })
  const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest()
  if (error) throw error as Error
  return listNewer(executed)
}

async function listExecuted(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return []
  const { rows } = await sql<{
    name: string
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  return rows.map(({ name }) => name)
}

/** A change of a large table, or the wait for another process that makes it, may take minutes. */
async function withoutStatementTimeout(db: Db): Promise<string[]> {
  await sql`set statement_timeout = 0`.execute(db)
  try {
    return await migrateToLatest(db)
  } finally {
    // Fails only if the connection is lost, and then the first error tells more.
    await sql`reset statement_timeout`.execute(db).catch(() => undefined)
  }
}
