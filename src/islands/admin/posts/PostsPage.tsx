import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { ADMIN_MESSAGES, postDeletedText } from '#lib/admin/messages.ts'
import { POST_LABELS, formatPostField, toPostAuthor } from '#lib/admin/post-form.ts'
import type { AdminPost } from '#lib/contract/content.ts'
import { paths } from '#lib/paths.ts'
import { $posts, deletePost, loadPosts, readPost } from '#lib/stores/admin/posts.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { pushQuery, toQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { NEW_ID, RecordView, WebsiteLink } from '../ui/RecordView.tsx'
import { viewLink } from '../ui/view-link.ts'
import { PostForm } from './PostForm.tsx'
import { PostList } from './PostList.tsx'

export function PostsPage({ shopName }: { shopName: string }) {
  const id = new URLSearchParams(useQuery()).get('post') || undefined
  const addButton = <ButtonLink look="primary" label="Write post" {...viewLink(toQuery({ post: NEW_ID }))} />
  return (
    <AdminFrame section="blog" action={!id && addButton}>
      {user => <PostsView id={id} author={toPostAuthor(user, shopName)} />}
    </AdminFrame>
  )
}

function PostsView({ id, author }: { id: string | undefined; author: string }) {
  const posts = useStore($posts)
  useEffect(() => void loadPosts(), [])

  if (id !== undefined) return <PostEditor key={id} id={id} author={author} onClose={() => pushQuery('')} />
  return (
    <Loaded state={posts} label="posts" onRetry={() => void loadPosts()}>
      {list => <PostList posts={list} />}
    </Loaded>
  )
}

interface PostEditorProps {
  id: string
  author: string
  onClose: () => void
}

function PostEditor({ id, author, onClose }: PostEditorProps) {
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
