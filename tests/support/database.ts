import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { connect, type Database } from '#server/platform/db/connect.ts'
import { createWrite, type Write } from '#server/platform/db/write.ts'
import { databaseUrl, prepareDatabase } from './prepare-database.ts'

/** For tests of what the SQL of both databases could do differently. */
export const BOTH_ENGINES = ['sqlite', 'postgres'] as const
export type Engine = (typeof BOTH_ENGINES)[number]
/** For all other tests with a database: `npm run test:all` runs them on PostgreSQL, too. */
export const ENGINES: readonly Engine[] =
  process.env['TEST_ENGINES'] === 'all' ? BOTH_ENGINES : ['sqlite']

export interface TestDatabase {
  database: Database
  write: Write
  /** `:memory:` for SQLite databases of `openDatabase`. Other processes cannot open these. */
  url: string
  close(): Promise<void>
}

export async function openDatabase(engine: Engine): Promise<TestDatabase> {
  if (engine === 'postgres') return openPostgres(inject('postgres').template)
  const opened = testDatabase(':memory:', async () => undefined)
  await copyTables(opened.database)
  return opened
}

/** Opens a database until the test ends. */
export async function openTestDatabase(engine: Engine): Promise<TestDatabase> {
  const opened = await openDatabase(engine)
  onTestFinished(opened.close)
  return opened
}

/** Opens a database without tables. Other processes can open it, too. */
export async function openEmptyDatabase(engine: Engine, dataDir?: string): Promise<TestDatabase> {
  if (engine === 'postgres') return openPostgres('template0')
  if (dataDir !== undefined) return testDatabase(join(dataDir, 'shop.db'), async () => undefined)
  const folder = await mkdtemp(join(tmpdir(), 'palagaram-sqlite-'))
  return testDatabase(join(folder, 'shop.db'), () => rm(folder, { recursive: true }))
}

/** Stays open, because each new connection takes 9 ms of CPU time. */
let administration: pg.Pool | undefined

async function openPostgres(template: string) {
  const { url } = inject('postgres')
  const name = `shop_${randomUUID().replaceAll('-', '')}`
  const server = (administration ??= new pg.Pool({
    connectionString: url,
    max: 2,
    allowExitOnIdle: true
  }))
  await server.query(`create database ${name} template ${template} strategy file_copy`)
  return testDatabase(
    databaseUrl(url, name),
    async () => void (await server.query(`drop database if exists ${name} with (force)`))
  )
}

function testDatabase(url: string, remove: () => Promise<void>) {
  const database = connect({ databaseUrl: url })
  return {
    database,
    write: createWrite(database),
    url,
    async close() {
      await database.close()
      await remove()
    }
  }
}

interface SqliteTemplate {
  definitions: string[]
  rows: [table: string, rows: Record<string, unknown>[]][]
}

let template: Promise<SqliteTemplate> | undefined

// Copying the tables of a migrated database takes a fifth of the time of the migrations.
async function copyTables({ kysely }: Database) {
  const { definitions, rows } = await (template ??= readTemplate())
  for (const definition of definitions) await sql.raw(definition).execute(kysely)
  for (const [table, values] of rows)
    await kysely
      .insertInto(table as never)
      .values(values as never)
      .execute()
}

async function readTemplate() {
  const database = connect({ databaseUrl: ':memory:' })
  await prepareDatabase(database)
  const { kysely } = database
  const schema = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'
    order by type = 'table' desc, rowid`.execute(kysely)
  const rows: SqliteTemplate['rows'] = []
  for (const { type, name } of schema.rows) {
    if (type !== 'table') continue
    const content = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      kysely
    )
    if (content.rows.length > 0) rows.push([name, content.rows])
  }
  await database.close()
  return { definitions: schema.rows.map(each => each.sql), rows }
}
