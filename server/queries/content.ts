import type { SitePicture } from '#lib/contract/catalog.ts'
import type { BlogPost } from '#lib/contract/content.ts'
import type { Picture } from '#lib/contract/values.ts'
import type { Db, PostRow } from '../db/tables.ts'
import { fallbackFile } from './catalog.ts'

/** The blog, newest first. */
export async function listPosts(db: Db): Promise<BlogPost[]> {
  const rows = await db.selectFrom('posts').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()
  const pictures = await db
    .selectFrom('pictures')
    .innerJoin('posts', 'posts.picture_key', 'pictures.key')
    .select(['key', 'width', 'height', 'alt', 'color'])
    .distinct()
    .execute()
  const byKey = new Map(pictures.map(picture => [picture.key, picture]))
  return rows.map(row => toPost(row, byKey.get(row.picture_key ?? '')))
}

/** The pictures that the site asks for by name, by name. */
export async function listSitePictures(db: Db): Promise<SitePicture[]> {
  const rows = await db
    .selectFrom('pictures')
    .select(['key', 'name', 'width', 'height', 'alt', 'color'])
    .where('name', 'is not', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name, ...picture }) => ({ ...picture, name: name ?? '' }))
}

function toPost(row: PostRow, picture: Picture | undefined): BlogPost {
  return {
    _id: row.id,
    id: row.id,
    title: row.title,
    author: row.author,
    excerpt: row.excerpt,
    content: row.content,
    image: picture ? fallbackFile(picture) : '',
    ...(picture && { picture }),
    createdAt: row.created_at
  }
}
