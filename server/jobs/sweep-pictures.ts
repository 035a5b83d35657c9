import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY } from '#lib/time.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/connect.ts'
import type { Write } from '../db/write.ts'
import { deletePictures, keyOf, keysIn, listUsedPictures } from '../queries/picture-uses.ts'
import { listFiles } from '../release/files.ts'
import { isPage } from '../release/manifest.ts'
import { createReleaseStore } from '../release/store.ts'

export interface PictureSweepDeps {
  config: { dataDir: string }
  database: Database
  write: Write
  clock: Clock
}

/** A picture is uploaded before its product is saved, and the form may stay open overnight. */
const UNUSED_LIFETIME = DAY
const BATCH = 100

export async function sweepPictures(deps: PictureSweepDeps, signal?: AbortSignal): Promise<void> {
  const { config, database, write, clock } = deps
  const folder = join(config.dataDir, 'assets')
  const before = clock() - UNUSED_LIFETIME
  const used = await listUsedPictures(database.kysely)
  const unused = await findOldPictures(folder, key => !used.has(key), before)
  if (unused.size === 0) return
  for (const key of await findReleasePictures(config.dataDir, signal)) unused.delete(key)
  const keys = [...unused.keys()]
  for (let from = 0; from < keys.length && !signal?.aborted; from += BATCH) {
    const deleted = await write(trx => deletePictures(trx, keys.slice(from, from + BATCH)))
    for (const file of deleted.flatMap(key => unused.get(key) ?? [])) await removeIfOld(join(folder, file), before)
  }
}

async function findOldPictures(
  folder: string,
  isCandidate: (key: string) => boolean,
  before: number
): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>()
  for (const file of await readdir(folder).catch(() => [])) {
    const key = keyOf(file)
    if (key !== undefined && isCandidate(key)) groups.set(key, [...(groups.get(key) ?? []), file])
  }
  for (const [key, files] of groups) {
    const ages = await Promise.all(files.map(file => changedAt(join(folder, file))))
    if (ages.some(age => age === undefined || age > before)) groups.delete(key)
  }
  return groups
}

async function findReleasePictures(dataDir: string, signal?: AbortSignal): Promise<Set<string>> {
  const store = createReleaseStore(dataDir)
  const keys = new Set<string>()
  for (const folder of (await store.ids()).map(id => store.folder(id))) {
    for (const page of (await listFiles(folder)).filter(isPage)) {
      if (signal?.aborted) break
      const text = await readFile(join(folder, page), 'utf8').catch(() => '')
      for (const key of keysIn(text)) keys.add(key)
    }
  }
  return keys
}

// The file may have been uploaded again in the meantime.
async function removeIfOld(file: string, before: number): Promise<void> {
  const age = await changedAt(file)
  if (age !== undefined && age <= before) await rm(file, { force: true })
}

async function changedAt(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined
  )
}
