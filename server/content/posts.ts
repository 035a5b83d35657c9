import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { extractPostFields } from '#lib/admin/post-form.ts'
import type { AdminPost, PostChange, PostDraft, PostFields } from '#lib/contract/content.ts'
import { ShopError } from '#lib/errors.ts'
import { findFreeSlug, toSlug } from '#lib/paths.ts'
import { toDayInIndia, toStartOfDay } from '#lib/time.ts'
import { changedFields, record, recordEdit, type Actor, type Change } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { findIdByKey, listIdsByPrefix } from '../platform/db/search.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { invalidField } from '../platform/http/validate.ts'
import { isoNow } from '../platform/process/clock.ts'
import { renderText } from '../settings/texts.ts'
import { hasPicture, insertPost, updatePost, type StoredFields } from './queries.ts'
import { findAnyPost } from './read-posts.ts'

type ChangeContext = Pick<Change, 'actor' | 'at'>

/** Omitted fields stay unchanged. Throws POST_NOT_FOUND, EDIT_CONFLICT, INVALID_INPUT, TEXT_NOT_RENDERABLE. */
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
  const post = await findAnyPost(db, id)
  if (!post) throw new ShopError('POST_NOT_FOUND')
  return post
}

async function toStoredFields<Fields extends Partial<PostFields>>(
  trx: Trx,
  { day, ...fields }: Fields,
  at: string
): Promise<Omit<Fields, 'day'> & Partial<Pick<StoredFields, 'createdAt'>>> {
  const { picture } = fields
  if (picture && !(await hasPicture(trx, picture.key))) throw invalidField('picture', ADMIN_MESSAGES.postPictureUnknown)
  return { ...fields, ...(day !== undefined && { createdAt: toInstant(day, at) }) }
}

/** A post dated today gets the current time, so that posts of the same day are sorted by creation time. */
function toInstant(day: string, at: string): string {
  const today = toDayInIndia(Date.parse(at))
  if (day > today) throw invalidField('day', ADMIN_MESSAGES.postDayInvalid)
  return day === today ? at : toStartOfDay(day)
}

/** If `draft.key` exists, changes that post. Throws INVALID_INPUT, EDIT_CONFLICT, TEXT_NOT_RENDERABLE. */
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
    if (existingId === undefined) return { post: await insertPostDraft(trx, context, draft), isNew: true }
    const { key: _, slug: _slug, ...fields } = draft
    const post = await requirePost(trx, existingId)
    // An earlier submit of this form created version 1. A higher version means that somebody has edited the post since
    // then.
    if (post.version > 1) throw new ShopError('EDIT_CONFLICT')
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
  if (slug !== undefined && takenIds.has(slug)) throw invalidField('slug', ADMIN_MESSAGES.postSlugTaken)
  return findFreeSlug(base, takenIds)
}

/** Returns the deleted post. Throws POST_NOT_FOUND, EDIT_CONFLICT. */
export function removePost({ write, clock }: DataDeps, actor: Actor, id: string, version: number): Promise<AdminPost> {
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
