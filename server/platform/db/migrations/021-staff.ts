import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const staff: Migration = { up }

/** Administrators become owners. The role follows from the new column: whoever belongs to the staff is an `admin`. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema.alterTable('users').addColumn('staff', text).execute()
  await sql`update users set staff = 'owner' where role = 'admin'`.execute(db)
  await db.schema.alterTable('users').dropColumn('role').execute()
}
