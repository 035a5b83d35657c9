import type { Kysely, Migration } from 'kysely'

export const codeTries: Migration = { up }

/** Tries of login codes are counted in `rate_counts`, per network and device. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('otp_tries').execute()
}
