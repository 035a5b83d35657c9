import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { loadPosts, $posts } from '#lib/stores/admin/posts.ts'
import type { StoredUser } from '#lib/stores/stored-session.ts'
import { pushQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { ViewLink } from '../ui/ViewLink.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { NEW, postQuery, readPostId } from './post-view.ts'
import { PostEditor } from './PostEditor.tsx'
import { PostList } from './PostList.tsx'

/** The posts, or one of them: which is in the address, so that Back works. */
export function BlogPage() {
  const id = readPostId(useQuery())
  const add = (
    <ViewLink query={postQuery(NEW)} className="button-primary">
      Write a post
    </ViewLink>
  )
  return (
    <AdminFrame section="blog" action={id === undefined ? add : undefined}>
      {user => <BlogView id={id} user={user} />}
    </AdminFrame>
  )
}

function BlogView({ id, user }: { id: string | undefined; user: StoredUser }) {
  const posts = useStore($posts)
  const left = useRef<string>(undefined)
  useEffect(() => void loadPosts(), [])

  if (id !== undefined) {
    left.current = id
    return <PostEditor key={id} id={id} author={user.name} onClose={() => pushQuery('')} />
  }
  return (
    <Loaded read={posts} what="the posts" onAgain={() => void loadPosts()}>
      {found => <PostList posts={found} returnTo={left.current} />}
    </Loaded>
  )
}
