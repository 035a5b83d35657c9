import { existsSync } from 'node:fs'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'
import { DatabaseError } from '../platform/db/failures.ts'
import { openPostgres } from '../platform/db/postgres.ts'
import { openSqlite } from '../platform/db/sqlite.ts'
import type { Row } from './archive.ts'

export interface Snapshot {
  engine: 'sqlite' | 'postgres'
  tables: ReadonlySet<string>
  rows(table: string): AsyncIterable<Row[]>
  close(): Promise<void>
}

const BATCH = 500
const BUSY_TIMEOUT = 30 * SECOND

export function openSnapshot(databaseUrl: string): Promise<Snapshot> {
  return /^postgres(ql)?:/.test(databaseUrl)
    ? openPostgresSnapshot(databaseUrl)
    : openSqliteSnapshot(databaseUrl)
}

// With a write-ahead log, a reader keeps its snapshot and blocks no writer.
async function openSqliteSnapshot(path: string): Promise<Snapshot> {
  if (!existsSync(path)) throw new DatabaseError(`The database ${path} does not exist`)
  const file = openSqlite(path, BUSY_TIMEOUT)
  file.pragma('query_only = 1')
  file.exec('begin')
  // SQLite takes the snapshot at this first read, not at `begin`.
  const names = file
    .prepare(`select name from sqlite_master where type = 'table'`)
    .pluck()
    .all() as string[]
  return {
    engine: 'sqlite',
    tables: new Set(names),
    async *rows(table) {
      let batch: Row[] = []
      for (const row of file.prepare(`select * from "${table}"`).iterate()) {
        batch.push(row as Row)
        if (batch.length < BATCH) continue
        yield batch
        batch = []
        await yieldToEventLoop()
      }
      if (batch.length > 0) yield batch
    },
    async close() {
      file.close()
    }
  }
}

async function openPostgresSnapshot(databaseUrl: string): Promise<Snapshot> {
  const pool = openPostgres(databaseUrl)
  const client = await pool.connect().catch(async (cause: unknown) => {
    await pool.end()
    const { host, pathname } = new URL(databaseUrl)
    throw new DatabaseError(`The database postgres://${host}${pathname} can't be reached`, {
      cause
    })
  })
  await client.query('begin isolation level repeatable read, read only')
  // The transaction is idle while rows are written to the disk.
  await client.query('set local idle_in_transaction_session_timeout = 0')
  const { rows: tableRows } = await client.query<{ name: string }>(
    'select table_name as name from information_schema.tables where table_schema = current_schema()'
  )
  return {
    engine: 'postgres',
    tables: new Set(tableRows.map(({ name }) => name)),
    async *rows(table) {
      await client.query(`declare backup_rows no scroll cursor for select * from "${table}"`)
      for (;;) {
        const { rows } = await client.query<Row>(`fetch ${BATCH} from backup_rows`)
        if (rows.length > 0) yield rows
        if (rows.length < BATCH) break
      }
      await client.query('close backup_rows')
    },
    async close() {
      client.release(true)
      await pool.end()
    }
  }
}
