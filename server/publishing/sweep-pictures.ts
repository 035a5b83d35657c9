import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY, HOUR } from '#lib/time.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { takeLease, withLock, type Lock } from '../platform/jobs/leases.ts'
import { listFiles, readChangeTime } from '../platform/storage/files.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import {
  PICTURE_FILE,
  PICTURES_LOCK,
  type PictureFile,
  type SharedPictures
} from '../platform/storage/shared-pictures.ts'
import { isPage } from './release/manifest.ts'
import { createReleaseStore } from './release/store.ts'

type PictureSweepDeps = DataDeps & {
  config: { dataDir: string }
  objects: ObjectStore | undefined
  sharedPictures: SharedPictures | undefined
}

interface PictureFiles extends Pick<SharedPictures, 'delete'> {
  list(prefix?: string, accepts?: (name: string) => boolean): AsyncIterable<PictureFile>
}

/** Unused pictures are deleted only after a day, because a picture is uploaded before its product is saved. */
const UNUSED_LIFETIME = DAY
const BATCH = 20
const SWEEP_LEASE_TIME = 5 * HOUR

const holder = randomUUID()

/**
 * Deletes unused pictures of this machine. If several machines share a store, one of them also deletes the rows of
 * unused pictures and their files in the store.
 */
export async function sweepPictures(deps: PictureSweepDeps, signal = new AbortController().signal): Promise<void> {
  const { config, sharedPictures: shared, write } = deps
  const local = localPictures(join(config.dataDir, 'assets'))
  if (!shared) return deleteUnused(deps, local, { deletesRows: true, signal })
  if ((await hasAllReleases(deps)) && (await write(trx => takeLease(trx, 'picture sweep', holder, SWEEP_LEASE_TIME)))) {
    // `upload` waits for this lock before it replaces an old picture.
    const options = { write, signal, onWait: () => undefined }
    const underLock = (work: (lock: Lock) => Promise<void>): Promise<void> => withLock(PICTURES_LOCK, options, work)
    await deleteUnused(deps, shared, { deletesRows: true, signal, underLock })
  }
  await deleteUnused(deps, local, { deletesRows: false, signal })
}

/** Uploads what only this machine has: pictures from before the shop had a store. Returns the number of files. */
export async function uploadLocalPictures({ config, database, sharedPictures }: PictureSweepDeps): Promise<number> {
  if (!sharedPictures) return 0
  const stored = new Set<string>()
  for await (const { name } of sharedPictures.list()) stored.add(name)
  // Read after the list: the sweep of another machine deletes rows before files.
  const known = await listKnownPictures(database.kysely)
  const missing = new Map<string, string[]>()
  for (const name of await readdir(join(config.dataDir, 'assets')).catch(() => [])) {
    const key = parsePictureKey(name)
    if (key === undefined || !known.has(key) || stored.has(name) || !PICTURE_FILE.test(name)) continue
    missing.set(key, [...(missing.get(key) ?? []), name])
  }
  for (const [key, names] of missing) await sharedPictures.upload(key, names)
  return [...missing.values()].flat().length
}

/** The pages of a release that is missing here may show pictures that look unused. */
async function hasAllReleases({ config, objects }: PictureSweepDeps): Promise<boolean> {
  const local = new Set(await createReleaseStore(config.dataDir).listIds())
  for await (const { key } of objects?.list('releases/') ?? []) {
    if (!local.has(key.split('/')[1] ?? '')) return false
  }
  return true
}

interface DeletionOptions {
  deletesRows: boolean
  signal: AbortSignal
  underLock?: (work: (lock: Pick<Lock, 'confirm'>) => Promise<void>) => Promise<void>
}

async function deleteUnused(
  { config, database, write, clock }: PictureSweepDeps,
  files: PictureFiles,
  { deletesRows, signal, underLock = work => work({ confirm: async () => undefined }) }: DeletionOptions
): Promise<void> {
  const { kysely } = database
  const maxChangeTime = clock() - UNUSED_LIFETIME
  const used = await (deletesRows ? listUsedPictures(kysely) : listKnownPictures(kysely))
  const unused = await findOldPictures(files, used, maxChangeTime)
  if (unused.length === 0) return
  const onPages = await findReleasePictures(config.dataDir, signal)
  const keys = unused.filter(key => !onPages.has(key))
  for (let from = 0; from < keys.length && !signal.aborted; from += BATCH) {
    const batch = keys.slice(from, from + BATCH)
    await underLock(async lock => {
      const old = new Map<string, string[]>()
      // Checked again, because a picture may have been uploaded again since.
      for (const key of batch) {
        const names = await findOldFiles(files, key, maxChangeTime)
        if (names.length > 0) old.set(key, names)
      }
      if (old.size === 0) return
      await lock.confirm()
      const rowless = deletesRows ? await write(trx => deletePictures(trx, [...old.keys()])) : [...old.keys()]
      for (const key of rowless) {
        await lock.confirm()
        for (const name of old.get(key) ?? []) await files.delete(name)
      }
    })
  }
}

/** Returns the keys that are not used and have no new file. */
async function findOldPictures(
  files: PictureFiles,
  used: ReadonlySet<string>,
  maxChangeTime: number
): Promise<string[]> {
  const unused = new Map<string, boolean>()
  const isUnused = (name: string): boolean => !used.has(parsePictureKey(name) ?? '')
  for await (const { name, changedAt } of files.list('', isUnused)) {
    const key = parsePictureKey(name)
    if (key === undefined || used.has(key)) continue
    unused.set(key, (unused.get(key) ?? true) && changedAt <= maxChangeTime)
  }
  return [...unused].filter(([, isOld]) => isOld).map(([key]) => key)
}

/** Returns no file if one of them is new. */
async function findOldFiles(files: PictureFiles, key: string, maxChangeTime: number): Promise<string[]> {
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
    delete: name => rm(join(folder, name), { force: true })
  }
}

async function findReleasePictures(dataDir: string, signal: AbortSignal): Promise<Set<string>> {
  const store = createReleaseStore(dataDir)
  const keys = new Set<string>()
  for (const folder of (await store.listIds()).map(id => store.folder(id))) {
    for (const page of (await listFiles(folder)).filter(isPage)) {
      if (signal.aborted) break
      const text = await readFile(join(folder, page), 'utf8').catch(ignoreMissing)
      for (const key of findPictureKeys(text)) keys.add(key)
    }
  }
  return keys
}

/** The publisher may be deleting an old release. */
function ignoreMissing(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error
  return ''
}

async function listKnownPictures(db: Db): Promise<Set<string>> {
  const used = await listUsedPictures(db)
  for (const { key } of await db.selectFrom('pictures').select('key').execute()) used.add(key)
  return used
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
