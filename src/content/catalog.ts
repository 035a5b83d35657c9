import * as z from 'zod/mini'
import { DEFAULT_FILTERS, sortProducts, toCard, type CardProduct } from '#lib/catalog-filter.ts'
import { Product, SitePicture } from '#lib/contract/catalog.ts'
import { shownStock } from '#lib/stock.ts'
import { percentOf } from './deals.ts'
import { read } from './reads.ts'
import { once, reads } from './source.ts'

/** What a product card shows: the product, and the percent of its running deal. */
export interface Offer {
  product: CardProduct
  deal: number | undefined
}

/** What the product list shows: its first cards, and every product by name. */
export interface Listing {
  cards: CardProduct[]
  all: Pick<CardProduct, 'id' | 'name' | 'category'>[]
}

const fetchProducts = reads('GET /products', z.array(Product))
const fetchPictures = reads('GET /pictures', z.array(SitePicture))

const products = once(async () =>
  (await fetchProducts()).map(product => ({ ...product, stock: shownStock(product.stock) }))
)
const productById = once(async () => new Map((await products()).map(product => [product.id, product])))
const bestFirst = once(async () => byRating(await products()))
const bestByCategory = once(async () => {
  const groups = new Map<string, Product[]>()
  for (const product of await bestFirst()) {
    const group = groups.get(product.category)
    if (group) group.push(product)
    else groups.set(product.category, [product])
  }
  return groups
})

/** The id of every product, in the API's order. */
export async function listProductIds(): Promise<string[]> {
  return (await products()).map(({ id }) => id)
}

/** One product. Throws when the API has none of this id: a page was asked for that nothing lists. */
export const getProduct = read('product', async (id: string): Promise<Product> => {
  return found((await productById()).get(id), `product ${id}`)
})

/** Products of the same category, the best rated first, those in stock before those that are out. */
export const getRelated = read('related', async (id: string, most: number): Promise<Offer[]> => {
  const { category } = found((await productById()).get(id), `product ${id}`)
  const best = (await bestByCategory()).get(category) ?? []
  const others = best.slice(0, most + 1).filter(other => other.id !== id)
  return offers(others.slice(0, most))
})

/** The best rated products that are in stock. */
export const getBestsellers = read('bestsellers', async (most: number): Promise<Offer[]> => {
  const best = await bestFirst()
  return offers(best.filter(({ stock }) => stock > 0).slice(0, most))
})

/** The product list as it opens, with so many cards. */
export const getListing = read('listing', async (most: number): Promise<Listing> => {
  const sorted = sortProducts((await products()).map(toCard), DEFAULT_FILTERS.sort)
  return { cards: sorted.slice(0, most), all: sorted.map(({ id, name, category }) => ({ id, name, category })) }
})

/** A picture that belongs to no product, by the name under which `shop.json` and the pages know it. */
export const getPicture = read('picture', async (name: string): Promise<SitePicture> => {
  const bare = name.replace(/\.jpg$/, '')
  return found(
    (await fetchPictures()).find(picture => picture.name === bare),
    `picture ${name}`
  )
})

function offers(chosen: readonly Product[]): Promise<Offer[]> {
  return Promise.all(chosen.map(async product => ({ product: toCard(product), deal: await percentOf(product.id) })))
}

function byRating(products: readonly Product[]): Product[] {
  return products.toSorted(
    (a, b) => Number(b.stock > 0) - Number(a.stock > 0) || b.rating - a.rating || a.id.localeCompare(b.id)
  )
}

function found<Item>(item: Item | undefined, what: string): Item {
  if (item === undefined) throw new Error(`The API knows no ${what}`)
  return item
}
