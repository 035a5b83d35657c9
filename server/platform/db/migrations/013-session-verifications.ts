import type { Kysely, Migration } from 'kysely'
import { columns } from './columns.ts'

export const sessionVerifications: Migration = { up }

/** Null in existing sessions: their users verify themselves at the first call that needs it. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('identity_verified_at', columns(db).text).execute()
}
