import { createWriteStream, existsSync } from 'node:fs'
import { copyFile, link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import { create } from 'tar'
import { listPictureFiles } from '#lib/images.ts'
import { DAY, isoNow, type Clock, SECOND } from '#lib/time.ts'
import { DatabaseError } from '../platform/db/failures.ts'
import { BASELINE } from '../platform/db/migrate.ts'
import { openPostgres } from '../platform/db/postgres.ts'
import { openSqlite } from '../platform/db/sqlite.ts'
import { FORGOTTEN } from '../platform/mail/outbox.ts'
import { serveTasks } from '../platform/process/worker-process.ts'
import { flush, ignoreMissing, listFiles } from '../platform/storage/files.ts'
import { PICTURES_PREFIX } from '../platform/storage/images.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import { openObjectStore, type StorageLocation } from '../platform/storage/open-store.ts'
import {
  BACKUP_TABLES,
  digestFiles,
  FORMAT,
  MANIFEST_FILE,
  PICTURES_FOLDER,
  tableFile,
  TABLES_FOLDER,
  withStagingFolder,
  type Manifest,
  type Row
} from './archive.ts'

export interface BackupTask {
  databaseUrl: string
  dataDir: string
  file: string
  storage?: StorageLocation | undefined
}

export interface BackupResult {
  size: number
  createdAt: string
  rows: Record<string, number>
  pictures: number
  missingPictures: string[]
}

type PictureWidths = Map<string, number>

const LEFTOVERS = { prefix: '.backup-', age: DAY }
const PICTURE_KEY = /^[A-Za-z0-9][A-Za-z0-9_-]*$/
const PICTURE_CONCURRENCY = 16
// A low level is enough: pictures do not compress, and table rows compress well at any level.
const GZIP_LEVEL = 3

export async function makeBackup(
  { databaseUrl, dataDir, file, storage }: BackupTask,
  clock: Clock
): Promise<BackupResult> {
  return withStagingFolder(dataDir, LEFTOVERS, async folder => {
    const { pictures, ...contents } = await dumpDatabase(databaseUrl, folder, clock)
    const objects = storage && openObjectStore(storage)
    const missingPictures = await copyPictures(pictures, join(dataDir, 'assets'), folder, objects)
    const files = await digestFiles(folder, await listFiles(folder))
    const manifest: Manifest = { format: FORMAT, ...contents, files }
    await writeFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest))
    const size = await packArchive(folder, file)
    const { createdAt, rows } = contents
    return { size, createdAt, rows, pictures: pictures.size, missingPictures }
  })
}

async function dumpDatabase(databaseUrl: string, folder: string, clock: Clock) {
  const snapshot = await openSnapshot(databaseUrl)
  try {
    const createdAt = isoNow(clock)
    const migrations: string[] = []
    if (snapshot.tables.has('kysely_migration')) {
      for await (const rows of snapshot.rows('kysely_migration'))
        migrations.push(...rows.map(({ name }) => String(name)))
    }
    if (!migrations.includes(BASELINE))
      throw new Error('The database contains no shop, or one from before commit 1678b053')
    const dump = await dumpTables(snapshot, folder)
    return { ...dump, createdAt, engine: snapshot.engine, migrations: migrations.sort() }
  } finally {
    await snapshot.close()
  }
}

async function packArchive(folder: string, file: string) {
  const unfinished = `${file}.unfinished`
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await rm(unfinished, { force: true })
  try {
    const options = {
      cwd: folder,
      file: unfinished,
      mode: 0o600,
      gzip: { level: GZIP_LEVEL },
      portable: true,
      strict: true
    }
    await create(options, [MANIFEST_FILE, TABLES_FOLDER, PICTURES_FOLDER])
    await flush(unfinished)
    await rename(unfinished, file)
    await flush(dirname(file))
    return (await stat(file)).size
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function dumpTables(snapshot: Snapshot, folder: string) {
  const counts: Record<string, number> = {}
  const pictures: PictureWidths = new Map()
  await mkdir(join(folder, TABLES_FOLDER))
  for (const table of BACKUP_TABLES.filter(name => snapshot.tables.has(name))) {
    let count = 0
    const lines = async function* (): AsyncGenerator<string> {
      for await (const batch of snapshot.rows(table)) {
        const rows = table === 'outbox' ? batch.map(row => ({ ...row, ...FORGOTTEN })) : batch
        for (const row of rows) addReferencedPicture(table, row, pictures)
        count += rows.length
        yield rows.map(row => `${JSON.stringify(row)}\n`).join('')
      }
    }
    await pipeline(lines, createWriteStream(join(folder, tableFile(table)), { flush: true }))
    counts[table] = count
  }
  return { rows: counts, pictures }
}

async function copyPictures(
  pictures: PictureWidths,
  assets: string,
  folder: string,
  objects: ObjectStore | undefined
) {
  await mkdir(join(folder, PICTURES_FOLDER))
  const files = [...pictures].flatMap(([key, width]) => listPictureFiles(key, width))
  const missing = await pLimit(PICTURE_CONCURRENCY).map(files, async file => {
    const target = join(folder, PICTURES_FOLDER, file)
    const source = join(assets, file)
    const copy = (): Promise<true> => copyFile(source, target).then(() => true)
    if (
      await link(source, target)
        .then(() => true, copy)
        .catch(ignoreMissing)
    )
      return []
    const content = await objects?.get(PICTURES_PREFIX + file)
    if (content === undefined) return [file]
    await writeFile(target, content)
    return []
  })
  return missing.flat()
}

function addReferencedPicture(table: string, row: Row, pictures: PictureWidths) {
  if (table === 'pictures') addPicture(pictures, row)
  if (/^(order|removed)_lines$/.test(table) && typeof row['picture'] === 'string')
    addPicture(pictures, JSON.parse(row['picture']))
}

function addPicture(pictures: PictureWidths, picture: unknown) {
  const { key, width } = (picture ?? {}) as Row
  if (typeof key === 'string' && PICTURE_KEY.test(key) && typeof width === 'number')
    pictures.set(key, width)
}

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

// A backup of the shop runs in a process of its own, so that it does not block requests.
if (process.argv[1] === fileURLToPath(import.meta.url))
  serveTasks((task: BackupTask) => makeBackup(task, Date.now))
