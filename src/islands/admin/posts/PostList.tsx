import { useEffect, useState } from 'react'
import { ADMIN_MESSAGES, formatPostCount } from '#lib/admin/messages.ts'
import type { PostSummary } from '#lib/contract/admin/posts.ts'
import { formatDate } from '#lib/time.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { DataTable, type Column } from '../ui/DataTable.tsx'
import { FilterBar } from '../ui/FilterBar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { PictureCell } from '../ui/PictureCell.tsx'
import { ViewLink } from '../ui/ViewLink.tsx'
import { NEW_ID, postQuery } from './post-view.ts'
import { PublishButton } from './PublishButton.tsx'

const FILTERS = {
  all: { label: 'All posts', matches: () => true },
  published: { label: 'Published', matches: ({ hiddenAt }: PostSummary) => hiddenAt === null },
  drafts: { label: 'Drafts', matches: ({ hiddenAt }: PostSummary) => hiddenAt !== null }
} as const
type FilterId = keyof typeof FILTERS

const COLUMNS: readonly Column<PostSummary>[] = [
  { id: 'title', label: 'Post', cell: post => <TitleCell post={post} /> },
  { id: 'state', label: 'Status', cell: ({ hiddenAt }) => (hiddenAt === null ? 'Published' : <Badge text="Draft" />) },
  { id: 'date', label: 'Date', cell: post => <DateCell post={post} /> }
]

interface PostListProps {
  posts: readonly PostSummary[]
  lastOpenedId: string | undefined
}

export function PostList({ posts, lastOpenedId }: PostListProps) {
  const [searchText, setSearchText] = useState('')
  const [filter, setFilter] = useState<FilterId>('all')
  const matchingPosts = posts.filter(post => FILTERS[filter].matches(post) && matchesSearch(post, searchText))
  useEffect(() => {
    if (lastOpenedId) document.getElementById(linkId(lastOpenedId))?.focus()
  }, [])

  if (posts.length === 0) {
    return (
      <EmptyState text={ADMIN_MESSAGES.postsEmpty}>
        <ViewLink query={postQuery(NEW_ID)} className="button-primary">
          Write the first post
        </ViewLink>
      </EmptyState>
    )
  }
  return (
    <div className="grid gap-4">
      <FilterBar
        searchLabel="Search posts"
        searchText={searchText}
        onSearch={setSearchText}
        filters={FILTERS}
        filter={filter}
        onFilter={setFilter}
      />
      <p role="status" className="text-sm text-ink/70">
        {matchingPosts.length === 0 ? ADMIN_MESSAGES.postsNone : formatPostCount(matchingPosts.length)}
      </p>
      {matchingPosts.length > 0 && (
        <DataTable
          caption="Posts"
          columns={COLUMNS}
          rows={matchingPosts}
          getKey={({ id }) => id}
          actions={post => (
            <div className="flex flex-wrap gap-2 md:flex-col md:items-stretch xl:flex-row xl:flex-nowrap xl:justify-end">
              <ViewLink query={postQuery(post.id)} className="button-quiet" aria-label={`Edit ${post.title}`}>
                Edit
              </ViewLink>
              <PublishButton post={post} />
            </div>
          )}
        />
      )}
    </div>
  )
}

function TitleCell({ post: { id, title, excerpt, picture, image } }: { post: PostSummary }) {
  return (
    <PictureCell id={linkId(id)} query={postQuery(id)} picture={picture} image={image} shape="wide" title={title}>
      <span className="line-clamp-2 text-sm font-normal text-ink/70">{excerpt}</span>
    </PictureCell>
  )
}

function DateCell({ post: { createdAt, author } }: { post: PostSummary }) {
  return (
    <>
      <span className="block xl:whitespace-nowrap">{formatDate(createdAt)}</span>
      <span className="hidden text-sm text-ink/70 md:block">{author}</span>
    </>
  )
}

function linkId(id: string): string {
  return `post-${id}`
}

function matchesSearch({ id, title, author, excerpt }: PostSummary, searchText: string): boolean {
  const words = searchText.toLowerCase().split(/\s+/)
  const text = [id, title, author, excerpt].join(' ').toLowerCase()
  return words.every(word => text.includes(word))
}
