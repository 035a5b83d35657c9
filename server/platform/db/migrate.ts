import { Migrator } from 'kysely'
import { MINUTE } from '#lib/time.ts'
import type { Database } from './connect.ts'
import { DatabaseError } from './failures.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { withRetries } from './write.ts'

/** Maximum wait while another process migrates the SQLite file. On PostgreSQL, Kysely waits for its own lock. */
const LOCK_TIMEOUT = MINUTE

export async function migrate({ kysely, location }: Database): Promise<void> {
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } })
  try {
    await withRetries(async () => {
      const { error } = await migrator.migrateToLatest()
      if (error) throw error as Error
    }, LOCK_TIMEOUT)
  } catch (cause) {
    throw new DatabaseError(`The database ${location} can't be prepared: ${describeError(cause)}`, { cause })
  }
}

// If all addresses of a host refuse the connection, the error is an AggregateError without a message.
function describeError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeError).join(', ')
  return error instanceof Error ? error.message.replace(/\s*\n\s*/g, ' ') : String(error)
}
