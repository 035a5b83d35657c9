import { useState } from 'react'
import { ADMIN_MESSAGES, postDeleted } from '#lib/admin/messages.ts'
import type { AdminPost } from '#lib/contract/admin/posts.ts'
import { deletePost } from '#lib/stores/admin/posts.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

export function DeletePost({ post, onDone }: { post: AdminPost; onDone: () => void }) {
  const [asking, setAsking] = useState(false)
  const remove = async () => {
    await deletePost(post)
    notify({ title: postDeleted(post.title), ...(post.hiddenAt === null && { text: ADMIN_MESSAGES.saved }) })
    onDone()
  }
  return (
    <div className="border-t border-brass/40 py-4">
      <button type="button" className="button-quiet" onClick={() => setAsking(true)}>
        Delete post
      </button>
      <ConfirmDialog
        open={asking}
        title="Delete this post?"
        confirm={`Delete “${post.title}”`}
        busyLabel="Deleting…"
        onConfirm={remove}
        onClose={() => setAsking(false)}
      >
        This can’t be undone. To take it off the website but keep it, make it a draft instead.
      </ConfirmDialog>
    </div>
  )
}
