import { useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { POST_LABELS, formatPostField } from '#lib/admin/post-form.ts'
import type { AdminPost } from '#lib/contract/admin/posts.ts'
import { paths } from '#lib/paths.ts'
import { readPost } from '#lib/stores/admin/posts.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { DetailView } from '../ui/DetailView.tsx'
import { useLoad } from '../ui/use-load.ts'
import { DeletePost } from './DeletePost.tsx'
import { NEW_ID } from './post-view.ts'
import { PostForm } from './PostForm.tsx'

const ALL_POSTS = 'All posts'

interface PostEditorProps {
  id: string
  author: string
  onClose: () => void
}

export function PostEditor({ id, author, onClose }: PostEditorProps) {
  return id === NEW_ID ? (
    <DetailView backLabel={ALL_POSTS} title="New post">
      <PostForm id={NEW_ID} original={undefined} author={author} onSaved={onClose} onCancel={onClose} />
    </DetailView>
  ) : (
    <ExistingPost id={id} author={author} onClose={onClose} />
  )
}

function ExistingPost({ id, author, onClose }: PostEditorProps) {
  const [result, reload] = useLoad(id, () => readPost(id))
  // Set only if the user chooses the other person's version in an edit conflict.
  const [theirs, setTheirs] = useState<AdminPost>()
  const post = theirs ?? (result.state === 'ready' ? result.value : undefined)

  if (result.state === 'failed' && result.error.code === 'POST_NOT_FOUND') {
    return (
      <DetailView backLabel={ALL_POSTS} title="Post">
        <div role="alert">
          <EmptyState text={ADMIN_MESSAGES.postNotFound}>
            <button type="button" className="button-primary" onClick={onClose}>
              {ALL_POSTS}
            </button>
          </EmptyState>
        </div>
      </DetailView>
    )
  }
  return (
    <DetailView key={post ? 'post' : 'none'} backLabel={ALL_POSTS} title={post?.title ?? 'Post'}>
      <Loaded state={result} label="post" onRetry={() => void reload()}>
        {loaded => <Editor post={theirs ?? loaded} author={author} onClose={onClose} onUseTheirs={setTheirs} />}
      </Loaded>
    </DetailView>
  )
}

interface EditorProps extends Omit<PostEditorProps, 'id'> {
  post: AdminPost
  onUseTheirs: (post: AdminPost) => void
}

function Editor({ post, author, onClose, onUseTheirs }: EditorProps) {
  return (
    <>
      {post.hiddenAt === null && (
        <p className="mb-4">
          <a className="link target" href={paths.blog(post.id)}>
            View on the website
          </a>
        </p>
      )}
      <PostForm
        key={post.version}
        id={post.id}
        original={post}
        author={author}
        onUseTheirs={onUseTheirs}
        onSaved={onClose}
        onCancel={onClose}
      />
      <div className="mt-8">
        <ChangeHistory kinds={['post']} id={post.id} labels={POST_LABELS} format={formatPostField} />
        <DeletePost post={post} onDone={onClose} />
      </div>
    </>
  )
}
