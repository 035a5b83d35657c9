import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../platform/db/connect.ts'
import { MIGRATIONS } from '../platform/db/migrations/index.ts'
import { createReleaseStore } from '../publishing/release/store.ts'
import { PICTURES_FOLDER, type Manifest } from './manifest.ts'
import { ALL_TABLES } from './tables.ts'

export interface Target {
  tables: string[]
  /** Number of rows in each non-empty table, such as 'orders: 12'. */
  contents: string[]
  picturesNotInArchive: number
  counters: ReadonlyMap<string, number>
}

const LABELS = { products: 'products', orders: 'orders', users: 'accounts', posts: 'posts' } as const

export async function inspectTarget(database: Database, dataDir: string, manifest: Manifest): Promise<Target> {
  const { kysely, location } = database
  const names = await listTables(database)
  const tables = ALL_TABLES.filter(table => names.has(table))
  const countRows = async (table: string): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(kysely)
    return Number(rows[0]?.n ?? 0)
  }
  if (names.has('kysely_migration')) {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(kysely)
    const unknown = rows.find(({ name }) => !(name in MIGRATIONS))
    if (unknown)
      throw new Error(`The database ${location} was migrated by a newer version of the shop (${unknown.name})`)
  }
  const contents: string[] = []
  for (const table of tables) {
    const rows = await countRows(table)
    const label = LABELS[table as keyof typeof LABELS]
    if (rows > 0 && label) contents.push(`${label}: ${rows}`)
  }
  const counters = tables.includes('counters') ? await kysely.selectFrom('counters').selectAll().execute() : []
  return {
    tables,
    contents,
    picturesNotInArchive: await countOtherPictures(dataDir, manifest),
    counters: await addReleaseCounter(new Map(counters.map(({ name, value }) => [name, value])), dataDir)
  }
}

async function listTables({ kysely, dialect }: Database): Promise<Set<string>> {
  const { rows } = await (
    dialect === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{
          name: string
        }>`select table_name as name from information_schema.tables where table_schema = current_schema()`
  ).execute(kysely)
  return new Set(rows.map(({ name }) => name))
}

async function countOtherPictures(dataDir: string, { files }: Manifest): Promise<number> {
  const archived = new Set(files.map(({ name }) => name))
  const names = await readdir(join(dataDir, 'assets')).catch(() => [])
  return names.filter(name => name.endsWith('.jpg') && !archived.has(`${PICTURES_FOLDER}/${name}`)).length
}

// If the database was lost, only the published releases still contain the catalogue counter.
async function addReleaseCounter(counters: Map<string, number>, dataDir: string): Promise<Map<string, number>> {
  const store = createReleaseStore(dataDir)
  for (const id of await store.listIds()) {
    const counter = (await store.manifest(id))?.counter ?? 0
    counters.set('catalog', Math.max(counter, counters.get('catalog') ?? 0))
  }
  return counters
}
