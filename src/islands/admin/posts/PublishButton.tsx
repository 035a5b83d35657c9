import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { PostSummary } from '#lib/contract/admin/posts.ts'
import { ShopError, toErrorText } from '#lib/shop-error.ts'
import { loadPosts, setPublished } from '#lib/stores/admin/posts.ts'
import { notify } from '#lib/stores/toasts.ts'

export function PublishButton({ post }: { post: PostSummary }) {
  const isDraft = post.hiddenAt !== null
  const togglePublished = async () => {
    try {
      await setPublished(post, isDraft)
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      const text = toErrorText(error, ADMIN_MESSAGES.tryAgain)
      notify({ title: ADMIN_MESSAGES.saveFailed, text, kind: 'destructive', topic: post.id })
      if (error.code === 'EDIT_CONFLICT' || error.code === 'POST_NOT_FOUND') await loadPosts()
    }
  }
  return (
    <button
      type="button"
      className="button-quiet whitespace-nowrap"
      aria-label={isDraft ? `Publish ${post.title}` : `Unpublish ${post.title}`}
      onClick={() => void togglePublished()}
    >
      {isDraft ? 'Publish' : 'Unpublish'}
    </button>
  )
}
