import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { IsoTime } from '#lib/time.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import { listFiles } from '../platform/storage/files.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import { listStoredPages } from './bucket.ts'
import { isPage } from './release/manifest.ts'

const FILE_PATTERN = '([A-Za-z0-9][\\w-]*?)(?:-\\d+\\.(?:avif|webp)|\\.jpg)'
const FILE_IN_TEXT = new RegExp(`${FILE_PATTERN}\\b`, 'g')
const FILE = new RegExp(`^${FILE_PATTERN}$`)

export function findPictureKeys(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(FILE_IN_TEXT), ([, key = '']) => key))
}

export function parsePictureKey(file: string): string | undefined {
  return FILE.exec(file)?.[1]
}

export async function listKnownPictures(db: Db): Promise<Set<string>> {
  const known = await listUsedPictures(db)
  for (const { key } of await db.selectFrom('pictures').select('key').execute()) known.add(key)
  return known
}

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

/** Returns the keys that are still unused. The caller has checked orders before `ordersSince`. */
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

/** Returns the pictures on all pages that visitors may have, here or in the store. */
export async function listShownPictures(
  dataDir: string,
  objects: ObjectStore | undefined,
  signal: AbortSignal
): Promise<Set<string>> {
  const keys = new Set<string>()
  const add = (text: string): void => {
    signal.throwIfAborted()
    for (const key of findPictureKeys(text)) keys.add(key)
  }
  const releases = join(dataDir, 'releases')
  for (const page of (await listFiles(releases)).filter(isPage))
    add(await readFile(join(releases, page), 'utf8').catch(ignoreMissing))
  if (!objects) return keys
  for (const page of await listStoredPages(objects)) add(String(await objects.get(page)))
  return keys
}

/** The publisher may be deleting an old release. */
function ignoreMissing(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error
  return ''
}
