import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { MIGRATIONS } from '../platform/db/migrations/index.ts'
import type { Tables, Trx } from '../platform/db/tables.ts'
import { LAST_BACKUP, raiseCounter, raiseCounterTo } from '../platform/db/counters.ts'
import { giveUpWaitingMails } from '../platform/mail/outbox.ts'
import { tableFile, type Manifest } from './manifest.ts'
import { BACKUP_TABLES, type Row } from './tables.ts'
import type { Target } from './target.ts'

const BATCH = 100

/**
 * Replaces all data in this transaction. Returns the number of mails that were still waiting in the backup and will not
 * be sent. `now` is ISO.
 */
export async function loadArchive(
  trx: Trx,
  folder: string,
  manifest: Manifest,
  target: Target,
  now: string
): Promise<number> {
  await trx.schema.dropTable('kysely_migration').ifExists().execute()
  for (const table of target.tables.toReversed()) await trx.schema.dropTable(table).execute()
  const migrations = Object.entries(MIGRATIONS)
  for (const [name, { up }] of migrations) if (manifest.migrations.includes(name)) await up(trx)
  for (const table of BACKUP_TABLES.filter(name => name in manifest.rows)) await fillTable(trx, folder, table, manifest)
  for (const [name, { up }] of migrations) if (!manifest.migrations.includes(name)) await up(trx)
  await recordMigrations(
    trx,
    migrations.map(([name]) => name),
    now
  )
  await raiseCounters(trx, manifest, target)
  // Waiting mails are not sent, because the shop has probably sent them since the backup was made.
  return giveUpWaitingMails(trx)
}

async function fillTable(trx: Trx, folder: string, table: string, manifest: Manifest): Promise<void> {
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
  for await (const line of readLines(join(folder, tableFile(table)))) {
    batch.push(JSON.parse(line) as Row)
    if (batch.length === BATCH) await insert()
  }
  await insert()
  if (count !== manifest.rows[table]) throw new Error(`${table} has ${count} rows instead of ${manifest.rows[table]}`)
}

// Replaces Node's readline, which also splits at U+2028 and U+2029. JSON strings may contain both.
async function* readLines(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const text of createReadStream(file, 'utf8')) {
    const lines = (rest + String(text)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

async function recordMigrations(trx: Trx, names: readonly string[], at: string): Promise<void> {
  await trx.schema
    .createTable('kysely_migration')
    .addColumn('name', 'varchar(255)', column => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', column => column.notNull())
    .execute()
  for (const name of names)
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${at})`.execute(trx)
}

// Counters never decrease, so that no invoice number is used twice. A higher `catalog` marks old releases as outdated.
async function raiseCounters(trx: Trx, { createdAt }: Manifest, { counters }: Target): Promise<void> {
  for (const [name, value] of counters) await raiseCounterTo(trx, name, value)
  await raiseCounterTo(trx, LAST_BACKUP, Date.parse(createdAt))
  await raiseCounter(trx, 'catalog')
}
