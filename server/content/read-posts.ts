import type { SelectQueryBuilder } from 'kysely'
import type { SitePicture } from '#lib/contract/catalog.ts'
import type { AdminPost, BlogPost, PostSummary } from '#lib/contract/content.ts'
import { toFallbackFile } from '#lib/images.ts'
import type { PictureRow } from '../platform/db/catalog-tables.ts'
import type { Db, PostRow, Tables } from '../platform/db/tables.ts'

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
    image: picture ? toFallbackFile(picture) : '',
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
