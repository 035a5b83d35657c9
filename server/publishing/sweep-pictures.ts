import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY } from '#lib/time.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { listFiles, readChangeTime } from '../platform/storage/files.ts'
import { isPage } from './release/manifest.ts'
import { createReleaseStore } from './release/store.ts'

type PictureSweepDeps = DataDeps & { config: { dataDir: string } }

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

async function listUsedPictures(db: Db): Promise<Set<string>> {
  const [named, ofProducts, ofCollections, posts, lines] = await Promise.all([
    db.selectFrom('pictures').select('key').where('name', 'is not', null).execute(),
    db.selectFrom('product_pictures').select('picture_key as key').distinct().execute(),
    db.selectFrom('collections').select('picture_key').where('picture_key', 'is not', null).execute(),
    db.selectFrom('posts').select(['picture_key', 'content']).execute(),
    db.selectFrom('order_lines').select('picture').distinct().where('picture', 'is not', null).execute()
  ])
  const used = new Set([...named, ...ofProducts].map(({ key }) => key))
  for (const { picture_key } of ofCollections) if (picture_key !== null) used.add(picture_key)
  for (const { picture_key, content } of posts) {
    if (picture_key !== null) used.add(picture_key)
    for (const key of findPictureKeys(content)) used.add(key)
  }
  for (const { picture } of lines) {
    const key = picture === null ? undefined : (JSON.parse(picture) as { key?: string } | null)?.key
    if (key !== undefined) used.add(key)
  }
  return used
}

/** Returns the picture keys in addresses such as `/assets/laddu-1a2b3c4d-480.avif`. */
export function findPictureKeys(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(FILE_IN_TEXT), ([, key = '']) => key))
}

export function parsePictureKey(file: string): string | undefined {
  return FILE.exec(file)?.[1]
}

const FILE_PATTERN = '([A-Za-z0-9][\\w-]*?)(?:-\\d+\\.(?:avif|webp)|\\.jpg)'
const FILE_IN_TEXT = new RegExp(`${FILE_PATTERN}\\b`, 'g')
const FILE = new RegExp(`^${FILE_PATTERN}(?:\\.[0-9a-f-]{36}\\.tmp)?$`)

/** Deletes the rows of pictures that no product, collection or post uses. Returns the keys that have no row afterwards. */
async function deletePictures(trx: Trx, keys: readonly string[]): Promise<string[]> {
  await trx
    .deleteFrom('pictures')
    .where('key', 'in', keys)
    .where('name', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('product_pictures').select('position').whereRef('picture_key', '=', 'pictures.key')))
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('collections').select('collections.id').whereRef('picture_key', '=', 'pictures.key')))
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('posts').select('posts.id').whereRef('picture_key', '=', 'pictures.key')))
    )
    .execute()
  const remaining = await trx.selectFrom('pictures').select('key').where('key', 'in', keys).execute()
  const remainingKeys = new Set(remaining.map(({ key }) => key))
  return keys.filter(key => !remainingKeys.has(key))
}
