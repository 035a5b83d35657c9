import { atom, readonlyType } from 'nanostores'
import { postHidden, postPublished } from '../../admin/messages.ts'
import { api } from '../../api.ts'
import type { AdminPost, PostChange, PostDraft, PostSummary } from '../../contract/admin/posts.ts'
import { ShopError } from '../../shop-error.ts'
import { offerUndo } from './undo.ts'

export type Posts =
  { state: 'loading' } | { state: 'failed'; error: ShopError } | { state: 'ready'; value: readonly PostSummary[] }

const $state = atom<Posts>({ state: 'loading' })

/** Every post, drafts too, once `loadPosts` has brought them. */
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

/** The post as the shop has it now. Throws ShopError. */
export async function readPost(id: string): Promise<AdminPost> {
  return storePost(await api('GET /admin/posts/{id}', { params: { id } }))
}

/** Throws ShopError. */
export async function createPost(draft: PostDraft): Promise<AdminPost> {
  return storePost(await api('POST /admin/posts', { body: draft }))
}

/** Throws ShopError. */
export async function changePost(id: string, change: PostChange): Promise<AdminPost> {
  return storePost(await api('PATCH /admin/posts/{id}', { params: { id }, body: change }))
}

/** Deletes a post for ever. Throws ShopError. */
export async function deletePost({ id, version }: AdminPost): Promise<void> {
  const query = { version: String(version) }
  await api('DELETE /admin/posts/{id}', { params: { id }, query }).catch((error: unknown) => {
    // Of two who delete the same, or of one whose first answer was lost, the second finds nothing.
    if (!(error instanceof ShopError) || error.code !== 'POST_NOT_FOUND') throw error
  })
  const known = $state.get()
  if (known.state === 'ready') $state.set({ state: 'ready', value: known.value.filter(post => post.id !== id) })
}

/** Makes a post a draft or publishes it, and offers to take it back. Throws ShopError. */
export async function setPublished({ id, version, title }: PostSummary, published: boolean): Promise<void> {
  const saved = await changePost(id, { version, hidden: !published })
  offerUndo({
    text: published ? postPublished(title) : postHidden(title),
    undo: async () => void (await changePost(id, { version: saved.version, hidden: published }))
  })
}

/** What a page makes of a text, as HTML that the shop has made safe. Throws ShopError. */
export async function previewText(content: string): Promise<string> {
  return (await api('POST /admin/posts/preview', { body: { content } })).html
}

function storePost(post: AdminPost): AdminPost {
  const known = $state.get()
  if (known.state === 'ready') {
    const { content: _, ...entry } = post
    const others = known.value.filter(({ id }) => id !== post.id)
    const value = [...others, entry].toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    $state.set({ state: 'ready', value })
  }
  return post
}
