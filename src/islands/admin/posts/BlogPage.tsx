import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { loadPosts, $posts } from '#lib/stores/admin/posts.ts'
import type { StoredUser } from '#lib/stores/stored-session.ts'
import { pushQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { ViewLink } from '../ui/ViewLink.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { NEW_ID, postQuery, parsePostId } from './post-view.ts'
import { PostEditor } from './PostEditor.tsx'
import { PostList } from './PostList.tsx'

export function BlogPage() {
  const id = parsePostId(useQuery())
  const addButton = (
    <ViewLink query={postQuery(NEW_ID)} className="button-primary">
      Write post
    </ViewLink>
  )
  return (
    <AdminFrame section="blog" action={id === undefined ? addButton : undefined}>
      {user => <BlogView id={id} user={user} />}
    </AdminFrame>
  )
}

function BlogView({ id, user }: { id: string | undefined; user: StoredUser }) {
  const posts = useStore($posts)
  const lastOpenedId = useRef<string>(undefined)
  useEffect(() => void loadPosts(), [])

  if (id !== undefined) {
    lastOpenedId.current = id
    return <PostEditor key={id} id={id} author={user.name} onClose={() => pushQuery('')} />
  }
  return (
    <Loaded state={posts} label="posts" onRetry={() => void loadPosts()}>
      {loadedPosts => <PostList posts={loadedPosts} lastOpenedId={lastOpenedId.current} />}
    </Loaded>
  )
}
