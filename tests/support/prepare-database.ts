import pg from 'pg'
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

export interface TestPostgres {
  /** URL of the administration database. */
  url: string
  /** Name of a migrated, empty database to copy. */
  template: string
}

export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
