import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { fieldsOfPost } from '#lib/admin/post-form.ts'
import type { AdminPost, PostChange, PostFields } from '#lib/contract/admin/posts.ts'
import { ShopError } from '#lib/errors.ts'
import { dayInIndia, startOfDay } from '#lib/time.ts'
import { isoNow, type Clock } from '../../clock.ts'
import type { Trx } from '../../db/tables.ts'
import type { Write } from '../../db/write.ts'
import { findAnyPost, hasPicture, updatePost, type StoredFields } from '../../queries/admin/posts.ts'
import { record, type Actor } from '../../queries/audit.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { differing } from '../differing.ts'

export interface PostDeps {
  write: Write
  clock: Clock
}

export interface Occasion {
  actor: Actor
  /** ISO. */
  at: string
}

/**
 * Changes what is named of a post. The same change again is answered like the first. Throws ShopError POST_NOT_FOUND,
 * EDIT_CONFLICT, INVALID_INPUT.
 */
export function changePost(
  { write, clock }: PostDeps,
  actor: Actor,
  id: string,
  change: PostChange
): Promise<AdminPost> {
  return write(async trx => {
    // The counter comes first: who changes posts at the same time waits here, and then sees this change.
    await raiseCounter(trx, 'posts')
    return applyChange(trx, { actor, at: isoNow(clock) }, await postOf(trx, id), change)
  })
}

/** Inside a transaction that has raised the counter of the posts. */
export async function applyChange(
  trx: Trx,
  { actor, at }: Occasion,
  post: AdminPost,
  { version, ...named }: PostChange
): Promise<AdminPost> {
  const before = fieldsOfPost(post)
  const changed = differing(before, named)
  if (Object.keys(changed).length === 0) return post
  if (version !== post.version) throw new ShopError('EDIT_CONFLICT')
  await updatePost(trx, post.id, await storedOf(trx, changed, at), at)
  const { hidden, ...others } = changed
  const about = { actor, at, kind: 'post', id: post.id } as const
  if (hidden !== undefined) {
    const sides = { before: { hidden: before.hidden }, after: { hidden } }
    await record(trx, { ...about, action: hidden ? 'hidden' : 'published', ...sides })
  }
  if (Object.keys(others).length > 0) {
    await record(trx, { ...about, action: 'changed', before, after: { ...before, ...others } })
  }
  if (!before.hidden || hidden === false) await raiseCounter(trx, 'catalog')
  return postOf(trx, post.id)
}

/** Throws ShopError POST_NOT_FOUND. */
export async function postOf(trx: Trx, id: string): Promise<AdminPost> {
  const post = await findAnyPost(trx, id)
  if (!post) throw new ShopError('POST_NOT_FOUND')
  return post
}

/** As the database keeps it what was typed at `at` (ISO). Throws ShopError INVALID_INPUT. */
export async function storedOf<Fields extends Partial<PostFields>>(
  trx: Trx,
  { day, ...fields }: Fields,
  at: string
): Promise<Omit<Fields, 'day'> & Partial<Pick<StoredFields, 'createdAt'>>> {
  const { picture } = fields
  if (picture && !(await hasPicture(trx, picture.key))) throw wrong('picture', ADMIN_MESSAGES.postPictureUnknown)
  return { ...fields, ...(day !== undefined && { createdAt: instantOf(day, at) }) }
}

export function wrong(field: keyof PostFields | 'slug', text: string): ShopError {
  return new ShopError('INVALID_INPUT', { fields: { [field]: text } })
}

/** Of today it is now, so that of two posts of a day the later one is the newer. Throws ShopError INVALID_INPUT. */
function instantOf(day: string, at: string): string {
  const today = dayInIndia(Date.parse(at))
  if (day > today) throw wrong('day', ADMIN_MESSAGES.postDayInvalid)
  return day === today ? at : startOfDay(day)
}
