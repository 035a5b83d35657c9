import { seedSettings } from '#server/demo/first-start.ts'
import type { Database } from '#server/platform/db/connect.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { createWrite } from '#server/platform/db/write.ts'

/** Creates the tables and the settings of the demo shop. */
export async function prepareDatabase(database: Database): Promise<void> {
  await migrate(database)
  await seedSettings(
    { database, write: createWrite(database), clock: Date.now },
    { demoData: true }
  )
}
