import { sql } from 'kysely'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { IsoTime } from '#lib/time.ts'
import type { Database } from '../platform/db/connect.ts'
import { LAST_BACKUP, LAST_SWEEPS, raiseCounter, raiseCounterTo } from '../platform/db/counters.ts'
import { listExecuted, listNewer, MIGRATIONS } from '../platform/db/migrate.ts'
import { countRows } from '../platform/db/search.ts'
import type { Tables, Trx } from '../platform/db/tables.ts'
import { parseJson } from '../platform/http/validate.ts'
import { giveUpWaitingMails } from '../platform/mail/outbox.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import { readSite } from '../publishing/bucket.ts'
import { openReleases } from '../publishing/release/store.ts'
import {
  ALL_TABLES,
  BACKUP_TABLES,
  PICTURES_FOLDER,
  tableFile,
  type Manifest,
  type Row
} from './archive.ts'

export interface Target {
  tables: string[]
  contents: string[]
  otherPictures: number
  counters: ReadonlyMap<string, number>
}

const BATCH = 100
const LABELS = { products: 'products', orders: 'orders', users: 'accounts', posts: 'posts' }

export async function inspectTarget(
  database: Database,
  dataDir: string,
  manifest: Manifest,
  objects: ObjectStore | undefined
): Promise<Target> {
  const { kysely, location } = database
  const names = new Set((await kysely.introspection.getTables()).map(({ name }) => name))
  const tables = ALL_TABLES.filter(table => names.has(table))
  const [newer] = listNewer(await listExecuted(kysely))
  if (newer !== undefined)
    throw new Error(
      `The database ${location} was migrated by a newer version of the shop (${newer})`
    )
  const contents: string[] = []
  for (const [table, label] of Object.entries(LABELS)) {
    if (!names.has(table)) continue
    const rows = await countRows(kysely.selectFrom(table as keyof typeof LABELS))
    if (rows > 0) contents.push(`${label}: ${rows}`)
  }
  const counters = tables.includes('counters')
    ? await kysely.selectFrom('counters').selectAll().execute()
    : []
  // If the database was lost, only the published release still has the catalogue counter.
  const live = [await openReleases(dataDir).current(), objects && (await readSite(objects)).release]
  const published = Math.max(0, ...live.map(release => release?.counter ?? 0))
  return {
    tables,
    contents,
    otherPictures: await countOtherPictures(dataDir, manifest),
    counters: new Map([
      ...counters.map(({ name, value }) => [name, value] as const),
      ['catalog', Math.max(published, counters.find(({ name }) => name === 'catalog')?.value ?? 0)]
    ])
  }
}

async function countOtherPictures(dataDir: string, { files }: Manifest) {
  const archived = new Set(files.map(({ name }) => name))
  const names = await readdir(join(dataDir, 'assets')).catch(() => [])
  return names.filter(name => name.endsWith('.jpg') && !archived.has(`${PICTURES_FOLDER}/${name}`))
    .length
}

export async function loadArchive(
  trx: Trx,
  folder: string,
  manifest: Manifest,
  target: Target,
  now: IsoTime
): Promise<number> {
  await trx.schema.dropTable('kysely_migration').ifExists().execute()
  for (const table of target.tables.toReversed()) await trx.schema.dropTable(table).execute()
  const migrations = Object.entries(MIGRATIONS)
  for (const [name, { up }] of migrations) if (manifest.migrations.includes(name)) await up(trx)
  for (const table of BACKUP_TABLES.filter(name => name in manifest.rows))
    await fillTable(trx, folder, table, manifest.rows[table])
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

async function fillTable(trx: Trx, folder: string, table: string, expected: number | undefined) {
  let count = 0
  let batch: Row[] = []
  const insert = async () => {
    if (batch.length > 0)
      await trx
        .insertInto(table as keyof Tables)
        .values(batch as never)
        .execute()
    count += batch.length
    batch = []
  }
  for await (const line of readLines(join(folder, tableFile(table)))) {
    batch.push(repairTexts(JSON.parse(line) as Row))
    if (batch.length === BATCH) await insert()
  }
  await insert()
  if (count !== expected) throw new Error(`${table} has ${count} rows instead of ${expected}`)
}

const UNREADABLE = /[\0\p{Cs}]/gu
const UNREADABLE_ESCAPE = /\\u(?:d[89a-f]|0000)/i

/** Replaces halves of an emoji and null characters, which older versions stored, also in JSON. */
function repairTexts(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, repair(value)])
  ) as Row
}

function repair(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const isJson = /^[{[]/.test(value) && UNREADABLE_ESCAPE.test(value)
  const repaired = isJson ? parseJson(value, (_name, part) => repair(part)) : undefined
  return repaired === undefined ? value.replace(UNREADABLE, '\ufffd') : JSON.stringify(repaired)
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

async function recordMigrations(trx: Trx, names: readonly string[], at: string) {
  await trx.schema
    .createTable('kysely_migration')
    .addColumn('name', 'varchar(255)', column => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', column => column.notNull())
    .execute()
  for (const name of names)
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${at})`.execute(trx)
}

// No invoice number is used twice. A higher `catalog` marks old releases as outdated.
async function raiseCounters(trx: Trx, { createdAt }: Manifest, { counters }: Target) {
  for (const [name, value] of counters) await raiseCounterTo(trx, name, value)
  await raiseCounterTo(trx, LAST_BACKUP, Date.parse(createdAt))
  await raiseCounter(trx, 'catalog')
  // The payments since the backup are looked up at once.
  await trx.deleteFrom('counters').where('name', 'in', Object.values(LAST_SWEEPS)).execute()
}
