import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { extractPostFields } from '#lib/admin/post-form.ts'
import type { AdminPost, PostChange, PostFields } from '#lib/contract/admin/posts.ts'
import { ShopError } from '#lib/errors.ts'
import { toDayInIndia, toStartOfDay } from '#lib/time.ts'
import { isoNow, type Clock } from '../platform/process/clock.ts'
import type { Trx } from '../platform/db/tables.ts'
import type { Write } from '../platform/db/write.ts'
import { findAnyPost, hasPicture, updatePost, type StoredFields } from './admin-queries.ts'
import { record, type Actor } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { changedFields } from '../platform/db/changed-fields.ts'

export interface PostDeps {
  write: Write
  clock: Clock
}

export interface ChangeContext {
  actor: Actor
  at: string
}

/** Omitted fields stay unchanged. Throws POST_NOT_FOUND, EDIT_CONFLICT, INVALID_INPUT. */
export function changePost(
  { write, clock }: PostDeps,
  actor: Actor,
  id: string,
  change: PostChange
): Promise<AdminPost> {
  return write(async trx => {
    // Raising the counter locks it, so that concurrent changes of posts wait for each other.
    await raiseCounter(trx, 'posts')
    return applyChange(trx, { actor, at: isoNow(clock) }, await requirePost(trx, id), change)
  })
}

/** The caller must raise the counter `posts` first. Throws EDIT_CONFLICT, INVALID_INPUT. */
export async function applyChange(
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
  const { hidden, ...others } = changed
  const entry = { actor, at, kind: 'post', id: post.id } as const
  if (hidden !== undefined) {
    const action = hidden ? 'hidden' : 'published'
    await record(trx, { ...entry, action, before: { hidden: before.hidden }, after: { hidden } })
  }
  if (Object.keys(others).length > 0) {
    await record(trx, { ...entry, action: 'changed', before, after: { ...before, ...others } })
  }
  if (!before.hidden || hidden === false) await raiseCounter(trx, 'catalog')
  return requirePost(trx, post.id)
}

export async function requirePost(trx: Trx, id: string): Promise<AdminPost> {
  const post = await findAnyPost(trx, id)
  if (!post) throw new ShopError('POST_NOT_FOUND')
  return post
}

export async function toStoredFields<Fields extends Partial<PostFields>>(
  trx: Trx,
  { day, ...fields }: Fields,
  at: string
): Promise<Omit<Fields, 'day'> & Partial<Pick<StoredFields, 'createdAt'>>> {
  const { picture } = fields
  if (picture && !(await hasPicture(trx, picture.key))) throw invalidField('picture', ADMIN_MESSAGES.postPictureUnknown)
  return { ...fields, ...(day !== undefined && { createdAt: toInstant(day, at) }) }
}

export function invalidField(field: keyof PostFields | 'slug', text: string): ShopError {
  return new ShopError('INVALID_INPUT', { fields: { [field]: text } })
}

/** A post dated today gets the current time, so that posts of the same day are sorted by creation time. */
function toInstant(day: string, at: string): string {
  const today = toDayInIndia(Date.parse(at))
  if (day > today) throw invalidField('day', ADMIN_MESSAGES.postDayInvalid)
  return day === today ? at : toStartOfDay(day)
}
