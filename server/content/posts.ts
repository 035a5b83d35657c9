import type { SelectQueryBuilder, UpdateObject } from 'kysely'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { extractPostFields } from '#lib/admin/post-form.ts'
import type {
  AdminPost,
  BlogPost,
  PostChange,
  PostDraft,
  PostFields,
  PostSummary
} from '#lib/contract/content.ts'
import { ShopError } from '#lib/errors.ts'
import { toFallbackFile } from '#lib/images.ts'
import { findFreeSlug, toSlug } from '#lib/paths.ts'
import { type IsoTime, toDayInIndia, toStartOfDay } from '#lib/time.ts'
import { type Actor, type Change, changedFields, record, recordEdit } from '../accounts/audit.ts'
import { hasPicture, JOINED_COLUMNS, type JoinedPicture, toPicture } from '../catalog/pictures.ts'
import { listCollections } from '../catalog/read-collections.ts'
import { listProductIds } from '../catalog/read-products.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { findIdByKey, listIdsByPrefix } from '../platform/db/search.ts'
import type { Db, PostRow, Tables, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { invalidField } from '../platform/http/validate.ts'
import { isoNow } from '../platform/process/clock.ts'
import { renderText } from '../settings/checks.ts'
import { ADMIN_FIELD_TEXTS } from '#lib/contract/field-texts.ts'

const texts = { postSlugTaken: 'Another post already uses this address' }

type ChangeContext = Pick<Change, 'actor' | 'at'>

/**
 * Omitted fields stay unchanged. Throws POST_NOT_FOUND, EDIT_CONFLICT, INVALID_INPUT,
 * TEXT_NOT_RENDERABLE.
 */
export async function changePost(
  { write, clock }: DataDeps,
  actor: Actor,
  id: string,
  change: PostChange
): Promise<AdminPost> {
  if (change.content !== undefined) await renderText(change.content)
  return write(async trx => {
    await raiseCounter(trx, 'posts')
    return applyChange(trx, { actor, at: isoNow(clock) }, await requirePost(trx, id), change)
  })
}

/** The caller must raise the counter `posts` first. Throws EDIT_CONFLICT, INVALID_INPUT. */
async function applyChange(
  trx: Trx,
  { actor, at }: ChangeContext,
  post: AdminPost,
  { version, ...fields }: PostChange
): Promise<AdminPost> {
  const before = extractPostFields(post)
  const changed = changedFields(before, fields)
  if (Object.keys(changed).length === 0) return post
  if (version !== post.version) throw new ShopError('EDIT_CONFLICT')
  await updatePost(trx, post.id, await toStoredFields(trx, changed, at), at)
  const entry = { actor, at, kind: 'post', id: post.id, action: 'changed' } as const
  await recordEdit(trx, entry, before, changed, 'published')
  if (!before.hidden || changed.hidden === false) await raiseCounter(trx, 'catalog')
  return requirePost(trx, post.id)
}

/** Throws POST_NOT_FOUND. */
export async function requirePost(db: Db, id: string): Promise<AdminPost> {
  const row = await withPicture(db.selectFrom('posts').selectAll('posts'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new ShopError('POST_NOT_FOUND')
  return { ...toEntry(row), content: row.content, version: row.version, hiddenAt: row.hidden_at }
}

async function toStoredFields<Fields extends Partial<PostFields>>(
  trx: Trx,
  { day, ...fields }: Fields,
  at: string
): Promise<Omit<Fields, 'day'> & Partial<Pick<StoredFields, 'createdAt'>>> {
  const { picture } = fields
  if (picture && !(await hasPicture(trx, picture.key)))
    throw invalidField('picture', ADMIN_MESSAGES.pictureUnknown)
  return { ...fields, ...(day !== undefined && { createdAt: toInstant(day, at) }) }
}

/**
 * A post dated today gets the current time, so that posts of the same day are sorted by creation
 * time.
 */
function toInstant(day: string, at: string): string {
  const today = toDayInIndia(Date.parse(at))
  if (day > today) throw invalidField('day', ADMIN_FIELD_TEXTS.postDayInvalid)
  return day === today ? at : toStartOfDay(day)
}

/**
 * If `draft.key` exists, changes that post. Throws INVALID_INPUT, EDIT_CONFLICT,
 * TEXT_NOT_RENDERABLE.
 */
export async function createPost(
  { write, clock }: DataDeps,
  actor: Actor,
  draft: PostDraft
): Promise<{ post: AdminPost; isNew: boolean }> {
  await renderText(draft.content)
  return write(async trx => {
    await raiseCounter(trx, 'posts')
    const context = { actor, at: isoNow(clock) }
    const existingId = await findIdByKey(trx, 'posts', draft.key)
    if (existingId === undefined)
      return { post: await insertPostDraft(trx, context, draft), isNew: true }
    const { key: _, slug: _slug, ...fields } = draft
    const post = await requirePost(trx, existingId)
    // An earlier submit of this form created version 1. If somebody has edited it since, this
    // throws EDIT_CONFLICT.
    return { post: await applyChange(trx, context, post, { ...fields, version: 1 }), isNew: false }
  })
}

async function insertPostDraft(
  trx: Trx,
  { actor, at }: ChangeContext,
  { key, slug, ...fields }: PostDraft
): Promise<AdminPost> {
  const id = await findFreeId(trx, fields.title, slug)
  const { createdAt = at, ...stored } = await toStoredFields(trx, fields, at)
  await insertPost(trx, { ...stored, createdAt, id, key }, at)
  await record(trx, { actor, at, kind: 'post', id, action: 'created', after: fields })
  if (!fields.hidden) await raiseCounter(trx, 'catalog')
  return requirePost(trx, id)
}

async function findFreeId(trx: Trx, title: string, slug: string | undefined): Promise<string> {
  const base = slug ?? toSlug(title, 'post')
  const takenIds = await listIdsByPrefix(trx, 'posts', base)
  if (slug !== undefined && takenIds.has(slug)) throw invalidField('slug', texts.postSlugTaken)
  return findFreeSlug(base, takenIds)
}

/** Returns the deleted post. Throws POST_NOT_FOUND, EDIT_CONFLICT. */
export function removePost(
  { write, clock }: DataDeps,
  actor: Actor,
  id: string,
  version: number
): Promise<AdminPost> {
  return write(async trx => {
    await raiseCounter(trx, 'posts')
    const post = await requirePost(trx, id)
    if (version !== post.version) throw new ShopError('EDIT_CONFLICT')
    await trx.deleteFrom('posts').where('id', '=', id).execute()
    const before = extractPostFields(post)
    await record(trx, { actor, at: isoNow(clock), kind: 'post', id, action: 'deleted', before })
    if (post.hiddenAt === null) await raiseCounter(trx, 'catalog')
    return post
  })
}

export async function listPageIds(
  db: Db
): Promise<{ products: Set<string>; posts: Set<string>; collections: Set<string> }> {
  const posts = await db.selectFrom('posts').select('id').where('hidden_at', 'is', null).execute()
  const collections = await listCollections(db)
  return {
    collections: new Set(collections.map(({ id }) => id)),
    products: new Set(await listProductIds(db)),
    posts: new Set(posts.map(({ id }) => id))
  }
}

type StoredFields = Omit<PostFields, 'day'> & { createdAt: string }

async function insertPost(
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

async function updatePost(
  trx: Trx,
  id: string,
  fields: Partial<StoredFields>,
  now: IsoTime
): Promise<void> {
  await trx
    .updateTable('posts')
    .set(columnsOf(fields, now))
    .set(row => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Kysely leaves out columns whose value is undefined. */
function columnsOf(fields: Partial<StoredFields>, now: string): UpdateObject<Tables, 'posts'> {
  const { title, author, excerpt, content, picture, createdAt, hidden } = fields
  return {
    title,
    author,
    excerpt,
    content,
    created_at: createdAt,
    ...(picture !== undefined && {
      picture_key: picture?.key ?? null,
      picture_alt: picture?.alt ?? null
    }),
    ...(hidden !== undefined && { hidden_at: hidden ? now : null })
  }
}

export async function listPosts(db: Db): Promise<BlogPost[]> {
  const rows = await withPicture(db.selectFrom('posts').selectAll('posts'))
    .where('hidden_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(row => ({ ...toEntry(row), content: row.content }))
}

function withPicture<Row>(posts: SelectQueryBuilder<Tables, 'posts', Row>) {
  return posts.leftJoin('pictures', 'pictures.key', 'posts.picture_key').select(JOINED_COLUMNS)
}

type EntryRow = Omit<PostRow, 'content'> & JoinedPicture & { picture_alt: string | null }

function toEntry(row: EntryRow): Omit<BlogPost, 'content'> {
  const picture = toPicture({ ...row, alt: row.picture_alt ?? row.alt })
  return {
    _id: row.id,
    id: row.id,
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
    .select([
      'id',
      'title',
      'author',
      'excerpt',
      'picture_key',
      'picture_alt',
      'created_at',
      'version',
      'hidden_at'
    ])
  const rows = await withPicture(posts).orderBy('created_at', 'desc').orderBy('id').execute()
  return rows.map(row => ({ ...toEntry(row), version: row.version, hiddenAt: row.hidden_at }))
}
