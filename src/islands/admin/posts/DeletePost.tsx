import { useState } from 'react'
import { ADMIN_MESSAGES, postDeletedText } from '#lib/admin/messages.ts'
import type { AdminPost } from '#lib/contract/admin/posts.ts'
import { deletePost } from '#lib/stores/admin/posts.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

export function DeletePost({ post, onDone }: { post: AdminPost; onDone: () => void }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const deleteAndClose = async () => {
    await deletePost(post)
    notify({ title: postDeletedText(post.title), ...(post.hiddenAt === null && { text: ADMIN_MESSAGES.saved }) })
    onDone()
  }
  return (
    <div className="border-t border-brass/40 py-4">
      <button type="button" className="button-quiet" onClick={() => setIsDialogOpen(true)}>
        Delete post
      </button>
      <ConfirmDialog
        open={isDialogOpen}
        title="Delete this post?"
        confirmLabel={`Delete “${post.title}”`}
        busyLabel="Deleting…"
        onConfirm={deleteAndClose}
        onClose={() => setIsDialogOpen(false)}
      >
        This can’t be undone. To keep it but take it off the website, unpublish it instead.
      </ConfirmDialog>
    </div>
  )
}
