import pg from 'pg'

/** A PostgreSQL that tests may fill with databases of their own. */
export interface TestPostgres {
  /** The address of its administration database. */
  url: string
  /** A migrated, empty database to copy. */
  template: string
}

/** Runs one statement that needs no database of its own, such as CREATE DATABASE. */
export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The same server, another database. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
