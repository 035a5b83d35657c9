import { createReadStream } from 'node:fs'
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import pLimit from 'p-limit'
import { extract, type ReadEntry } from 'tar'
import { setRestoredIdentity } from '../live-shop/live-shop.ts'
import type { Database } from '../platform/db/connect.ts'
import { MIGRATIONS } from '../platform/db/migrations/index.ts'
import { createWrite } from '../platform/db/write.ts'
import { isoNow, type Clock } from '../platform/process/clock.ts'
import { parseJson } from '../platform/http/validate.ts'
import { oneLine } from '../platform/process/command.ts'
import { reachFailpoint } from '../platform/process/failpoints.ts'
import { flush, listFiles } from '../platform/storage/files.ts'
import { uploadPictures } from '../platform/storage/images.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import {
  AnyFormatManifest,
  digestFile,
  FILE_NAME_PATTERN,
  FORMAT,
  Manifest,
  MANIFEST_FILE,
  PICTURES_FOLDER,
  tableFile,
  TABLES_FOLDER
} from './archive.ts'
import { inspectTarget, loadArchive, type Target } from './restore-database.ts'

interface RestoreTask {
  database: Database
  dataDir: string
  file: string
  force: boolean
  /**
   * Address at which the restored shop is live; null if an administrator has to confirm that it is
   * live.
   */
  siteUrl: string | null
  objects?: ObjectStore | undefined
}

export interface RestoreResult {
  manifest: Manifest
  unsent: number
}

interface ExtractedArchive {
  folder: string
  manifest: Manifest
  close(): Promise<void>
}

const STAGING_PREFIX = '.restore-'
const DIGEST_CONCURRENCY = 4
const FOLDERS = [`${TABLES_FOLDER}/`, `${PICTURES_FOLDER}/`]
const MOVE_CONCURRENCY = 8
const GIGABYTE = 1024 ** 3
/** A file of 1 MB can unpack to 1 GB. Rows compress to a tenth or less, pictures not at all. */
const MAX_COMPRESSION = 100
const MIN_SIZE_LIMIT = GIGABYTE
/** In bytes. Also an empty file takes some space on a disk. */
const BLOCK_SIZE = 4096

/**
 * Can run again after a crash. Pictures are only added, and the database changes in one
 * transaction.
 */
export async function restoreBackup(
  { database, dataDir, file, force, siteUrl, objects }: RestoreTask,
  clock: Clock
): Promise<RestoreResult> {
  await mkdir(dataDir, { recursive: true })
  const { folder, manifest, close } = await openArchive(file, dataDir)
  try {
    const target = await inspectTarget(database, dataDir, manifest, objects)
    if (!force) requireEmpty(target, database, dataDir)
    const names = await movePictures(folder, join(dataDir, 'assets'), manifest)
    if (objects) await uploadPictures(objects, dataDir, names)
    reachFailpoint('restore-pictures')
    const unsent = await createWrite(database)(async trx => {
      const at = isoNow(clock)
      const count = await loadArchive(trx, folder, manifest, target, at)
      await setRestoredIdentity(trx, { id: target.shopId, siteUrl, at })
      reachFailpoint('restore-precommit')
      return count
    })
    return { manifest, unsent }
  } finally {
    await close()
  }
}

function requireEmpty(
  { contents, picturesNotInArchive }: Target,
  { location }: Database,
  dataDir: string
): void {
  if (contents.length > 0) {
    throw new Error(
      `The database ${location} is not empty (${contents.join(', ')}); use --force to replace all data with the archive`
    )
  }
  if (picturesNotInArchive > 0) {
    const assets = join(dataDir, 'assets')
    throw new Error(
      `${assets} contains pictures that are not in the archive (${picturesNotInArchive}); use --force to restore anyway and keep them`
    )
  }
}

async function movePictures(
  folder: string,
  assets: string,
  { files }: Manifest
): Promise<string[]> {
  const pictures = files
    .map(({ name }) => name)
    .filter(name => name.startsWith(`${PICTURES_FOLDER}/`))
  await mkdir(assets, { recursive: true })
  await pLimit(MOVE_CONCURRENCY).map(pictures, async name => {
    await flush(join(folder, name))
    await rename(join(folder, name), join(assets, basename(name)))
  })
  await flush(assets)
  return pictures.map(name => basename(name))
}

async function openArchive(file: string, dataDir: string): Promise<ExtractedArchive> {
  await access(file).catch(cause => {
    throw new Error(`${file} does not exist`, { cause })
  })
  const abandoned = (await readdir(dataDir)).filter(name => name.startsWith(STAGING_PREFIX))
  for (const name of abandoned) await rm(join(dataDir, name), { recursive: true, force: true })
  const folder = await mkdtemp(join(dataDir, STAGING_PREFIX))
  // Retries the deletion, because tar may still be writing files when unpacking has already failed.
  const close = (): Promise<void> =>
    rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  try {
    await unpack(file, folder)
    const manifest = await readManifest(file, folder)
    await checkDigests(file, folder, manifest)
    return { folder, manifest, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function unpack(file: string, folder: string): Promise<void> {
  const limit = Math.max(MIN_SIZE_LIMIT, (await stat(file)).size * MAX_COMPRESSION)
  const unexpected: string[] = []
  let count = 0
  const filter = (path: string, entry: object): boolean => {
    const { type } = entry as ReadEntry
    const isKnown =
      type === 'Directory'
        ? FOLDERS.includes(path)
        : type === 'File' && FILE_NAME_PATTERN.test(path)
    const isAccepted = isKnown && ++count * BLOCK_SIZE <= limit
    if (!isAccepted) unexpected.push(path)
    return isAccepted
  }
  let size = 0
  try {
    size = await measureContent(file, limit)
    if (size <= limit)
      await extract({ file, cwd: folder, strict: true, preserveOwner: false, filter })
  } catch (cause) {
    throw new Error(`${file} is damaged or not a backup: ${oneLine(cause)}`, { cause })
  }
  if (size > limit)
    throw new Error(`${file} is not a backup: it would unpack to more than ${formatSize(limit)}`)
  if (unexpected.length > 0)
    throw new Error(`${file} contains an unexpected entry: ${JSON.stringify(unexpected[0])}`)
}

/** Returns the size of the unpacked archive in bytes. Stops above `limit`. */
async function measureContent(file: string, limit: number): Promise<number> {
  const source = createReadStream(file)
  const content = source.pipe(createGunzip())
  source.on('error', error => content.destroy(error))
  let size = 0
  for await (const chunk of content) {
    size += (chunk as Buffer).length
    if (size > limit) break
  }
  source.destroy()
  return size
}

function formatSize(bytes: number): string {
  return `${(bytes / GIGABYTE).toFixed(1)} GB`
}

async function readManifest(file: string, folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => '')
  const content = parseJson(text)
  const basics = AnyFormatManifest.safeParse(content).data
  if (!basics) throw new Error(`${file} is not a backup of a shop`)
  const unknown = basics.migrations.find(name => !(name in MIGRATIONS))
  if (basics.format > FORMAT || unknown !== undefined) {
    throw new Error(
      `${file} was made by a newer version of the shop (${unknown ?? `format ${basics.format}`}); use that version`
    )
  }
  const { data } = Manifest.safeParse(content)
  if (!data) throw new Error(`${file} is damaged: its manifest is invalid`)
  return data
}

async function checkDigests(
  file: string,
  folder: string,
  { files, rows }: Manifest
): Promise<void> {
  const fileNames = (await listFiles(folder)).filter(name => name !== MANIFEST_FILE)
  const found = await pLimit(DIGEST_CONCURRENCY).map(fileNames, name => digestFile(folder, name))
  const digests = new Map(found.map(digest => [digest.name, digest]))
  const damaged = files.find(({ name, size, sha256 }) => {
    const digest = digests.get(name)
    return digest?.size !== size || digest.sha256 !== sha256
  })
  if (damaged) throw new Error(`${file} is damaged: ${damaged.name} does not match its checksum`)
  const listed = new Set(files.map(({ name }) => name))
  const extra = fileNames.find(name => !listed.has(name))
  if (extra !== undefined) throw new Error(`${file} is damaged: ${extra} is not in the manifest`)
  const table = Object.keys(rows).find(name => !listed.has(tableFile(name)))
  if (table !== undefined) throw new Error(`${file} is damaged: the table ${table} is missing`)
}
