import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY, HOUR, type EpochMs, type IsoTime } from '#lib/time.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { takeLease, withLock, type Lock } from '../platform/process/jobs.ts'
import { inParallel } from '../platform/process/work-queue.ts'
import { deleteTemporaryFiles, ignoreMissing, listFiles } from '../platform/storage/files.ts'
import { createFolderStore, type ObjectStore } from '../platform/storage/object-store.ts'
import { PICTURES_LOCK, PICTURES_PREFIX, putPicture } from '../platform/storage/images.ts'
import type { Db } from '../platform/db/tables.ts'
import { listStoredPages } from './bucket.ts'
import { isPage } from './release/store.ts'

type PictureSweepDeps = DataDeps & {
  config: { dataDir: string }
  objects: ObjectStore | undefined
}

/** A picture is uploaded before its product is saved. */
const UNUSED_LIFETIME = DAY
const BATCH = 20
const UPLOAD_CONCURRENCY = 6
const SWEEP_LEASE_TIME = 5 * HOUR
/** Clocks of nodes differ by less. */
const CLOCK_TOLERANCE = HOUR
/** Where versions before the one of November 2026 kept pictures in the store. */
const FORMER_PREFIX = 'pictures/'

const holder = randomUUID()

/** One node deletes unused pictures from the bucket. Each node deletes its own copies. */
export async function sweepPictures(
  deps: PictureSweepDeps,
  signal = new AbortController().signal
): Promise<void> {
  const { config, database, objects, write, clock } = deps
  const local = createFolderStore(config.dataDir)
  await deleteTemporaryFiles(join(config.dataDir, PICTURES_PREFIX))
  if (!objects) return deleteUnused(deps, local, signal)
  if (await write(trx => takeLease(trx, 'picture sweep', holder, SWEEP_LEASE_TIME)))
    await deleteUnused(deps, objects, signal)
  const known = await listKnownPictures(database.kysely)
  const findCopies = (isCandidate: (key: string) => boolean): Promise<Map<string, string[]>> =>
    findOldPictures(local, clock() - UNUSED_LIFETIME, isCandidate)
  const copies = await findCopies(key => !known.has(key))
  if (copies.size === 0) return
  await withLock(PICTURES_LOCK, { write, signal }, async lock => {
    const stillOld = await findCopies(key => copies.has(key))
    for (const file of [...stillOld.values()].flat()) await local.delete(file, lock.signal)
  })
}

/** Uploads what the store lacks after STORAGE_URL was set or the shop was upgraded. */
export async function uploadMissingPictures({
  config,
  database,
  objects
}: PictureSweepDeps): Promise<number> {
  if (!objects) return 0
  const stored = new Set<string>()
  for await (const { key } of objects.list(PICTURES_PREFIX)) stored.add(key)
  const folder = join(config.dataDir, PICTURES_PREFIX)
  const names = new Set(await readdir(folder).catch(() => []))
  for await (const { key } of objects.list(FORMER_PREFIX))
    names.add(key.slice(FORMER_PREFIX.length))
  // Read after the lists: the sweep of another node deletes rows before files.
  const known = await listKnownPictures(database.kysely)
  const missing = [...names].filter(
    name => !stored.has(PICTURES_PREFIX + name) && known.has(parsePictureKey(name) ?? '')
  )
  await inParallel(UPLOAD_CONCURRENCY, missing, async name => {
    const local = await readFile(join(folder, name)).catch(() => undefined)
    const content = local ?? (await objects.get(FORMER_PREFIX + name))
    if (content) await putPicture(objects, name, content)
  })
  return missing.length
}

async function deleteUnused(deps: PictureSweepDeps, files: ObjectStore, signal: AbortSignal) {
  const { config, database, objects, write, clock } = deps
  const startedAt = clock()
  const before = startedAt - UNUSED_LIFETIME
  const ordersSince = new Date(startedAt - CLOCK_TOLERANCE).toISOString()
  const used = await listUsedPictures(database.kysely)
  const old = await findOldPictures(files, before, key => !used.has(key))
  if (old.size === 0) return
  const shown = await listShownPictures(config.dataDir, objects, signal)
  const keys = [...old.keys()].filter(key => !shown.has(key))

  const deleteBatch = async (batch: readonly string[], lock: Lock) => {
    // Again, because a picture may have been uploaded once more.
    const stillOld = new Map<string, string[]>()
    for (const key of batch) {
      const found = await findOldPictures(files, before, other => other === key, key)
      for (const [name, names] of found) stillOld.set(name, names)
    }
    if (stillOld.size === 0) return
    const unused = await write(async trx => {
      await lock.confirm(trx)
      // Orders before `ordersSince` were checked at the start.
      const stillUsed = await listUsedPictures(trx, ordersSince)
      const rows = [...stillOld.keys()].filter(key => !stillUsed.has(key))
      if (rows.length > 0) await trx.deleteFrom('pictures').where('key', 'in', rows).execute()
      return rows
    })
    for (const key of unused) {
      await lock.confirm()
      for (const file of stillOld.get(key) ?? []) await files.delete(file, lock.signal)
    }
  }

  // After this lock, an upload looks whether its files are still there.
  for (let from = 0; from < keys.length; from += BATCH) {
    await withLock(PICTURES_LOCK, { write, signal }, lock =>
      deleteBatch(keys.slice(from, from + BATCH), lock)
    )
  }
}

async function findOldPictures(
  files: ObjectStore,
  before: EpochMs,
  isCandidate: (key: string) => boolean,
  prefix = ''
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  const isNew = new Set<string>()
  for await (const { key: file, changedAt } of files.list(PICTURES_PREFIX + prefix)) {
    const key = parsePictureKey(file.slice(PICTURES_PREFIX.length))
    if (key === undefined || !isCandidate(key)) continue
    found.set(key, [...(found.get(key) ?? []), file])
    if (changedAt > before) isNew.add(key)
  }
  for (const key of isNew) found.delete(key)
  return found
}

const FILE_PATTERN = '([A-Za-z0-9][\\w-]*?)(?:-\\d+\\.(?:avif|webp)|\\.jpg)'
const FILE_IN_TEXT = new RegExp(`${FILE_PATTERN}\\b`, 'g')
const FILE = new RegExp(`^${FILE_PATTERN}$`)

function findPictureKeys(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(FILE_IN_TEXT), ([, key = '']) => key))
}

function parsePictureKey(file: string) {
  return FILE.exec(file)?.[1]
}

async function listKnownPictures(db: Db): Promise<Set<string>> {
  const known = await listUsedPictures(db)
  for (const { key } of await db.selectFrom('pictures').select('key').execute()) known.add(key)
  return known
}

async function listUsedPictures(db: Db, ordersSince: IsoTime = ''): Promise<Set<string>> {
  const [named, ofProducts, ofCollections, posts, ...lines] = await Promise.all([
    db.selectFrom('pictures').select('key').where('name', 'is not', null).execute(),
    db.selectFrom('product_pictures').select('picture_key as key').distinct().execute(),
    db.selectFrom('collections').select('picture_key as key').execute(),
    db.selectFrom('posts').select(['picture_key as key', 'content']).execute(),
    ...(['order_lines', 'removed_lines'] as const).map(table =>
      db
        .selectFrom(table)
        .innerJoin('orders', 'orders.id', 'order_id')
        .select('picture')
        .distinct()
        .where('picture', 'is not', null)
        .where('orders.created_at', '>=', ordersSince)
        .execute()
    )
  ])
  const rows = [...named, ...ofProducts, ...ofCollections, ...posts]
  const ofLines = lines
    .flat()
    .map(({ picture }) => (JSON.parse(picture ?? 'null') as { key?: string } | null)?.key)
  const inTexts = posts.flatMap(({ content }) => [...findPictureKeys(content)])
  const keys = [...rows.map(({ key }) => key), ...ofLines, ...inTexts]
  return new Set(keys.flatMap(key => key ?? []))
}

async function listShownPictures(
  dataDir: string,
  objects: ObjectStore | undefined,
  signal: AbortSignal
): Promise<Set<string>> {
  const keys = new Set<string>()
  const add = (text: string) => {
    signal.throwIfAborted()
    for (const key of findPictureKeys(text)) keys.add(key)
  }
  const releases = join(dataDir, 'releases')
  for (const page of (await listFiles(releases)).filter(isPage))
    // The publisher may be deleting an old release.
    add((await readFile(join(releases, page), 'utf8').catch(ignoreMissing)) ?? '')
  if (!objects) return keys
  for (const page of await listStoredPages(objects)) add(String(await objects.get(page)))
  return keys
}
