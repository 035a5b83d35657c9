import * as z from 'zod/mini'
import { DEFAULT_FILTERS, sortProducts, toCard, type CardProduct } from '#lib/catalog-filter.ts'
import { Product, SitePicture } from '#lib/contract/catalog.ts'
import { publishedStock } from '#lib/stock.ts'
import { dealPercent } from './deals.ts'
import { trackedRead } from './reads.ts'
import { memoize, fetcher } from './source.ts'

export interface Offer {
  product: CardProduct
  /** Percent. */
  deal: number | undefined
}

export interface Listing {
  cards: CardProduct[]
  all: Pick<CardProduct, 'id' | 'name' | 'category'>[]
}

const fetchProducts = fetcher('GET /products', z.array(Product))
const fetchPictures = fetcher('GET /pictures', z.array(SitePicture))

const products = memoize(async () =>
  (await fetchProducts()).map(product => ({ ...product, stock: publishedStock(product.stock) }))
)
const productById = memoize(async () => new Map((await products()).map(product => [product.id, product])))
const ranks = memoize(async () => {
  const groups = new Map<string, { products: Product[]; positions: Map<string, number> }>()
  for (const product of (await products()).toSorted(betterRated)) {
    const group = groups.get(product.category) ?? { products: [], positions: new Map<string, number>() }
    group.positions.set(product.id, group.products.length)
    group.products.push(product)
    groups.set(product.category, group)
  }
  return groups
})

export async function listProductIds(): Promise<string[]> {
  return (await products()).map(({ id }) => id)
}

export const getProduct = trackedRead('product', async (id: string): Promise<Product> => {
  return required((await productById()).get(id), `product ${id}`)
})

/**
 * The next products of the same category by rating, wrapping around, those in stock first. Each product appears on few
 * pages, so a price change republishes few pages.
 */
export const getRelated = trackedRead('related', async (id: string, count: number): Promise<Offer[]> => {
  const { category } = required((await productById()).get(id), `product ${id}`)
  const { products, positions } = required((await ranks()).get(category), `category ${category}`)
  const position = required(positions.get(id), `product ${id}`)
  const chosen: Product[] = []
  for (const inStock of [true, false]) {
    for (let step = 1; step < products.length && chosen.length < count; step++) {
      const other = products[(position + step) % products.length]
      if (other && other.stock > 0 === inStock) chosen.push(other)
    }
  }
  return offers(chosen)
})

export const getBestsellers = trackedRead('bestsellers', async (count: number): Promise<Offer[]> => {
  const best = (await products()).filter(({ stock }) => stock > 0).toSorted(betterRated)
  return offers(best.slice(0, count))
})

export const getListing = trackedRead('listing', async (cardCount: number): Promise<Listing> => {
  const sorted = sortProducts((await products()).map(toCard), DEFAULT_FILTERS.sort)
  return { cards: sorted.slice(0, cardCount), all: sorted.map(({ id, name, category }) => ({ id, name, category })) }
})

/** A picture by its name in `shop.json`, with or without `.jpg`. */
export const getPicture = trackedRead('picture', async (name: string): Promise<SitePicture> => {
  const baseName = name.replace(/\.jpg$/, '')
  return required(
    (await fetchPictures()).find(picture => picture.name === baseName),
    `picture ${name}`
  )
})

function offers(chosen: readonly Product[]): Promise<Offer[]> {
  return Promise.all(chosen.map(async product => ({ product: toCard(product), deal: await dealPercent(product.id) })))
}

function betterRated(a: Product, b: Product): number {
  return b.rating - a.rating || a.id.localeCompare(b.id)
}

function required<Item>(item: Item | undefined, label: string): Item {
  if (item === undefined) throw new Error(`The API has no ${label}`)
  return item
}
