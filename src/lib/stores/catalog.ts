import { t } from '../contract/texts.ts'
import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import { hasTypes } from '../browser.ts'
import { type SearchCard, toSearchCards } from '../catalog/cards.ts'
import type { LiveProduct, Product } from '../contract/catalog.ts'
import { ShopError } from '../errors.ts'
import type { SearchData } from '../contract/content.ts'
import { loadInto, type LoadState } from './load-state.ts'

const $live = atom<ReadonlyMap<string, LiveProduct>>(new Map())
const $gone = atom<ReadonlySet<string>>(new Set())

export const $liveProducts = readonlyType($live)
export const $goneProducts = readonlyType($gone)

let lastRequest = 0
const requestOf = new Map<string, number>()

/** Called before a request for prices or stock is sent. */
export function startLiveRequest(): number {
  return ++lastRequest
}

/** Not products of which a later request has been answered before. */
export function updateLiveProducts(
  products: readonly LiveProduct[],
  request = startLiveRequest()
): void {
  const newer = products.filter(({ id }) => (requestOf.get(id) ?? 0) <= request)
  for (const { id } of newer) requestOf.set(id, request)
  $live.set(new Map([...$live.get(), ...newer.map(product => [product.id, product] as const)]))
}

export function updateGoneProducts(requested: readonly string[], gone: ReadonlySet<string>): void {
  $gone.set(new Set([...[...$gone.get()].filter(id => !requested.includes(id)), ...gone]))
}

export async function loadLiveProducts(ids?: readonly string[]): Promise<void> {
  const request = startLiveRequest()
  try {
    const { products } = await api(
      'GET /catalog/live',
      ids ? { query: { ids: ids.join(',') } } : {}
    )
    updateLiveProducts(products, request)
    if (ids) $gone.set(new Set(ids.filter(id => !products.some(product => product.id === id))))
  } catch (error) {
    // The page keeps its static prices, and says from when they are.
    if (error instanceof ShopError && error.code === 'OFFLINE')
      globalThis.dispatchEvent(new Event('offline'))
  }
}

const $products = atom<LoadState<readonly SearchCard[]>>({ state: 'loading' })

export const $catalog = readonlyType($products)

let loading: Promise<void> | undefined

export function loadCatalog(): Promise<void> {
  loading ??= loadInto($products, async () =>
    toSearchCards(checkProducts(await api('GET /products')))
  ).finally(() => (loading = undefined))
  return loading
}

function checkProducts(reply: unknown): readonly Product[] {
  if (!Array.isArray(reply))
    throw new ShopError('INTERNAL', { message: t('Invalid data format received from server') })
  if (!reply.every(isProduct))
    throw new ShopError('INTERNAL', { message: t('Invalid data format') })
  return reply
}

function isProduct(value: unknown): value is Product {
  if (!hasTypes(value, { id: 'string', name: 'string', price: 'number' })) return false
  const { quantity, pictures } = value as Partial<Product>
  return typeof quantity?.value === 'number' && Array.isArray(pictures)
}

type Matcher = Pick<typeof import('../search/search.ts'), 'createSearch'> & { data: SearchData }

const $loaded = atom<LoadState<Matcher>>({ state: 'loading' })

export const $matcher = readonlyType($loaded)

let loadingMatcher: Promise<void> | undefined

export function loadMatcher(): Promise<void> {
  if ($loaded.get().state === 'failed') loadingMatcher = undefined
  return (loadingMatcher ??= loadInto($loaded, async () => {
    const script = import('../search/search.ts').catch((cause: unknown) => {
      throw new ShopError('OFFLINE', { cause })
    })
    const [{ createSearch }, data] = await Promise.all([script, api('GET /search')])
    return { createSearch, data }
  }))
}
