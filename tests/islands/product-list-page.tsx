import { cleanup, render, screen, within } from '@testing-library/react'
import { cleanStores } from 'nanostores'
import { vi } from 'vitest'
import type { CardProduct, CollectionLink } from '#lib/catalog-filter.ts'
import type { Product } from '#lib/contract/catalog.ts'
import { makeCard } from '../support/cards.ts'

export const CATEGORIES = [
  { name: 'powders', label: 'Powders' },
  { name: 'savouries', label: 'Savouries' },
  { name: 'pickles', label: 'Pickles' },
  { name: 'sweets', label: 'Sweets' },
  { name: 'seer_items', label: 'Seer Items' }
] as const

export const PRODUCTS = [
  makeCard('thattai', { name: 'Thattai', category: 'savouries', dietary: 'vegan', price: 90 }),
  makeCard('pickle', { name: 'Lemon Pickle', category: 'pickles', dietary: 'vegan', price: 145, stock: 'low' }),
  makeCard('pak', { name: 'Mysore Pak', price: 180, rating: 4.9 }),
  makeCard('halwa', { name: 'Tirunelveli Halwa', description: 'Wheat stirred in ghee.', price: 320, stock: 'out' })
]

export const PRODUCT_IDS = PRODUCTS.map(({ id }) => id)

export function makeCards(count: number): CardProduct[] {
  return Array.from({ length: count }, (_, index) => makeCard(`p${index}`, { price: index + 1 }))
}

/** Converts cards to the reply of `GET /products`. */
export function toReply(cards: readonly CardProduct[]): Product[] {
  return cards.map(({ picture, stock, ...rest }) => ({
    ...rest,
    stock: { in: 20, low: 3, out: 0 }[stock],
    pictures: picture ? [picture] : [],
    extraImages: [],
    ingredients: ['Rice'],
    shelfLife: '10 days'
  }))
}

type ProductsReply = () => Response | Promise<Response>

interface ListOptions {
  query?: string
  prebuilt?: readonly CardProduct[]
  total?: number
  collections?: readonly CollectionLink[]
  /** The reply of `GET /products`. By default the request stays pending. */
  products?: ProductsReply
}

let cleanUp = (): void => undefined

/** Unmounts the page and cancels its pending work. */
export function leavePage(): void {
  cleanup()
  cleanUp()
  cleanUp = () => undefined
  localStorage.clear()
}

/** Creates the island with new stores at the given URL. */
export async function createList(options: ListOptions) {
  const { query = '', prebuilt = PRODUCTS, total = prebuilt.length, collections = [], products } = options
  cleanUp()
  vi.resetModules()
  const { configureApi } = await import('#lib/api.ts')
  const shop: { products: ProductsReply } = { products: products ?? (() => new Promise<Response>(() => undefined)) }
  configureApi({
    send: async url => (url.endsWith('/products') ? shop.products() : Response.json({ products: [] }))
  })
  const { flushQuery } = await import('#islands/ui/history.ts')
  const { ProductBrowser } = await import('#islands/catalog/ProductBrowser.tsx')
  const cart = await import('#lib/stores/cart.ts')
  cleanUp = () => {
    flushQuery()
    cleanStores(cart.$cart)
  }
  // After the imports, because late replies of an earlier page in this window can change the URL while they are loaded.
  history.replaceState(null, '', `/products${query}`)
  const lists = { products: prebuilt, categories: CATEGORIES, collections }
  const browser = <ProductBrowser {...lists} total={total} />
  return { browser, cart, shop }
}

export async function openList(options: ListOptions = {}) {
  const list = await createList(options)
  return { ...list, ...render(list.browser) }
}

export function shownIds(): string[] {
  return screen
    .queryAllByRole('article')
    .map(article => within(article).getByRole('link').getAttribute('href')?.replace('/products/', '') ?? '')
}

export function radio(group: string, name: string): HTMLElement {
  return within(screen.getByRole('group', { name: group })).getByRole('radio', { name })
}

export function status(): string {
  return screen.getByRole('status').textContent ?? ''
}
