import { sql } from 'kysely'
import type { Db } from '#server/platform/db/tables.ts'

/** Returns the rows of all tables, without what any request may leave behind. */
export async function readTables(db: Db): Promise<Record<string, string[]>> {
  const tables = await db.introspection.getTables()
  const contents = tables.map(async ({ name }) => {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db)
    const kept = rows.filter(row => !isTrace(name, row)).map(row => withoutLastUse(name, row))
    return [name, kept.map(row => JSON.stringify(row)).toSorted()] as const
  })
  return Object.fromEntries(await Promise.all(contents))
}

/** Limits count requests, the readiness check of operators writes, jobs have leases of seconds. */
function isTrace(table: string, row: object) {
  if (table === 'counters') return JSON.stringify(row).includes('readiness checks')
  return (
    table === 'rate_counts' || (table === 'leases' && !JSON.stringify(row).includes('download'))
  )
}

/** A session lasts for 30 days after its last use. */
function withoutLastUse(table: string, row: object): object {
  return table === 'sessions' ? { ...row, renewed_at: '', expires_at: '' } : row
}
