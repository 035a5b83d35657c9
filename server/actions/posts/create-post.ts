import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminPost, PostDraft } from '#lib/contract/admin/posts.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../../clock.ts'
import type { Trx } from '../../db/tables.ts'
import { findPostByKey, insertPost, postIdsLike } from '../../queries/admin/posts.ts'
import { record, type Actor } from '../../queries/audit.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { firstFree, slugOf } from '../../slug.ts'
import { applyChange, requirePost, toStored, invalidField, type ChangeContext, type PostDeps } from './change-post.ts'

interface Created {
  post: AdminPost
  /** False if the key was used before; the existing post is then updated. */
  isNew: boolean
}

/** Idempotent by draft.key. Throws ShopError INVALID_INPUT, EDIT_CONFLICT. */
export function createPost({ write, clock }: PostDeps, actor: Actor, draft: PostDraft): Promise<Created> {
  return write(async trx => {
    // Raising the counter first serialises changes of posts, so that ids are unique.
    await raiseCounter(trx, 'posts')
    const context = { actor, at: isoNow(clock) }
    const existingId = await findPostByKey(trx, draft.key)
    if (existingId === undefined) return { post: await insertDraft(trx, context, draft), isNew: true }
    const { key: _, slug: _slug, ...fields } = draft
    const post = await requirePost(trx, existingId)
    // Someone has edited the post since this form created it.
    if (post.version > 1) throw new ShopError('EDIT_CONFLICT')
    return { post: await applyChange(trx, context, post, { ...fields, version: 1 }), isNew: false }
  })
}

async function insertDraft(
  trx: Trx,
  { actor, at }: ChangeContext,
  { key, slug, ...fields }: PostDraft
): Promise<AdminPost> {
  const id = await freeId(trx, fields.title, slug)
  const { createdAt = at, ...stored } = await toStored(trx, fields, at)
  await insertPost(trx, { ...stored, createdAt, id, key }, at)
  await record(trx, { actor, at, kind: 'post', id, action: 'created', after: fields })
  if (!fields.hidden) await raiseCounter(trx, 'catalog')
  return requirePost(trx, id)
}

async function freeId(trx: Trx, title: string, slug: string | undefined): Promise<string> {
  const base = slug ?? slugOf(title, 'post')
  const taken = await postIdsLike(trx, base)
  if (slug !== undefined && taken.has(slug)) throw invalidField('slug', ADMIN_MESSAGES.postSlugTaken)
  return firstFree(base, taken)
}
