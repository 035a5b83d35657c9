import { cleanup, render, screen, within } from '@testing-library/react'
import { cleanStores } from 'nanostores'
import { vi } from 'vitest'
import type { CardProduct, CollectionLink } from '#lib/catalog/cards.ts'
import type { Product } from '#lib/contract/catalog.ts'
import type { SearchData } from '#lib/contract/content.ts'
import { makeCard } from '../support/cards.ts'

export const CATEGORIES = Object.entries({
  powders: 'Powders',
  savouries: 'Savouries',
  pickles: 'Pickles',
  sweets: 'Sweets',
  seer_items: 'Seer Items'
}).map(([name, label]) => ({ name, label, labelTamil: '', description: `Our ${name}` }))

export const PRODUCTS = [
  makeCard('thattai', { name: 'Thattai', category: 'savouries', dietary: 'vegan', price: 90 }),
  makeCard('pickle', {
    name: 'Lemon Pickle',
    category: 'pickles',
    dietary: 'vegan',
    price: 145,
    stock: 'low'
  }),
  makeCard('pak', { name: 'Mysore Pak', price: 180, rating: 4.9 }),
  makeCard('halwa', {
    name: 'Tirunelveli Halwa',
    description: 'Wheat stirred in ghee.',
    price: 320,
    stock: 'out'
  })
]

export const SEARCH: SearchData = {
  categories: CATEGORIES,
  collections: [],
  synonyms: 'pickle, achar',
  bestsellers: [],
  contact: { phone: '+91 431 400 1234', whatsapp: '098765 43210' }
}

const sizes = ['pak', 'pak-1000']
/** Two pack sizes of one product. */
export const PAK_SIZES = [
  makeCard('pak', { name: 'Mysore Pak', price: 180, sizes }),
  makeCard('pak-1000', {
    ...{ name: 'Mysore Pak', description: 'Gram flour and ghee.', price: 680, sizes },
    quantity: { value: 1, unit: 'kg', type: 'weight' }
  })
]

export const PRODUCT_IDS = PRODUCTS.map(({ id }) => id)

export function makeCards(count: number): CardProduct[] {
  return Array.from({ length: count }, (_, index) => makeCard(`p${index}`, { price: index + 1 }))
}

/** Converts cards to the reply of `GET /products`. */
export function toReply(cards: readonly CardProduct[]): Product[] {
  return cards.map(({ picture, stock, sizes: [family] = [], ...rest }) => ({
    ...rest,
    ...(family !== undefined && { family: { id: family, position: 0 } }),
    stock: { in: 20, low: 3, out: 0 }[stock],
    pictures: picture ? [picture] : [],
    extraImages: [],
    ingredients: ['Rice'],
    shelfLife: '10 days'
  }))
}

type Reply = () => Response | Promise<Response>

interface ListOptions {
  query?: string
  prebuilt?: readonly CardProduct[]
  total?: number
  collections?: readonly CollectionLink[]
  /** The reply of `GET /products`. By default the request stays pending. */
  products?: Reply
  /**
   * The reply of `GET /search`. By default the request stays pending, and only literal words are
   * found.
   */
  search?: Reply
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
  const {
    query = '',
    prebuilt = PRODUCTS,
    total = prebuilt.length,
    collections = [],
    products,
    search
  } = options
  cleanUp()
  vi.resetModules()
  const { configureApi } = await import('#lib/api.ts')
  const reports: unknown[] = []
  const pending: Reply = () => new Promise<Response>(() => undefined)
  const shop = { products: products ?? pending, search: search ?? pending }
  configureApi({
    send: async (url, { body }) => {
      if (url.endsWith('/search/missed')) reports.push(JSON.parse(String(body)))
      if (url.endsWith('/products')) return shop.products()
      return url.endsWith('/search') ? shop.search() : Response.json({ products: [] })
    }
  })
  const { flushQuery } = await import('#islands/ui/history.ts')
  const { ProductBrowser } = await import('#islands/catalog/ProductBrowser.tsx')
  // The island loads these later. Here they are compiled first, which may take seconds.
  await Promise.all([import('#islands/catalog/NoResults.tsx'), import('#lib/search/search.ts')])
  const cart = await import('#lib/stores/cart.ts')
  cleanUp = () => {
    flushQuery()
    cleanStores(cart.$cart)
  }
  // After the imports, because late replies of an earlier page in this window can change the URL
  // while they are loaded.
  history.replaceState(null, '', `/products${query}`)
  const lists = { products: prebuilt, categories: CATEGORIES, collections }
  const browser = <ProductBrowser {...lists} total={total} />
  return { browser, cart, shop, reports }
}

export async function openList(options: ListOptions = {}) {
  const list = await createList(options)
  return { ...list, ...render(list.browser) }
}

export function shownIds(): string[] {
  return screen
    .queryAllByRole('article')
    .map(
      article =>
        within(article).getByRole('link').getAttribute('href')?.replace('/products/', '') ?? ''
    )
}

export function radio(group: string, name: string): HTMLElement {
  return within(screen.getByRole('group', { name: group })).getByRole('radio', { name })
}

export function status(): string {
  return screen.getByRole('status').textContent ?? ''
}
