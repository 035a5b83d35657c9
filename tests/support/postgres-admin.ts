import pg from 'pg'

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
