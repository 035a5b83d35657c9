import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { ADMIN_MESSAGES, postDeletedText } from '#lib/admin/messages.ts'
import { formatPostField, POST_LABELS, toPostAuthor } from '#lib/admin/post-form.ts'
import type { AdminPost, PostSummary } from '#lib/contract/content.ts'
import { paths } from '#lib/paths.ts'
import { $posts, deletePost, loadPosts, readPost, setPublished } from '#lib/stores/admin/posts.ts'
import { notify } from '#lib/stores/toasts.ts'
import { formatDate } from '#lib/time.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { pushQuery, toQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { Badge, type Column, PictureCell, SearchableTable } from '../ui/DataTable.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { RecordEditor } from '../ui/RecordEditor.tsx'
import { NEW_ID } from '../ui/RecordView.tsx'
import { toastErrors } from '../ui/toast-errors.ts'
import { viewLink } from '../ui/list-query.ts'
import { PostForm } from './PostForm.tsx'

export function PostsPage({ shopName }: { shopName: string }) {
  const id = new URLSearchParams(useQuery()).get('post') || undefined
  const addButton = (
    <ButtonLink look="primary" label="Write post" {...viewLink(toQuery({ post: NEW_ID }))} />
  )
  return (
    <AdminFrame section="blog" action={!id && addButton}>
      {user => <PostsView id={id} author={toPostAuthor(user, shopName)} />}
    </AdminFrame>
  )
}

function PostsView({ id, author }: { id: string | undefined; author: string }) {
  const posts = useStore($posts)
  useEffect(() => void loadPosts(), [])

  if (id !== undefined) return <PostEditor key={id} id={id} author={author} />
  return (
    <Loaded state={posts} label="posts" onRetry={() => void loadPosts()}>
      {list => <PostList posts={list} />}
    </Loaded>
  )
}

function PostEditor({ id, author }: { id: string; author: string }) {
  return (
    <RecordEditor
      id={id}
      kind="post"
      read={readPost}
      getTitle={({ title }) => title}
      getPath={({ hiddenAt }) => hiddenAt === null && paths.blog(id)}
      history={{ labels: POST_LABELS, format: formatPostField }}
      actions={post => <DeletePost post={post} />}
    >
      {(post, reset) => <PostForm id={id} original={post} author={author} onReset={reset} />}
    </RecordEditor>
  )
}

function DeletePost({ post }: { post: AdminPost }) {
  const deleteAndClose = async () => {
    await deletePost(post)
    notify({
      title: postDeletedText(post.title),
      ...(post.hiddenAt === null && { text: ADMIN_MESSAGES.websiteUpdates })
    })
    pushQuery('')
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

const FILTERS = [
  { label: 'All posts', matches: () => true },
  { label: 'Published', matches: ({ hiddenAt }: PostSummary) => hiddenAt === null },
  { label: 'Drafts', matches: ({ hiddenAt }: PostSummary) => hiddenAt !== null }
] as const

const COLUMNS: readonly Column<PostSummary>[] = [
  { label: 'Post', cell: post => <TitleCell post={post} /> },
  {
    label: 'Status',
    cell: ({ hiddenAt }) => (hiddenAt === null ? 'Published' : <Badge text="Draft" />)
  },
  {
    label: 'Date',
    cell: ({ createdAt, author }) => (
      <>
        <span className="block xl:whitespace-nowrap">{formatDate(createdAt)}</span>
        <span className="hidden text-sm text-ink/70 xl:block">{author}</span>
      </>
    )
  }
]

function PostList({ posts }: { posts: readonly PostSummary[] }) {
  if (posts.length === 0) return <EmptyState text={ADMIN_MESSAGES.postsEmpty} />
  return (
    <SearchableTable
      caption="Posts"
      rows={posts}
      columns={COLUMNS}
      getTexts={({ id, title, author, excerpt }) => [id, title, author, excerpt]}
      filters={FILTERS}
      noun="post"
      noneText={ADMIN_MESSAGES.postsNone}
      actions={post => (
        <div className="flex flex-wrap gap-2 xl:flex-nowrap xl:justify-end">
          <ButtonLink
            label="Edit"
            {...viewLink(toQuery({ post: post.id }))}
            aria-label={`Edit ${post.title}`}
          />
          <PublishButton post={post} />
        </div>
      )}
    />
  )
}

function TitleCell({ post: { id, title, excerpt, picture, image } }: { post: PostSummary }) {
  return (
    <PictureCell
      query={toQuery({ post: id })}
      picture={picture}
      image={image}
      shape="wide"
      title={title}
    >
      <span className="line-clamp-2 text-sm font-normal text-ink/70">{excerpt}</span>
    </PictureCell>
  )
}

function PublishButton({ post }: { post: PostSummary }) {
  const isDraft = post.hiddenAt !== null
  const label = isDraft ? 'Publish' : 'Unpublish'
  const toggle = () =>
    toastErrors(() => setPublished(post, isDraft), ADMIN_MESSAGES.saveFailed, post.id)
  return (
    <Button
      label={label}
      className="whitespace-nowrap"
      aria-label={`${label} ${post.title}`}
      onClick={() => void toggle()}
    />
  )
}
