import { Migrator } from 'kysely'
import { MINUTE } from '#lib/time.ts'
import type { Database } from './connect.ts'
import { DatabaseError } from './failures.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { withRetries } from './write.ts'

/** For a SQLite file that another process is migrating; on PostgreSQL, Kysely waits for its lock. */
const LOCK_TIMEOUT = MINUTE

export async function migrate({ kysely, place }: Database): Promise<void> {
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } })
  try {
    await withRetries(async () => {
      const { error } = await migrator.migrateToLatest()
      if (error) throw error as Error
    }, LOCK_TIMEOUT)
  } catch (cause) {
    throw new DatabaseError(`The database ${place} can't be prepared: ${reason(cause)}`, { cause })
  }
}

// A connection refused on all addresses of a host is an AggregateError without a message.
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join(', ')
  return error instanceof Error ? error.message.replace(/\s*\n\s*/g, ' ') : String(error)
}
