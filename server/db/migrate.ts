import { Migrator } from 'kysely'
import { MINUTE } from '#lib/time.ts'
import type { Database } from './connect.ts'
import { DatabaseError } from './failures.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { withRetries } from './write.ts'

/** How long a start waits for another process that is migrating a SQLite file; on PostgreSQL it waits for its lock. */
const PATIENCE = MINUTE

/**
 * Brings the schema up to date: all pending changes in one transaction, whether it runs twice or in two processes at
 * once. Throws DatabaseError, one line, when the database can't be reached or changed.
 */
export async function migrate({ kysely, place }: Database): Promise<void> {
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } })
  try {
    await withRetries(async () => {
      const { error } = await migrator.migrateToLatest()
      if (error) throw error as Error
    }, PATIENCE)
  } catch (cause) {
    throw new DatabaseError(`The database ${place} can't be prepared: ${reason(cause)}`, { cause })
  }
}

// A connection that is refused on each of a host's addresses is an AggregateError without words.
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join(', ')
  return error instanceof Error ? error.message.replace(/\s*\n\s*/g, ' ') : String(error)
}
