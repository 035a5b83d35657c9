import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { IsoTime } from '#lib/time.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import { listFiles } from '../platform/storage/files.ts'
import { StoreError, type ObjectStore } from '../platform/storage/object-store.ts'
import { isPage } from './release/manifest.ts'
import { createReleaseStore } from './release/store.ts'
import { createStoredReleases, type StoredReleases } from './stored-releases.ts'

const FILE_PATTERN = '([A-Za-z0-9][\\w-]*?)(?:-\\d+\\.(?:avif|webp)|\\.jpg)'
const FILE_IN_TEXT = new RegExp(`${FILE_PATTERN}\\b`, 'g')
const FILE = new RegExp(`^${FILE_PATTERN}$`)

/** Returns the picture keys in addresses such as `/assets/laddu-1a2b3c4d-480.avif`. */
export function findPictureKeys(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(FILE_IN_TEXT), ([, key = '']) => key))
}

export function parsePictureKey(file: string): string | undefined {
  return FILE.exec(file)?.[1]
}

/** Includes pictures that were uploaded and are not used yet. */
export async function listKnownPictures(db: Db): Promise<Set<string>> {
  const known = await listUsedPictures(db)
  for (const { key } of await db.selectFrom('pictures').select('key').execute()) known.add(key)
  return known
}

/** Without `ordersSince`, reads the lines of all orders. */
export async function listUsedPictures(db: Db, ordersSince: IsoTime = ''): Promise<Set<string>> {
  const [named, ofProducts, ofCollections, posts, ...lines] = await Promise.all([
    db.selectFrom('pictures').select('key').where('name', 'is not', null).execute(),
    db.selectFrom('product_pictures').select('picture_key as key').distinct().execute(),
    db
      .selectFrom('collections')
      .select('picture_key')
      .where('picture_key', 'is not', null)
      .execute(),
    db.selectFrom('posts').select(['picture_key', 'content']).execute(),
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
  const used = new Set([...named, ...ofProducts].map(({ key }) => key))
  for (const { picture_key } of ofCollections) if (picture_key !== null) used.add(picture_key)
  for (const { picture_key, content } of posts) {
    if (picture_key !== null) used.add(picture_key)
    for (const key of findPictureKeys(content)) used.add(key)
  }
  for (const { picture } of lines.flat()) {
    const key = picture === null ? undefined : (JSON.parse(picture) as { key?: string } | null)?.key
    if (key !== undefined) used.add(key)
  }
  return used
}

/**
 * Deletes the rows of those pictures that are still unused. Returns their keys, also of pictures
 * without a row. Only orders since `ordersSince` are read, because the caller has checked all
 * earlier ones.
 */
export async function deleteUnusedRows(
  trx: Trx,
  keys: readonly string[],
  ordersSince: IsoTime
): Promise<string[]> {
  const used = await listUsedPictures(trx, ordersSince)
  const unused = keys.filter(key => !used.has(key))
  if (unused.length > 0) await trx.deleteFrom('pictures').where('key', 'in', unused).execute()
  return unused
}

/**
 * Returns the pictures on the pages of all releases, also of those that only the object store has.
 */
export async function listReleasePictures(
  dataDir: string,
  objects: ObjectStore | undefined,
  signal: AbortSignal
): Promise<Set<string>> {
  const store = createReleaseStore(dataDir)
  const localIds = await store.listIds()
  const keys = new Set<string>()
  for (const folder of localIds.map(id => store.folder(id))) {
    for (const page of (await listFiles(folder)).filter(isPage)) {
      signal.throwIfAborted()
      const text = await readFile(join(folder, page), 'utf8').catch(ignoreMissing)
      for (const key of findPictureKeys(text)) keys.add(key)
    }
  }
  if (!objects) return keys
  for await (const text of readStoredPages(createStoredReleases(objects), localIds)) {
    signal.throwIfAborted()
    for (const key of findPictureKeys(text)) keys.add(key)
  }
  return keys
}

/** Reads a page that several releases share once. */
async function* readStoredPages(
  stored: StoredReleases,
  localIds: readonly string[]
): AsyncGenerator<string> {
  const hashes = new Set<string>()
  for (const id of (await stored.listIds()).filter(id => !localIds.includes(id))) {
    const manifest = await stored.manifest(id)
    if (!manifest)
      throw new StoreError(`The release ${id} has no valid manifest in the object store`)
    for (const [page, { hash }] of Object.entries(manifest.files)) {
      if (!isPage(page) || hashes.has(hash)) continue
      hashes.add(hash)
      yield (await stored.readFile(manifest.files, page)).toString()
    }
  }
}

/** The publisher may be deleting an old release. */
function ignoreMissing(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error
  return ''
}
