import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY, HOUR, type EpochMs } from '#lib/time.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { takeLease, withLock, type Lock } from '../platform/jobs/leases.ts'
import { deleteTemporaryFiles, readChangeTime } from '../platform/storage/files.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import {
  PICTURES_LOCK,
  type PictureFile,
  type SharedPictures
} from '../platform/storage/shared-pictures.ts'
import {
  deleteUnusedRows,
  listKnownPictures,
  listReleasePictures,
  listUsedPictures,
  parsePictureKey
} from './used-pictures.ts'

type PictureSweepDeps = DataDeps & {
  config: { dataDir: string }
  objects: ObjectStore | undefined
  sharedPictures: SharedPictures | undefined
}

/** The pictures of the store, or those in the folder of this node. */
interface PictureFiles extends Pick<SharedPictures, 'delete'> {
  list(prefix?: string, accepts?: (name: string) => boolean): AsyncIterable<PictureFile>
}

/**
 * Unused pictures are deleted only after a day, because a picture is uploaded before its product is
 * saved.
 */
const UNUSED_LIFETIME = DAY
const BATCH = 20
const SWEEP_LEASE_TIME = 5 * HOUR
/** Clocks of nodes differ by less. */
const CLOCK_TOLERANCE = HOUR

const holder = randomUUID()

/**
 * Deletes unused pictures: their rows and their files. If several nodes share a store, one of them
 * deletes what is unused there, and each node deletes its own copies of deleted pictures.
 */
export async function sweepPictures(
  deps: PictureSweepDeps,
  signal = new AbortController().signal
): Promise<void> {
  const { config, objects, sharedPictures, write } = deps
  const folder = join(config.dataDir, 'assets')
  const local = localPictures(folder)
  await deleteTemporaryFiles(folder)
  if (!sharedPictures) return deleteUnused(deps, local, signal)
  await objects?.deleteTemporary()
  if (await write(trx => takeLease(trx, 'picture sweep', holder, SWEEP_LEASE_TIME))) {
    await deleteUnused(deps, sharedPictures, signal)
  }
  await deleteCopies(deps, local, signal)
}

/**
 * Uploads what only this node has: pictures from before the shop had a store. Returns the number of
 * files.
 */
export async function uploadLocalPictures({
  config,
  database,
  sharedPictures
}: PictureSweepDeps): Promise<number> {
  if (!sharedPictures) return 0
  const stored = new Set<string>()
  for await (const { name } of sharedPictures.list()) stored.add(name)
  // Read after the list: the sweep of another node deletes rows before files.
  const known = await listKnownPictures(database.kysely)
  const missing = new Map<string, string[]>()
  for (const name of await readdir(join(config.dataDir, 'assets')).catch(() => [])) {
    const key = parsePictureKey(name)
    if (key === undefined || !known.has(key) || stored.has(name)) continue
    missing.set(key, [...(missing.get(key) ?? []), name])
  }
  for (const [key, names] of missing) await sharedPictures.upload(key, names)
  return [...missing.values()].flat().length
}

async function deleteUnused(
  deps: PictureSweepDeps,
  files: PictureFiles,
  signal: AbortSignal
): Promise<void> {
  const { database, write, clock } = deps
  const startedAt = clock()
  const maxChangeTime = startedAt - UNUSED_LIFETIME
  const ordersSince = new Date(startedAt - CLOCK_TOLERANCE).toISOString()
  const keys = await findUnused(
    deps,
    files,
    await listUsedPictures(database.kysely),
    maxChangeTime,
    signal
  )

  const deleteBatch = async (batch: readonly string[], lock: Lock): Promise<void> => {
    const old = new Map<string, string[]>()
    for (const key of batch) {
      const names = await findOldFiles(files, key, maxChangeTime)
      if (names.length > 0) old.set(key, names)
    }
    if (old.size === 0) return
    const unused = await write(async trx => {
      await lock.confirm(trx)
      return deleteUnusedRows(trx, [...old.keys()], ordersSince)
    })
    for (const key of unused) {
      await lock.confirm()
      for (const name of old.get(key) ?? []) await files.delete(name, lock.signal)
    }
  }

  // With a store, `upload` waits for this lock before it replaces an old picture.
  for (let from = 0; from < keys.length; from += BATCH) {
    await withLock(PICTURES_LOCK, { write, signal }, lock =>
      deleteBatch(keys.slice(from, from + BATCH), lock)
    )
  }
}

/** Deletes local copies of pictures that have no row any more. */
async function deleteCopies(
  deps: PictureSweepDeps,
  local: PictureFiles,
  signal: AbortSignal
): Promise<void> {
  const maxChangeTime = deps.clock() - UNUSED_LIFETIME
  const known = await listKnownPictures(deps.database.kysely)
  for (const key of await findUnused(deps, local, known, maxChangeTime, signal)) {
    for (const name of await findOldFiles(local, key, maxChangeTime))
      await local.delete(name, signal)
  }
}

/** Returns the keys that are not used, are on no page of a release and have no new file. */
async function findUnused(
  { config, objects }: PictureSweepDeps,
  files: PictureFiles,
  used: ReadonlySet<string>,
  maxChangeTime: EpochMs,
  signal: AbortSignal
): Promise<string[]> {
  const unused = new Map<string, boolean>()
  const isUnused = (name: string): boolean => !used.has(parsePictureKey(name) ?? '')
  for await (const { name, changedAt } of files.list('', isUnused)) {
    const key = parsePictureKey(name)
    if (key === undefined || used.has(key)) continue
    unused.set(key, (unused.get(key) ?? true) && changedAt <= maxChangeTime)
  }
  const keys = [...unused].filter(([, isOld]) => isOld).map(([key]) => key)
  if (keys.length === 0) return []
  const onPages = await listReleasePictures(config.dataDir, objects, signal)
  return keys.filter(key => !onPages.has(key))
}

/** Returns no file if one of them is new, because the picture has been uploaded again. */
async function findOldFiles(
  files: PictureFiles,
  key: string,
  maxChangeTime: EpochMs
): Promise<string[]> {
  const names: string[] = []
  for await (const { name, changedAt } of files.list(key)) {
    if (parsePictureKey(name) !== key) continue
    if (changedAt > maxChangeTime) return []
    names.push(name)
  }
  return names
}

function localPictures(folder: string): PictureFiles {
  return {
    async *list(prefix = '', accepts = () => true) {
      for (const name of await readdir(folder).catch(() => [])) {
        if (!name.startsWith(prefix) || !accepts(name)) continue
        const changedAt = await readChangeTime(join(folder, name))
        if (changedAt !== undefined) yield { name, changedAt }
      }
    },
    async delete(name, signal) {
      signal.throwIfAborted()
      await rm(join(folder, name), { force: true })
    }
  }
}
