import type { Updateable } from 'kysely'
import type { PostFields } from '#lib/contract/content.ts'
import type { IsoTime } from '#lib/time.ts'
import { listCollections } from '../catalog/read-collections.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db, PostRow, Tables, Trx } from '../platform/db/tables.ts'

export async function listPageIds(
  db: Db
): Promise<{ products: Set<string>; posts: Set<string>; collections: Set<string> }> {
  const products = await db.selectFrom('products').select('id').where('hidden_at', 'is', null).execute()
  const posts = await db.selectFrom('posts').select('id').where('hidden_at', 'is', null).execute()
  const collections = await listCollections(db)
  return {
    collections: new Set(collections.map(({ id }) => id)),
    products: new Set(products.map(({ id }) => id)),
    posts: new Set(posts.map(({ id }) => id))
  }
}

export async function hasPicture(db: Db, key: string): Promise<boolean> {
  return (await countRows(db.selectFrom('pictures').where('key', '=', key))) > 0
}

export type StoredFields = Omit<PostFields, 'day'> & { createdAt: string }

export async function insertPost(
  trx: Trx,
  { id, key, ...fields }: StoredFields & { id: string; key: string },
  now: IsoTime
): Promise<void> {
  const values = { id, creation_key: key }
  await trx
    .insertInto('posts')
    .values({ ...values, ...(columnsOf(fields, now) as Omit<PostRow, keyof typeof values>) })
    .execute()
}

export async function updatePost(trx: Trx, id: string, fields: Partial<StoredFields>, now: IsoTime): Promise<void> {
  await trx
    .updateTable('posts')
    .set(columnsOf(fields, now))
    .set(row => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

function columnsOf(fields: Partial<StoredFields>, now: string): Updateable<Tables['posts']> {
  const { title, author, excerpt, content, picture, createdAt, hidden } = fields
  return {
    ...(title !== undefined && { title }),
    ...(author !== undefined && { author }),
    ...(excerpt !== undefined && { excerpt }),
    ...(content !== undefined && { content }),
    ...(picture !== undefined && { picture_key: picture?.key ?? null, picture_alt: picture?.alt ?? null }),
    ...(createdAt !== undefined && { created_at: createdAt }),
    ...(hidden !== undefined && { hidden_at: hidden ? now : null })
  }
}
