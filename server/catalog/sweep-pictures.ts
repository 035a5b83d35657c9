import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY } from '#lib/time.ts'
import type { Clock } from '../platform/process/clock.ts'
import type { Database } from '../platform/db/connect.ts'
import type { Write } from '../platform/db/write.ts'
import { deletePictures, parsePictureKey, findPictureKeys, listUsedPictures } from './picture-uses.ts'
import { listFiles } from '../publishing/release/files.ts'
import { isPage } from '../publishing/release/manifest.ts'
import { createReleaseStore } from '../publishing/release/store.ts'

export interface PictureSweepDeps {
  config: { dataDir: string }
  database: Database
  write: Write
  clock: Clock
}

/** Unused pictures are deleted only after a day, because a picture is uploaded before its product is saved. */
const UNUSED_LIFETIME = DAY
const BATCH = 100

export async function sweepPictures(deps: PictureSweepDeps, signal?: AbortSignal): Promise<void> {
  const { config, database, write, clock } = deps
  const folder = join(config.dataDir, 'assets')
  const maxChangeTime = clock() - UNUSED_LIFETIME
  const used = await listUsedPictures(database.kysely)
  const unused = await findOldPictures(folder, key => !used.has(key), maxChangeTime)
  if (unused.size === 0) return
  for (const key of await findReleasePictures(config.dataDir, signal)) unused.delete(key)
  const keys = [...unused.keys()]
  for (let from = 0; from < keys.length && !signal?.aborted; from += BATCH) {
    const deleted = await write(trx => deletePictures(trx, keys.slice(from, from + BATCH)))
    for (const file of deleted.flatMap(key => unused.get(key) ?? []))
      await removeIfOld(join(folder, file), maxChangeTime)
  }
}

async function findOldPictures(
  folder: string,
  isCandidate: (key: string) => boolean,
  maxChangeTime: number
): Promise<Map<string, string[]>> {
  const filesByKey = new Map<string, string[]>()
  for (const file of await readdir(folder).catch(() => [])) {
    const key = parsePictureKey(file)
    if (key !== undefined && isCandidate(key)) filesByKey.set(key, [...(filesByKey.get(key) ?? []), file])
  }
  for (const [key, files] of filesByKey) {
    const changeTimes = await Promise.all(files.map(file => readChangeTime(join(folder, file))))
    if (changeTimes.some(time => time === undefined || time > maxChangeTime)) filesByKey.delete(key)
  }
  return filesByKey
}

async function findReleasePictures(dataDir: string, signal?: AbortSignal): Promise<Set<string>> {
  const store = createReleaseStore(dataDir)
  const keys = new Set<string>()
  for (const folder of (await store.listIds()).map(id => store.folder(id))) {
    for (const page of (await listFiles(folder)).filter(isPage)) {
      if (signal?.aborted) break
      const text = await readFile(join(folder, page), 'utf8').catch(() => '')
      for (const key of findPictureKeys(text)) keys.add(key)
    }
  }
  return keys
}

// Checks the file's time again, because the picture may have been uploaded again while the sweep was running.
async function removeIfOld(file: string, maxChangeTime: number): Promise<void> {
  const time = await readChangeTime(file)
  if (time !== undefined && time <= maxChangeTime) await rm(file, { force: true })
}

async function readChangeTime(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined
  )
}
