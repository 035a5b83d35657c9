import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { create } from 'tar'
import { DAY } from '#lib/time.ts'
import type { Clock } from '../clock.ts'
import { eachAtMost, filesUnder, flush } from '../release/files.ts'
import { digestOf } from './digest.ts'
import { dumpTables, gatherPictures, type Dump } from './dump.ts'
import { FORMAT, MANIFEST, PICTURES_FOLDER, TABLES_FOLDER, type Manifest } from './manifest.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'

export interface BackupOrder {
  /** Of the shop, which may be running. */
  databaseUrl: string
  dataDir: string
  /** Where the archive is to be; there must not be one yet. */
  file: string
}

export interface MadeBackup {
  size: number
  createdAt: string
  rows: Record<string, number>
  pictures: number
  /** Files of pictures that the database speaks of and the disk has not got. */
  missing: string[]
}

const STAGING = '.backup-'
const AT_ONCE = 4
/** Pictures don't get smaller, rows do at any level. */
const LEVEL = 3

/**
 * Makes one archive of database and pictures as they are at one instant, whoever writes meanwhile. It is there whole or not
 * at all, and only its owner may read it.
 */
export async function makeBackup({ databaseUrl, dataDir, file }: BackupOrder, clock: Clock): Promise<MadeBackup> {
  await removeAbandoned(dataDir, clock())
  const folder = await mkdtemp(join(dataDir, STAGING))
  try {
    const snapshot = await openSnapshot(databaseUrl)
    const createdAt = new Date(clock()).toISOString()
    const { dump, migrations } = await read(snapshot, folder).finally(() => snapshot.close())
    const missing = await gatherPictures(dump.pictures, join(dataDir, 'assets'), folder)
    const files = await eachAtMost(AT_ONCE, await filesUnder(folder), name => digestOf(folder, name))
    const { engine } = snapshot
    const manifest: Manifest = { format: FORMAT, createdAt, engine, migrations, rows: dump.rows, files }
    await writeFile(join(folder, MANIFEST), JSON.stringify(manifest))
    const size = await pack(folder, file)
    return { size, createdAt, rows: dump.rows, pictures: dump.pictures.size, missing }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function read(snapshot: Snapshot, folder: string): Promise<{ dump: Dump; migrations: string[] }> {
  const migrations: string[] = []
  if (snapshot.tables.has('kysely_migration')) {
    for await (const rows of snapshot.rows('kysely_migration')) migrations.push(...rows.map(({ name }) => String(name)))
  }
  if (migrations.length === 0) throw new Error('There is no shop in this database')
  return { dump: await dumpTables(snapshot, folder), migrations: migrations.sort() }
}

async function pack(folder: string, file: string): Promise<number> {
  const unfinished = `${file}.unfinished`
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await rm(unfinished, { force: true })
  try {
    const options = { cwd: folder, file: unfinished, mode: 0o600, gzip: { level: LEVEL }, portable: true, strict: true }
    // What it says of itself comes first.
    await create(options, [MANIFEST, TABLES_FOLDER, PICTURES_FOLDER])
    await flush(unfinished)
    await rename(unfinished, file)
    await flush(dirname(file))
    return (await stat(file)).size
  } finally {
    await rm(unfinished, { force: true })
  }
}

// Of backups that were killed.
async function removeAbandoned(dataDir: string, now: number): Promise<void> {
  for (const name of (await readdir(dataDir)).filter(entry => entry.startsWith(STAGING))) {
    const path = join(dataDir, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
    if (mtimeMs < now - DAY) await rm(path, { recursive: true, force: true })
  }
}
