import { atom, readonlyType, type ReadableAtom } from 'nanostores'
import { toDealFields } from '../../admin/discount-forms.ts'
import { postPublishedText } from '../../admin/messages.ts'
import { api } from '../../api.ts'
import type {
  AdminCollection,
  CollectionChange,
  CollectionDraft
} from '../../contract/collections.ts'
import type { AdminPost, PostChange, PostDraft, PostSummary } from '../../contract/content.ts'
import type { AdminCoupon, CouponChange, CouponDraft } from '../../contract/coupons.ts'
import type { AdminDeal, DealChange, DealDraft, DiscountedProduct } from '../../contract/deals.ts'
import { ShopError, type ErrorCode } from '../../errors.ts'
import { MESSAGES } from '../../messages.ts'
import { createQueue, loadInto, updateLoaded, type LoadState } from '../load-state.ts'
import { fallBackToBrowserClock, setShopTime } from '../shop-clock.ts'
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

const $dealsState = atom<LoadState<readonly AdminDeal[]>>({ state: 'loading' })

export const $deals = readonlyType($dealsState)

/** Also sets the clock to the server's time. The previous list stays visible while loading. */
export async function loadAllDeals(): Promise<void> {
  await loadInto($dealsState, fetchAllDeals)
  if ($dealsState.get().state === 'failed') fallBackToBrowserClock()
}

export async function readDeal(id: string): Promise<AdminDeal> {
  const value = await fetchAllDeals()
  $dealsState.set({ state: 'ready', value })
  const deal = value.find(each => each.id === id)
  if (!deal) throw new ShopError('DEAL_NOT_FOUND', { message: 'This flash deal no longer exists.' })
  return deal
}

export async function createDeal(draft: DealDraft): Promise<void> {
  await api('POST /discounted-products', { body: draft })
  await loadAllDeals()
}

export async function changeDeal(deal: AdminDeal, change: DealChange): Promise<void> {
  const saved = await sendChange(deal.id, change)
  offerUndo({
    text: `Flash deal for ${deal.name} saved`,
    undo: () => sendChange(deal.id, { ...toDealFields(deal), version: saved.version })
  })
}

export async function deleteDeal({ id, version }: AdminDeal): Promise<void> {
  const query = { version: String(version) }
  const call = api('DELETE /discounted-products/{id}', { params: { id }, query })
  await orReload(deleteOnce(call, 'DEAL_NOT_FOUND'), loadAllDeals)
  await loadAllDeals()
}

async function sendChange(id: string, change: DealChange): Promise<AdminDeal> {
  const saved = await api('PATCH /discounted-products/{id}', { params: { id }, body: change })
  await loadAllDeals()
  return saved
}

async function fetchAllDeals(): Promise<readonly AdminDeal[]> {
  const sentAt = Date.now()
  const reply: readonly (DiscountedProduct | AdminDeal)[] = await api('GET /discounted-products')
  // If the user is no longer an administrator, the server replies with the public list.
  const deals = reply.filter(isAdminDeal)
  if (deals.length < reply.length) throw new ShopError('FORBIDDEN', { message: MESSAGES.forbidden })
  const [first] = deals
  if (first) setShopTime(first.serverTime, sentAt, Date.now())
  else fallBackToBrowserClock()
  return deals
}

function isAdminDeal(deal: DiscountedProduct | AdminDeal): deal is AdminDeal {
  return 'version' in deal
}
