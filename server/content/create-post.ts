import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminPost, PostDraft } from '#lib/contract/admin/posts.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../platform/process/clock.ts'
import type { Trx } from '../platform/db/tables.ts'
import { findPostByKey, insertPost, listPostIdsByPrefix } from './admin-queries.ts'
import { record, type Actor } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { findFreeSlug, toSlug } from '../catalog/slug.ts'
import {
  applyChange,
  requirePost,
  toStoredFields,
  invalidField,
  type ChangeContext,
  type PostDeps
} from './change-post.ts'

interface Created {
  post: AdminPost
  isNew: boolean
}

/** If a post with this `draft.key` already exists, changes that post. Throws INVALID_INPUT, EDIT_CONFLICT. */
export function createPost({ write, clock }: PostDeps, actor: Actor, draft: PostDraft): Promise<Created> {
  return write(async trx => {
    // Raising the counter locks it, so that concurrent changes of posts wait for each other and each post gets its own
    // id.
    await raiseCounter(trx, 'posts')
    const context = { actor, at: isoNow(clock) }
    const existingId = await findPostByKey(trx, draft.key)
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
  const takenIds = await listPostIdsByPrefix(trx, base)
  if (slug !== undefined && takenIds.has(slug)) throw invalidField('slug', ADMIN_MESSAGES.postSlugTaken)
  return findFreeSlug(base, takenIds)
}
