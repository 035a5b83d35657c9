import { type Kysely, type Migration } from 'kysely'

export const deviceTokens: Migration = { up: addDevicesVersion }

async function addDevicesVersion(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('devices_version', 'bigint', column => column.notNull().defaultTo(0))
    .execute()
}
