import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { MIGRATIONS } from '../db/migrations/index.ts'
import type { Tables, Trx } from '../db/tables.ts'
import { LAST_BACKUP, raiseCounter, raiseTo } from '../queries/counters.ts'
import { giveUpWaitingMails } from '../queries/outbox.ts'
import { tableFile, type Manifest } from './manifest.ts'
import { FORMER_NAMES, KEPT_TABLES, type Row } from './tables.ts'
import type { Target } from './target.ts'

/** Of so many rows is one statement. */
const BATCH = 100

/**
 * Replaces everything in the database by what an archive holds, and brings that up to date: all of it in this transaction.
 * Answers how many mails had been waiting. `now` is ISO.
 */
export async function load(trx: Trx, folder: string, manifest: Manifest, target: Target, now: string): Promise<number> {
  await trx.schema.dropTable('kysely_migration').ifExists().execute()
  // What refers to others goes before them.
  for (const table of target.tables.toReversed()) await trx.schema.dropTable(table).execute()
  const steps = Object.entries(MIGRATIONS)
  for (const [name, { up }] of steps) if (manifest.migrations.includes(name)) await up(trx)
  const tables = KEPT_TABLES.flatMap(table => [table, FORMER_NAMES[table] ?? []].flat())
  for (const table of tables.filter(name => name in manifest.rows)) await fill(trx, folder, table, manifest)
  for (const [name, { up }] of steps) if (!manifest.migrations.includes(name)) await up(trx)
  await noteMigrations(
    trx,
    steps.map(([name]) => name),
    now
  )
  await moveCounters(trx, manifest, target)
  // A mail that waited was sent a moment later by the shop that went on: nobody is to get it twice.
  return giveUpWaitingMails(trx)
}

async function fill(trx: Trx, folder: string, table: string, manifest: Manifest): Promise<void> {
  let count = 0
  let batch: Row[] = []
  const insert = async (): Promise<void> => {
    if (batch.length > 0)
      await trx
        .insertInto(table as keyof Tables)
        .values(batch as never)
        .execute()
    count += batch.length
    batch = []
  }
  for await (const line of linesOf(join(folder, tableFile(table)))) {
    batch.push(JSON.parse(line) as Row)
    if (batch.length === BATCH) await insert()
  }
  await insert()
  if (count !== manifest.rows[table]) throw new Error(`${table} has ${count} rows instead of ${manifest.rows[table]}`)
}

// Not by Node's readline, for which a line also ends at characters that JSON holds as they are.
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const text of createReadStream(file, 'utf8')) {
    const lines = (rest + String(text)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

// As Kysely's own migrator keeps them.
async function noteMigrations(trx: Trx, names: readonly string[], at: string): Promise<void> {
  await trx.schema
    .createTable('kysely_migration')
    .addColumn('name', 'varchar(255)', column => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', column => column.notNull())
    .execute()
  for (const name of names)
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${at})`.execute(trx)
}

// An invoice's number is never given twice, and no release from before is taken for one of what is there now.
async function moveCounters(trx: Trx, { createdAt }: Manifest, { counters }: Target): Promise<void> {
  for (const [name, value] of counters) await raiseTo(trx, name, value)
  await raiseTo(trx, LAST_BACKUP, Date.parse(createdAt))
  await raiseCounter(trx, 'catalog')
}
