import type { Db, Trx } from '../platform/db/tables.ts'

export async function listUsedPictures(db: Db): Promise<Set<string>> {
  const [named, ofProducts, posts, lines] = await Promise.all([
    db.selectFrom('pictures').select('key').where('name', 'is not', null).execute(),
    db.selectFrom('product_pictures').select('picture_key as key').distinct().execute(),
    db.selectFrom('posts').select(['picture_key', 'content']).execute(),
    db.selectFrom('order_lines').select('picture').distinct().where('picture', 'is not', null).execute()
  ])
  const used = new Set([...named, ...ofProducts].map(({ key }) => key))
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

/** Deletes the rows of pictures that no product or post uses. Returns the keys that have no row afterwards. */
export async function deletePictures(trx: Trx, keys: readonly string[]): Promise<string[]> {
  await trx
    .deleteFrom('pictures')
    .where('key', 'in', keys)
    .where('name', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('product_pictures').select('position').whereRef('picture_key', '=', 'pictures.key')))
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('posts').select('posts.id').whereRef('picture_key', '=', 'pictures.key')))
    )
    .execute()
  const remaining = await trx.selectFrom('pictures').select('key').where('key', 'in', keys).execute()
  const remainingKeys = new Set(remaining.map(({ key }) => key))
  return keys.filter(key => !remainingKeys.has(key))
}
