import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { toPostAuthor } from '#lib/admin/post-form.ts'
import { $posts, loadPosts } from '#lib/stores/admin/posts.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { pushQuery, toQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { NEW_ID } from '../ui/RecordView.tsx'
import { viewLink } from '../ui/view-link.ts'
import { PostEditor } from './PostEditor.tsx'
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
