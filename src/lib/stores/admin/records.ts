import { atom, readonlyType } from 'nanostores'
import { toDealFields } from '../../admin/discount-forms.ts'
import { postPublishedText } from '../../admin/messages.ts'
import { api, type Api } from '../../api.ts'
import type {
  AdminDeal,
  DealChange,
  DealDraft,
  DiscountedProduct
} from '../../contract/promotions.ts'
import { ShopError, type ErrorCode } from '../../errors.ts'
import { MESSAGES } from '../../messages.ts'
import { t } from '../../contract/texts.ts'
import { createTurns, loadInto, updateLoaded, type LoadState } from '../load-state.ts'
import { fallBackToBrowserClock, setShopTime } from '../shop-clock.ts'
import { deleteOnce, offerUndo, orReload } from './notices.ts'

type Kind = 'collections' | 'coupons' | 'posts' | 'products'
type Listed<Name extends Kind> = Api[`GET /admin/${Name}`]['reply'][number]
type Item<Name extends Kind> = Api[`GET /admin/${Name}/{id}`]['reply']
type Change<Name extends Kind> = Api[`PATCH /admin/${Name}/{id}`]['body']
type Stored = Pick<AdminDeal, 'id' | 'version'>

/** Untyped, because the path is a variable. */
const call = api as unknown as <Reply>(name: string, request?: object) => Promise<Reply>

export class RecordStore<Name extends Kind> {
  readonly #state = atom<LoadState<readonly Listed<Name>[]>>({ state: 'loading' })
  readonly $list = readonlyType(this.#state)
  readonly #path: string
  readonly #notFound: ErrorCode
  readonly #compare: (a: Listed<Name>, b: Listed<Name>) => number
  readonly inTurn = createTurns()

  constructor(
    name: Name,
    notFound: ErrorCode,
    compare: (a: Listed<Name>, b: Listed<Name>) => number
  ) {
    this.#path = `/admin/${name}`
    this.#notFound = notFound
    this.#compare = compare
  }

  load = (): Promise<void> => loadInto(this.#state, () => call(`GET ${this.#path}`))

  read = async (id: string): Promise<Item<Name>> =>
    this.store(await call(`GET ${this.#path}/{id}`, { params: { id } }))

  create = async (body: Api[`POST /admin/${Name}`]['body']): Promise<Item<Name>> =>
    this.store(await call(`POST ${this.#path}`, { body }))

  change = async (id: string, body: Change<Name>): Promise<Item<Name>> =>
    this.store(await call(`PATCH ${this.#path}/{id}`, { params: { id }, body }))

  /** Resolves to undefined if the record was already deleted. */
  remove = async <Reply>({ id, version }: Stored): Promise<Reply | undefined> => {
    const request = { params: { id }, query: { version: String(version) } }
    const reply = call<Reply>(`DELETE ${this.#path}/{id}`, request)
    const outcome = await deleteOnce(reply, this.#notFound)
    this.update(list => list.filter(other => other.id !== id))
    return outcome
  }

  /** Tries again, unless `check` throws: somebody may have changed only other fields. */
  changeField = async (
    seen: Stored,
    change: object,
    back: object,
    text: string,
    check?: (current: Item<Name>) => void
  ): Promise<void> => {
    const { id } = seen
    const set =
      (fields: object) =>
      ({ version }: Stored): Promise<Item<Name>> =>
        this.change(id, { ...fields, version } as Change<Name>)
    const { saved } = await this.inTurn<Stored, Stored>(id, seen, latest =>
      set(change)(latest).catch(async (error: unknown) => {
        if (!(error instanceof ShopError)) throw error
        if (error.replyStatus === 404) await this.load()
        if (error.code !== 'EDIT_CONFLICT') throw error
        const current = await this.read(id)
        check?.(current)
        return set(change)(current)
      })
    )
    offerUndo({ text, undo: () => this.inTurn<Stored, Stored>(id, saved, set(back)) })
  }

  /** Shows the new order at once, and the server's again if it can't be saved. */
  arrange = async (
    toArranged: (list: readonly Listed<Name>[]) => readonly Listed<Name>[],
    save: () => Promise<readonly Item<Name>[]>
  ): Promise<void> => {
    this.update(toArranged)
    try {
      const { saved, isLast } = await this.inTurn<unknown, readonly Item<Name>[]>(
        '',
        undefined,
        save
      )
      if (isLast) for (const item of saved) this.store(item)
    } catch (error) {
      await this.load()
      throw error
    }
  }

  update(change: (list: readonly Listed<Name>[]) => readonly Listed<Name>[]) {
    updateLoaded(this.#state, change)
  }

  store(item: Item<Name>): Item<Name> {
    const listed = item as unknown as Listed<Name>
    this.update(list =>
      (list.some(({ id }) => id === item.id)
        ? // A slow reply may be older than what is listed.
          list.map(other =>
            other.id === item.id && other.version <= item.version ? listed : other
          )
        : [...list, listed]
      ).toSorted(this.#compare)
    )
    return item
  }
}

const newestFirst = (a: { createdAt: string }, b: { createdAt: string }) =>
  b.createdAt.localeCompare(a.createdAt)

export const collections = new RecordStore('collections', 'COLLECTION_NOT_FOUND', () => 0)
export const coupons = new RecordStore('coupons', 'COUPON_NOT_FOUND', newestFirst)
export const posts = new RecordStore('posts', 'POST_NOT_FOUND', newestFirst)

export function orderCollections(ids: readonly string[]): Promise<void> {
  return collections.arrange(
    list => ids.flatMap(id => list.find(each => each.id === id) ?? []),
    () => api('PUT /admin/collections/order', { body: { ids: [...ids] } })
  )
}

export function setCollectionHidden(item: Listed<'collections'>, hidden: boolean): Promise<void> {
  const text = t(hidden ? '“{name}” is hidden' : '“{name}” is in the shop', item)
  return collections.changeField(item, { hidden }, { hidden: !hidden }, text)
}

export function setPublished(post: Listed<'posts'>, published: boolean): Promise<void> {
  const text = published ? postPublishedText(post.title) : t('“{title}” is now a draft', post)
  return posts.changeField(post, { hidden: !published }, { hidden: published }, text)
}

export async function endCoupon(id: string): Promise<void> {
  coupons.store(await api('POST /admin/coupons/{id}/end', { params: { id } }))
}

const $dealsState = atom<LoadState<readonly AdminDeal[]>>({ state: 'loading' })

export const $deals = readonlyType($dealsState)

export async function loadAllDeals(): Promise<void> {
  await loadInto($dealsState, fetchAllDeals)
  if ($dealsState.get().state === 'failed') fallBackToBrowserClock()
}

export async function readDeal(id: string): Promise<AdminDeal> {
  await loadAllDeals()
  const deals = $dealsState.get()
  if (deals.state === 'failed') throw deals.error
  const deal = deals.state === 'ready' && deals.value.find(each => each.id === id)
  if (!deal)
    throw new ShopError('DEAL_NOT_FOUND', { message: t('This flash deal no longer exists.') })
  return deal
}

export async function createDeal(body: DealDraft): Promise<void> {
  await api('POST /discounted-products', { body })
  await loadAllDeals()
}

export async function changeDeal(deal: AdminDeal, change: DealChange): Promise<void> {
  const send = async (body: DealChange): Promise<AdminDeal> => {
    const saved = await api('PATCH /discounted-products/{id}', { params: { id: deal.id }, body })
    await loadAllDeals()
    return saved
  }
  const { version } = await send(change)
  offerUndo({
    text: t('Flash deal for {name} saved', deal),
    undo: () => send({ ...toDealFields(deal), version })
  })
}

export async function deleteDeal({ id, version }: AdminDeal): Promise<void> {
  const request = { params: { id }, query: { version: String(version) } }
  const reply = api('DELETE /discounted-products/{id}', request)
  await orReload(deleteOnce(reply, 'DEAL_NOT_FOUND'), loadAllDeals)
  await loadAllDeals()
}

async function fetchAllDeals(): Promise<readonly AdminDeal[]> {
  const sentAt = Date.now()
  const reply: readonly (DiscountedProduct | AdminDeal)[] = await api('GET /discounted-products')
  // Former administrators get the public list, whose deals have no version.
  const deals = reply.filter(deal => 'version' in deal)
  if (deals.length < reply.length) throw new ShopError('FORBIDDEN', { message: MESSAGES.forbidden })
  const [first] = deals
  if (first) setShopTime(first.serverTime, sentAt, Date.now())
  else fallBackToBrowserClock()
  return deals
}
