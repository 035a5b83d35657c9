import type { Kysely, Migration } from 'kysely'
import { columns } from './columns.ts'

export const setUp: Migration = { up }

/** Both columns are empty in existing rows, because nobody knows any more how they were made. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema.alterTable('users').addColumn('printed_password_at', text).execute()
  await db.schema.alterTable('orders').addColumn('payment_mode', text).execute()
}
