import { access, mkdir, readFile, rename, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import pLimit from 'p-limit'
import { extract, type ReadEntry } from 'tar'
import { isoNow, type Clock } from '#lib/time.ts'
import { setRestoredIdentity } from '../live-shop/live-shop.ts'
import type { Database } from '../platform/db/connect.ts'
import { BASELINE, listNewer } from '../platform/db/migrate.ts'
import { createWrite } from '../platform/db/write.ts'
import { parseJson } from '../platform/http/validate.ts'
import { oneLine } from '../platform/process/command.ts'
import { reachFailpoint } from '../platform/process/failpoints.ts'
import { flush, listFiles } from '../platform/storage/files.ts'
import { uploadPictures } from '../platform/storage/images.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import {
  AnyFormatManifest,
  digestFiles,
  FILE_NAME_PATTERN,
  FORMAT,
  Manifest,
  MANIFEST_FILE,
  PICTURES_FOLDER,
  tableFile,
  TABLES_FOLDER,
  withStagingFolder
} from './archive.ts'
import { inspectTarget, loadArchive, type Target } from './restore-database.ts'

interface RestoreTask {
  database: Database
  dataDir: string
  file: string
  force: boolean
  /** Null if an administrator has to confirm that this is the live shop. */
  siteUrl: string | null
  objects?: ObjectStore | undefined
}

export interface RestoreResult {
  manifest: Manifest
  unsent: number
}

const LEFTOVERS = { prefix: '.restore-', age: 0 }
const FOLDERS = [`${TABLES_FOLDER}/`, `${PICTURES_FOLDER}/`]
const MOVE_CONCURRENCY = 8
const GIGABYTE = 1024 ** 3
/** Rows compress to a tenth or less, pictures not at all; a gzip bomb compresses 1,000 times. */
const MAX_COMPRESSION = 100
const BLOCK_SIZE = 4096
/** Can run again after a crash. Pictures are only added; one transaction changes the database. */
export async function restoreBackup(
  { database, dataDir, file, force, siteUrl, objects }: RestoreTask,
  clock: Clock
): Promise<RestoreResult> {
  await access(file).catch(cause => {
    throw new Error(`${file} does not exist`, { cause })
  })
  await mkdir(dataDir, { recursive: true })
  return withStagingFolder(dataDir, LEFTOVERS, async folder => {
    await unpack(file, folder)
    const manifest = await readManifest(file, folder)
    await checkDigests(file, folder, manifest)
    const target = await inspectTarget(database, dataDir, manifest, objects)
    const assets = join(dataDir, 'assets')
    if (!force) requireEmpty(target, database.location, assets)
    const names = await movePictures(folder, assets, manifest)
    if (objects) await uploadPictures(objects, dataDir, names)
    reachFailpoint('restore-pictures')
    const unsent = await createWrite(database)(async trx => {
      const at = isoNow(clock)
      const count = await loadArchive(trx, folder, manifest, target, at)
      await setRestoredIdentity(trx, siteUrl, at)
      reachFailpoint('restore-precommit')
      return count
    })
    return { manifest, unsent }
  })
}

function requireEmpty({ contents, otherPictures }: Target, location: string, assets: string) {
  if (contents.length > 0)
    throw new Error(
      `The database ${location} is not empty (${contents.join(', ')}); ` +
        'use --force to replace all data with the archive'
    )
  if (otherPictures > 0)
    throw new Error(
      `${assets} contains pictures that are not in the archive (${otherPictures}); ` +
        'use --force to restore anyway and keep them'
    )
}

async function movePictures(folder: string, assets: string, { files }: Manifest) {
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

async function unpack(file: string, folder: string) {
  const limit = Math.max(GIGABYTE, (await stat(file)).size * MAX_COMPRESSION)
  const unexpected: string[] = []
  let unpackedSize = 0
  const filter = (path: string, entry: object) => {
    const { type, size } = entry as ReadEntry
    const isFolder = type === 'Directory' && FOLDERS.includes(path)
    const isKnown = isFolder || (type === 'File' && FILE_NAME_PATTERN.test(path))
    if (!isKnown) unexpected.push(path)
    // Also an empty file takes a block of the disk.
    unpackedSize += size + BLOCK_SIZE
    return isKnown && unpackedSize <= limit
  }
  const extracting = extract({ file, cwd: folder, strict: true, preserveOwner: false, filter })
  await extracting.catch((cause: unknown) => {
    if (unpackedSize > limit) return
    throw new Error(`${file} is damaged or not a backup: ${oneLine(cause)}`, { cause })
  })
  if (unpackedSize > limit)
    throw new Error(`${file} is not a backup: it would unpack to more than ${limit / GIGABYTE} GB`)
  if (unexpected.length > 0)
    throw new Error(`${file} contains an unexpected entry: ${JSON.stringify(unexpected[0])}`)
}

async function readManifest(file: string, folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => '')
  const content = parseJson(text)
  const basics = AnyFormatManifest.safeParse(content).data
  if (!basics) throw new Error(`${file} is not a backup of a shop`)
  const [newer] = listNewer(basics.migrations)
  if (basics.format > FORMAT || newer !== undefined) {
    throw new Error(
      `${file} was made by a newer version of the shop (${newer ?? `format ${basics.format}`}); ` +
        'use that version'
    )
  }
  if (!basics.migrations.includes(BASELINE))
    throw new Error(`${file} is too old; restore it with the version of commit 1678b053`)
  const { data } = Manifest.safeParse(content)
  if (!data) throw new Error(`${file} is damaged: its manifest is invalid`)
  return data
}

async function checkDigests(file: string, folder: string, { files, rows }: Manifest) {
  const fileNames = (await listFiles(folder)).filter(name => name !== MANIFEST_FILE)
  const found = await digestFiles(folder, fileNames)
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
