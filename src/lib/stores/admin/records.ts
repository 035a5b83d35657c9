import { atom, readonlyType, type ReadableAtom } from 'nanostores'
import { postPublishedText } from '../../admin/messages.ts'
import { api } from '../../api.ts'
import type {
  AdminCollection,
  CollectionChange,
  CollectionDraft
} from '../../contract/collections.ts'
import type { AdminPost, PostChange, PostDraft, PostSummary } from '../../contract/content.ts'
import type { AdminCoupon, CouponChange, CouponDraft } from '../../contract/coupons.ts'
import type { ErrorCode } from '../../errors.ts'
import { createQueue, loadInto, updateLoaded, type LoadState } from '../load-state.ts'
import { deleteOnce, offerUndo, orReload } from './notices.ts'

interface Stored {
  id: string
  version: number
}

/** `Listed` is a record as the list has it. */
interface RecordStore<Listed extends Stored, Item extends Listed, Draft, Change> {
  $list: ReadableAtom<LoadState<readonly Listed[]>>
  load: () => Promise<void>
  read: (id: string) => Promise<Item>
  create: (draft: Draft) => Promise<Item>
  change: (id: string, change: Change) => Promise<Item>
  /** Resolves to undefined if the record was already deleted. */
  remove: <Reply>(item: Stored) => Promise<Reply | undefined>
  setHidden: (item: Stored, hidden: boolean, text: string) => Promise<void>
  /** Changes the list only in the browser. */
  update: (change: (list: readonly Listed[]) => readonly Listed[]) => void
  store: (item: Item) => Item
}

/** `api` without its types, because they can't follow from a `path` that is a variable. */
const call = api as unknown as <Reply>(name: string, request?: object) => Promise<Reply>

/** Creates a store whose list shows each saved change without loading again. */
export function createRecords<Listed extends Stored, Item extends Listed, Draft, Change>(
  path: '/admin/collections' | '/admin/coupons' | '/admin/posts' | '/admin/products',
  notFound: ErrorCode,
  compare: (a: Listed, b: Listed) => number
): RecordStore<Listed, Item, Draft, Change> {
  const $state = atom<LoadState<readonly Listed[]>>({ state: 'loading' })
  const byId = `${path}/{id}`
  const load = (): Promise<void> => loadInto($state, () => call(`GET ${path}`))
  const update = (change: (list: readonly Listed[]) => readonly Listed[]): void =>
    updateLoaded($state, change)
  const store = (item: Item): Item => {
    update(list => {
      const isKnown = list.some(({ id }) => id === item.id)
      const changed = isKnown
        ? list.map(other => (other.id === item.id ? item : other))
        : [...list, item]
      return changed.toSorted(compare)
    })
    return item
  }
  const change = async (id: string, body: object): Promise<Item> =>
    store(await call(`PATCH ${byId}`, { params: { id }, body }))
  return {
    $list: readonlyType($state),
    load,
    update,
    store,
    read: async id => store(await call(`GET ${byId}`, { params: { id } })),
    create: async draft => store(await call(`POST ${path}`, { body: draft })),
    change: (id, body) => change(id, body as object),
    remove: async ({ id, version }) => {
      const query = { version: String(version) }
      const reply = await deleteOnce(call(`DELETE ${byId}`, { params: { id }, query }), notFound)
      update(list => list.filter(other => other.id !== id))
      return reply as never
    },
    setHidden: async ({ id, version }, hidden, text) => {
      const saved = await orReload(change(id, { version, hidden }), load)
      const undo = (): Promise<Item> => change(id, { version: saved.version, hidden: !hidden })
      offerUndo({ text, undo })
    }
  }
}

const newestFirst = (a: { createdAt: string }, b: { createdAt: string }): number =>
  b.createdAt.localeCompare(a.createdAt)

export const collections = createRecords<
  AdminCollection,
  AdminCollection,
  CollectionDraft,
  CollectionChange
>('/admin/collections', 'COLLECTION_NOT_FOUND', () => 0)
export const coupons = createRecords<AdminCoupon, AdminCoupon, CouponDraft, CouponChange>(
  '/admin/coupons',
  'COUPON_NOT_FOUND',
  newestFirst
)
export const posts = createRecords<PostSummary, AdminPost, PostDraft, PostChange>(
  '/admin/posts',
  'POST_NOT_FOUND',
  newestFirst
)

const saveInTurn = createQueue()

/** Shows the new order at once. If it can't be saved, shows the order of the server again. */
export async function orderCollections(ids: readonly string[]): Promise<void> {
  collections.update(list => ids.flatMap(id => list.find(each => each.id === id) ?? []))
  try {
    const ordered = await saveInTurn(() =>
      api('PUT /admin/collections/order', { body: { ids: [...ids] } })
    )
    if (ordered) collections.update(() => ordered)
  } catch (error) {
    await collections.load()
    throw error
  }
}

export function setCollectionHidden(item: AdminCollection, hidden: boolean): Promise<void> {
  const text = hidden ? `“${item.name}” is hidden` : `“${item.name}” is in the shop`
  return collections.setHidden(item, hidden, text)
}

export function setPublished(post: PostSummary, published: boolean): Promise<void> {
  const text = published ? postPublishedText(post.title) : `“${post.title}” is now a draft`
  return posts.setHidden(post, !published, text)
}

export async function endCoupon(id: string): Promise<void> {
  coupons.store(await api('POST /admin/coupons/{id}/end', { params: { id } }))
}

export async function renderPreview(content: string): Promise<string> {
  return (await api('POST /admin/posts/preview', { body: { content } })).html
}
