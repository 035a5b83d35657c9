import type { SelectQueryBuilder } from 'kysely'
import type { SitePicture } from '#lib/contract/catalog.ts'
import type { AdminPost, BlogPost, PostFields, PostSummary } from '#lib/contract/content.ts'
import type { Db, Hideable, PictureRow, PostRow, Tables, Trx, WithPictureAlt } from '../platform/db/tables.ts'
import { fallbackFile } from '../catalog/queries.ts'

export async function listPosts(db: Db): Promise<BlogPost[]> {
  const rows = await withPicture(db.selectFrom('posts').selectAll('posts'))
    .where('hidden_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(row => ({ ...toEntry(row), content: row.content }))
}

export async function listSitePictures(db: Db): Promise<SitePicture[]> {
  const rows = await db
    .selectFrom('pictures')
    .select(['key', 'name', 'width', 'height', 'alt', 'color'])
    .where('name', 'is not', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name, ...picture }) => ({ ...picture, name: name ?? '' }))
}

function withPicture<Row>(posts: SelectQueryBuilder<Tables, 'posts', Row>) {
  return posts
    .leftJoin('pictures', 'pictures.key', 'posts.picture_key')
    .select(['pictures.width', 'pictures.height', 'pictures.alt', 'pictures.color'])
}

type EntryRow = Omit<PostRow, 'content'> & { picture_alt: string | null } & {
  [Column in 'width' | 'height' | 'alt' | 'color']: PictureRow[Column] | null
}

function toEntry({ id, picture_key: key, width, height, ...row }: EntryRow): Omit<BlogPost, 'content'> {
  const alt = row.picture_alt ?? row.alt ?? ''
  const picture = key !== null &&
    width !== null &&
    height !== null && { key, width, height, alt, color: row.color ?? '' }
  return {
    _id: id,
    id,
    title: row.title,
    author: row.author,
    excerpt: row.excerpt,
    image: picture ? fallbackFile(picture) : '',
    ...(picture && { picture }),
    createdAt: row.created_at
  }
}

export async function listAllPosts(db: Db): Promise<PostSummary[]> {
  const posts = db
    .selectFrom('posts')
    .select(['id', 'title', 'author', 'excerpt', 'picture_key', 'picture_alt', 'created_at', 'version', 'hidden_at'])
  const rows = await withPicture(posts).orderBy('created_at', 'desc').orderBy('id').execute()
  return rows.map(row => ({ ...toEntry(row), version: row.version, hiddenAt: row.hidden_at }))
}

export async function findAnyPost(db: Db, id: string): Promise<AdminPost | undefined> {
  const row = await withPicture(db.selectFrom('posts').selectAll('posts')).where('id', '=', id).executeTakeFirst()
  return row && { ...toEntry(row), content: row.content, version: row.version, hiddenAt: row.hidden_at }
}

export async function findPostByKey(db: Db, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('posts').select('id').where('creation_key', '=', key).executeTakeFirst()
  return row?.id
}

export async function listPostIdsByPrefix(db: Db, prefix: string): Promise<Set<string>> {
  const rows = await db.selectFrom('posts').select('id').where('id', 'like', `${prefix}%`).execute()
  return new Set(rows.map(({ id }) => id))
}

export async function listPageIds(db: Db): Promise<{ products: Set<string>; posts: Set<string> }> {
  const products = await db.selectFrom('products').select('id').where('hidden_at', 'is', null).execute()
  const posts = await db.selectFrom('posts').select('id').where('hidden_at', 'is', null).execute()
  return { products: new Set(products.map(({ id }) => id)), posts: new Set(posts.map(({ id }) => id)) }
}

export async function hasPicture(db: Db, key: string): Promise<boolean> {
  const picture = await db.selectFrom('pictures').select('key').where('key', '=', key).executeTakeFirst()
  return picture !== undefined
}

export type StoredFields = Omit<PostFields, 'day'> & {
  createdAt: string
}

/** `now` is ISO. */
export async function insertPost(
  trx: Trx,
  { id, key, ...fields }: StoredFields & { id: string; key: string },
  now: string
): Promise<void> {
  const values = { id, creation_key: key }
  await trx
    .insertInto('posts')
    .values({ ...values, ...(columnsOf(fields, now) as Omit<PostRow, keyof typeof values>) })
    .execute()
}

/** `now` is ISO. */
export async function updatePost(trx: Trx, id: string, fields: Partial<StoredFields>, now: string): Promise<void> {
  await trx
    .updateTable('posts')
    .set(columnsOf(fields, now))
    .set(row => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function deletePost(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('posts').where('id', '=', id).execute()
}

function columnsOf(fields: Partial<StoredFields>, now: string): Partial<PostRow & Hideable & WithPictureAlt> {
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
