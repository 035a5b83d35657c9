import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { create } from 'tar'
import { DAY } from '#lib/time.ts'
import type { Clock } from '../platform/process/clock.ts'
import { mapLimit, listFiles, flush } from '../publishing/release/files.ts'
import { digestFile } from './digest.ts'
import { dumpTables, copyPictures, type Dump } from './dump.ts'
import { FORMAT, MANIFEST_FILE, PICTURES_FOLDER, TABLES_FOLDER, type Manifest } from './manifest.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'

export interface BackupTask {
  databaseUrl: string
  dataDir: string
  file: string
}

export interface BackupResult {
  size: number
  createdAt: string
  rows: Record<string, number>
  pictures: number
  missingPictures: string[]
}

const STAGING_PREFIX = '.backup-'
const CONCURRENCY = 4
// A low level is enough: pictures do not compress, and table rows compress well at any level.
const GZIP_LEVEL = 3

export async function makeBackup({ databaseUrl, dataDir, file }: BackupTask, clock: Clock): Promise<BackupResult> {
  await removeAbandonedFolders(dataDir, clock())
  const folder = await mkdtemp(join(dataDir, STAGING_PREFIX))
  try {
    const snapshot = await openSnapshot(databaseUrl)
    const createdAt = new Date(clock()).toISOString()
    const { dump, migrations } = await dumpDatabase(snapshot, folder).finally(() => snapshot.close())
    const missingPictures = await copyPictures(dump.pictures, join(dataDir, 'assets'), folder)
    const files = await mapLimit(CONCURRENCY, await listFiles(folder), name => digestFile(folder, name))
    const { engine } = snapshot
    const manifest: Manifest = { format: FORMAT, createdAt, engine, migrations, rows: dump.rows, files }
    await writeFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest))
    const size = await packArchive(folder, file)
    return { size, createdAt, rows: dump.rows, pictures: dump.pictures.size, missingPictures }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function dumpDatabase(snapshot: Snapshot, folder: string): Promise<{ dump: Dump; migrations: string[] }> {
  const migrations: string[] = []
  if (snapshot.tables.has('kysely_migration')) {
    for await (const rows of snapshot.rows('kysely_migration')) migrations.push(...rows.map(({ name }) => String(name)))
  }
  if (migrations.length === 0) throw new Error('The database contains no shop')
  return { dump: await dumpTables(snapshot, folder), migrations: migrations.sort() }
}

async function packArchive(folder: string, file: string): Promise<number> {
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

async function removeAbandonedFolders(dataDir: string, now: number): Promise<void> {
  for (const name of (await readdir(dataDir)).filter(entry => entry.startsWith(STAGING_PREFIX))) {
    const path = join(dataDir, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
    if (mtimeMs < now - DAY) await rm(path, { recursive: true, force: true })
  }
}
