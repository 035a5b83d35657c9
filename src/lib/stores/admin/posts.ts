import { atom, readonlyType } from 'nanostores'
import { postHiddenText, postPublishedText } from '../../admin/messages.ts'
import { api } from '../../api.ts'
import type { AdminPost, PostChange, PostDraft, PostSummary } from '../../contract/content.ts'
import { ShopError } from '../../shop-error.ts'
import { offerUndo } from './undo.ts'

export type Posts =
  { state: 'loading' } | { state: 'failed'; error: ShopError } | { state: 'ready'; value: readonly PostSummary[] }

const $state = atom<Posts>({ state: 'loading' })

export const $posts = readonlyType($state)

export async function loadPosts(): Promise<void> {
  if ($state.get().state === 'failed') $state.set({ state: 'loading' })
  try {
    $state.set({ state: 'ready', value: await api('GET /admin/posts') })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    $state.set({ state: 'failed', error })
  }
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
  await api('DELETE /admin/posts/{id}', { params: { id }, query }).catch((error: unknown) => {
    // The post is already deleted: by someone else, or by an earlier request without a response.
    if (!(error instanceof ShopError) || error.code !== 'POST_NOT_FOUND') throw error
  })
  const current = $state.get()
  if (current.state === 'ready') $state.set({ state: 'ready', value: current.value.filter(post => post.id !== id) })
}

export async function setPublished({ id, version, title }: PostSummary, published: boolean): Promise<void> {
  const saved = await changePost(id, { version, hidden: !published })
  offerUndo({
    text: published ? postPublishedText(title) : postHiddenText(title),
    undo: async () => void (await changePost(id, { version: saved.version, hidden: published }))
  })
}

export async function renderPreview(content: string): Promise<string> {
  return (await api('POST /admin/posts/preview', { body: { content } })).html
}

function storePost(post: AdminPost): AdminPost {
  const current = $state.get()
  if (current.state === 'ready') {
    const { content: _, ...entry } = post
    const others = current.value.filter(({ id }) => id !== post.id)
    const value = [...others, entry].toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    $state.set({ state: 'ready', value })
  }
  return post
}
