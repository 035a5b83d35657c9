import type { AdminPost } from '#lib/contract/admin/posts.ts'
import { extractPostFields } from '#lib/admin/post-form.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../platform/process/clock.ts'
import { deletePost } from './admin-queries.ts'
import { record, type Actor } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { requirePost, type PostDeps } from './change-post.ts'

/** Returns the deleted post. Throws POST_NOT_FOUND, EDIT_CONFLICT. */
export function removePost({ write, clock }: PostDeps, actor: Actor, id: string, version: number): Promise<AdminPost> {
  return write(async trx => {
    await raiseCounter(trx, 'posts')
    const post = await requirePost(trx, id)
    if (version !== post.version) throw new ShopError('EDIT_CONFLICT')
    await deletePost(trx, id)
    await record(trx, {
      actor,
      at: isoNow(clock),
      kind: 'post',
      id,
      action: 'deleted',
      before: extractPostFields(post)
    })
    if (post.hiddenAt === null) await raiseCounter(trx, 'catalog')
    return post
  })
}
