import { ADMIN_MESSAGES, formatPostCount } from '#lib/admin/messages.ts'
import type { PostSummary } from '#lib/contract/content.ts'
import { loadPosts, setPublished } from '#lib/stores/admin/posts.ts'
import { formatDate } from '#lib/time.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { toQuery } from '../../ui/history.ts'
import { Badge, type Column } from '../ui/DataTable.tsx'
import { PictureCell } from '../ui/PictureCell.tsx'
import { NEW_ID } from '../ui/RecordView.tsx'
import { SearchableTable } from '../ui/SearchableTable.tsx'
import { toastErrors } from '../ui/toast-errors.ts'
import { viewLink } from '../ui/view-link.ts'

const FILTERS = [
  { label: 'All posts', matches: () => true },
  { label: 'Published', matches: ({ hiddenAt }: PostSummary) => hiddenAt === null },
  { label: 'Drafts', matches: ({ hiddenAt }: PostSummary) => hiddenAt !== null }
] as const

const COLUMNS: readonly Column<PostSummary>[] = [
  { label: 'Post', cell: post => <TitleCell post={post} /> },
  { label: 'Status', cell: ({ hiddenAt }) => (hiddenAt === null ? 'Published' : <Badge text="Draft" />) },
  {
    label: 'Date',
    cell: ({ createdAt, author }) => (
      <>
        <span className="block xl:whitespace-nowrap">{formatDate(createdAt)}</span>
        <span className="hidden text-sm text-ink/70 md:block">{author}</span>
      </>
    )
  }
]

export function PostList({ posts }: { posts: readonly PostSummary[] }) {
  if (posts.length === 0) {
    return (
      <EmptyState text={ADMIN_MESSAGES.postsEmpty}>
        <ButtonLink look="primary" label="Write the first post" {...viewLink(toQuery({ post: NEW_ID }))} />
      </EmptyState>
    )
  }
  return (
    <SearchableTable
      caption="Posts"
      rows={posts}
      columns={COLUMNS}
      getTexts={({ id, title, author, excerpt }) => [id, title, author, excerpt]}
      filters={FILTERS}
      formatCount={formatPostCount}
      noneText={ADMIN_MESSAGES.postsNone}
      actions={post => (
        <div className="flex flex-wrap gap-2 md:flex-col md:items-stretch xl:flex-row xl:flex-nowrap xl:justify-end">
          <ButtonLink label="Edit" {...viewLink(toQuery({ post: post.id }))} aria-label={`Edit ${post.title}`} />
          <PublishButton post={post} />
        </div>
      )}
    />
  )
}

function TitleCell({ post: { id, title, excerpt, picture, image } }: { post: PostSummary }) {
  return (
    <PictureCell query={toQuery({ post: id })} picture={picture} image={image} shape="wide" title={title}>
      <span className="line-clamp-2 text-sm font-normal text-ink/70">{excerpt}</span>
    </PictureCell>
  )
}

function PublishButton({ post }: { post: PostSummary }) {
  const isDraft = post.hiddenAt !== null
  const label = isDraft ? 'Publish' : 'Unpublish'
  const toggle = async () => {
    const error = await toastErrors(() => setPublished(post, isDraft), ADMIN_MESSAGES.saveFailed, post.id)
    if (error?.code === 'EDIT_CONFLICT' || error?.code === 'POST_NOT_FOUND') await loadPosts()
  }
  return (
    <Button
      label={label}
      className="whitespace-nowrap"
      aria-label={`${label} ${post.title}`}
      onClick={() => void toggle()}
    />
  )
}
