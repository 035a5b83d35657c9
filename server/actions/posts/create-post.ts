import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminPost, PostDraft } from '#lib/contract/admin/posts.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../../clock.ts'
import type { Trx } from '../../db/tables.ts'
import { findPostByKey, insertPost, postIdsLike } from '../../queries/admin/posts.ts'
import { record, type Actor } from '../../queries/audit.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { firstFree, slugOf } from '../../slug.ts'
import { applyChange, postOf, storedOf, wrong, type Occasion, type PostDeps } from './change-post.ts'

interface Created {
  post: AdminPost
  /** False when the form had made it before: then what was typed since is put into it. */
  isNew: boolean
}

/** Makes a post with an address of its own, once for each form. Throws ShopError INVALID_INPUT, EDIT_CONFLICT. */
export function createPost({ write, clock }: PostDeps, actor: Actor, draft: PostDraft): Promise<Created> {
  return write(async trx => {
    // The counter comes first: who makes another post at the same time waits here, and then sees this one's id.
    await raiseCounter(trx, 'posts')
    const occasion = { actor, at: isoNow(clock) }
    const made = await findPostByKey(trx, draft.key)
    if (made === undefined) return { post: await insertDraft(trx, occasion, draft), isNew: true }
    const { key: _, slug: _slug, ...fields } = draft
    const post = await postOf(trx, made)
    // Who has changed it since is not written over by a form that was left open.
    if (post.version > 1) throw new ShopError('EDIT_CONFLICT')
    return { post: await applyChange(trx, occasion, post, { ...fields, version: 1 }), isNew: false }
  })
}

async function insertDraft(trx: Trx, { actor, at }: Occasion, { key, slug, ...fields }: PostDraft): Promise<AdminPost> {
  const id = await freeId(trx, fields.title, slug)
  const { createdAt = at, ...stored } = await storedOf(trx, fields, at)
  await insertPost(trx, { ...stored, createdAt, id, key }, at)
  await record(trx, { actor, at, kind: 'post', id, action: 'created', after: fields })
  if (!fields.hidden) await raiseCounter(trx, 'catalog')
  return postOf(trx, id)
}

/** Throws ShopError INVALID_INPUT. */
async function freeId(trx: Trx, title: string, slug: string | undefined): Promise<string> {
  const word = slug ?? slugOf(title, 'post')
  const taken = await postIdsLike(trx, word)
  if (slug !== undefined && taken.has(slug)) throw wrong('slug', ADMIN_MESSAGES.postSlugTaken)
  return firstFree(word, taken)
}
