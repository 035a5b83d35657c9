import { atom, readonlyType } from 'nanostores'
import { postPublishedText } from '../../admin/messages.ts'
import { api } from '../../api.ts'
import type { AdminPost, PostChange, PostDraft, PostSummary } from '../../contract/content.ts'
import { loadInto, updateLoaded, type LoadState } from '../load-state.ts'
import { deleteOnce, offerUndo, orReload } from './undo.ts'

const $state = atom<LoadState<readonly PostSummary[]>>({ state: 'loading' })

export const $posts = readonlyType($state)

export function loadPosts(): Promise<void> {
  return loadInto($state, () => api('GET /admin/posts'))
}

export async function readPost(id: string): Promise<AdminPost> {
  return storePost(await api('GET /admin/posts/{id}', { params: { id } }))
}

export async function createPost(draft: PostDraft): Promise<AdminPost> {
  return storePost(await api('POST /admin/posts', { body: draft }))
}

export async function changePost(id: string, change: PostChange): Promise<AdminPost> {
  return storePost(await api('PATCH /admin/posts/{id}', { params: { id }, body: change }))
}

export async function deletePost({ id, version }: AdminPost): Promise<void> {
  const query = { version: String(version) }
  await deleteOnce(api('DELETE /admin/posts/{id}', { params: { id }, query }), 'POST_NOT_FOUND')
  updateLoaded($state, posts => posts.filter(post => post.id !== id))
}

export async function setPublished(
  { id, version, title }: PostSummary,
  published: boolean
): Promise<void> {
  const saved = await orReload(changePost(id, { version, hidden: !published }), loadPosts)
  offerUndo({
    text: published ? postPublishedText(title) : `“${title}” is now a draft`,
    undo: () => changePost(id, { version: saved.version, hidden: published })
  })
}

export async function renderPreview(content: string): Promise<string> {
  return (await api('POST /admin/posts/preview', { body: { content } })).html
}

function storePost(post: AdminPost): AdminPost {
  const { content: _, ...entry } = post
  updateLoaded($state, posts =>
    [...posts.filter(({ id }) => id !== post.id), entry].toSorted((a, b) =>
      b.createdAt.localeCompare(a.createdAt)
    )
  )
  return post
}
