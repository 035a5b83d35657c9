import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY } from '#lib/time.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/connect.ts'
import type { Write } from '../db/write.ts'
import { forgetPictures, keyOf, keysIn, listUsedPictures } from '../queries/picture-uses.ts'
import { filesUnder } from '../release/files.ts'
import { isPage } from '../release/manifest.ts'
import { createReleaseStore } from '../release/store.ts'

export interface PictureSweepDeps {
  config: { dataDir: string }
  database: Database
  write: Write
  clock: Clock
}

/** A picture is sent before the product that it is for is saved, and a page may be left open over night. */
const KEPT_UNUSED = DAY
/** Of so many pictures is one statement. */
const BATCH = 100

/**
 * Removes pictures that were sent more than a day ago and that nothing speaks of: no product, no post, no order, no release
 * that is kept. Ends early when the signal is aborted.
 */
export async function sweepPictures(deps: PictureSweepDeps, signal?: AbortSignal): Promise<void> {
  const { config, database, write, clock } = deps
  const folder = join(config.dataDir, 'assets')
  const before = clock() - KEPT_UNUSED
  const used = await listUsedPictures(database.kysely)
  const unused = await oldGroups(folder, key => !used.has(key), before)
  if (unused.size === 0) return
  for (const key of await keysOfReleases(config.dataDir, signal)) unused.delete(key)
  const keys = [...unused.keys()]
  for (let from = 0; from < keys.length && !signal?.aborted; from += BATCH) {
    const gone = await write(trx => forgetPictures(trx, keys.slice(from, from + BATCH)))
    for (const file of gone.flatMap(key => unused.get(key) ?? [])) await removeOld(join(folder, file), before)
  }
}

/** The files of each picture that is asked for, by its key, when all of them are old. */
async function oldGroups(
  folder: string,
  isWanted: (key: string) => boolean,
  before: number
): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>()
  for (const file of await readdir(folder).catch(() => [])) {
    const key = keyOf(file)
    if (key !== undefined && isWanted(key)) groups.set(key, [...(groups.get(key) ?? []), file])
  }
  for (const [key, files] of groups) {
    const ages = await Promise.all(files.map(file => changedAt(join(folder, file))))
    if (ages.some(age => age === undefined || age > before)) groups.delete(key)
  }
  return groups
}

/** What the pages of the releases show that may be put back. */
async function keysOfReleases(dataDir: string, signal?: AbortSignal): Promise<Set<string>> {
  const store = createReleaseStore(dataDir)
  const keys = new Set<string>()
  for (const folder of (await store.ids()).map(id => store.folder(id))) {
    for (const page of (await filesUnder(folder)).filter(isPage)) {
      if (signal?.aborted) break
      const text = await readFile(join(folder, page), 'utf8').catch(() => '')
      for (const key of keysIn(text)) keys.add(key)
    }
  }
  return keys
}

// One that has been sent again meanwhile is new.
async function removeOld(file: string, before: number): Promise<void> {
  const age = await changedAt(file)
  if (age !== undefined && age <= before) await rm(file, { force: true })
}

async function changedAt(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined
  )
}
