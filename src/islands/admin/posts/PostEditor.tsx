import { ADMIN_MESSAGES, postDeletedText } from '#lib/admin/messages.ts'
import { formatPostField, POST_LABELS } from '#lib/admin/post-form.ts'
import type { AdminPost } from '#lib/contract/content.ts'
import { paths } from '#lib/paths.ts'
import { deletePost, readPost } from '#lib/stores/admin/posts.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { RecordView, WebsiteLink } from '../ui/RecordView.tsx'
import { PostForm } from './PostForm.tsx'

interface PostEditorProps {
  id: string
  author: string
  onClose: () => void
}

export function PostEditor({ id, author, onClose }: PostEditorProps) {
  return (
    <RecordView id={id} kind="post" read={readPost} getTitle={({ title }) => title}>
      {(post, reset) => (
        <>
          {post?.hiddenAt === null && <WebsiteLink path={paths.blog(id)} />}
          <PostForm id={id} original={post} author={author} onReset={reset} onClose={onClose} />
          {post && (
            <div className="mt-8 pb-4">
              <ChangeHistory kinds={['post']} id={id} labels={POST_LABELS} format={formatPostField}>
                <DeletePost post={post} onDone={onClose} />
              </ChangeHistory>
            </div>
          )}
        </>
      )}
    </RecordView>
  )
}

function DeletePost({ post, onDone }: { post: AdminPost; onDone: () => void }) {
  const deleteAndClose = async () => {
    await deletePost(post)
    notify({ title: postDeletedText(post.title), ...(post.hiddenAt === null && { text: ADMIN_MESSAGES.saved }) })
    onDone()
  }
  return (
    <ConfirmButton
      label="Delete post"
      title="Delete this post?"
      confirmLabel={`Delete “${post.title}”`}
      busyLabel="Deleting…"
      errorTitle={ADMIN_MESSAGES.saveFailed}
      onConfirm={deleteAndClose}
    >
      This can’t be undone. To keep it but take it off the website, unpublish it instead.
    </ConfirmButton>
  )
}
