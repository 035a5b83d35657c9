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
/** The products of each category, the best rated first, and the place of each. */
const ranks = once(async () => {
  const groups = new Map<string, { products: Product[]; places: Map<string, number> }>()
  for (const product of (await products()).toSorted(betterRated)) {
    const group = groups.get(product.category) ?? { products: [], places: new Map<string, number>() }
    group.places.set(product.id, group.products.length)
    group.products.push(product)
    groups.set(product.category, group)
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

/**
 * The products that follow one in its category, from the best rated down and round again, those in stock before those
 * that are out. So each product is shown with others, not everywhere the same few, and a new price concerns few pages.
 */
export const getRelated = read('related', async (id: string, most: number): Promise<Offer[]> => {
  const { category } = found((await productById()).get(id), `product ${id}`)
  const { products, places } = found((await ranks()).get(category), `category ${category}`)
  const place = found(places.get(id), `product ${id}`)
  const chosen: Product[] = []
  for (const inStock of [true, false]) {
    for (let step = 1; step < products.length && chosen.length < most; step++) {
      const other = products[(place + step) % products.length]
      if (other && other.stock > 0 === inStock) chosen.push(other)
    }
  }
  return offers(chosen)
})

/** The best rated products that are in stock. */
export const getBestsellers = read('bestsellers', async (most: number): Promise<Offer[]> => {
  const best = (await products()).filter(({ stock }) => stock > 0).toSorted(betterRated)
  return offers(best.slice(0, most))
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

function betterRated(a: Product, b: Product): number {
  return b.rating - a.rating || a.id.localeCompare(b.id)
}

function found<Item>(item: Item | undefined, what: string): Item {
  if (item === undefined) throw new Error(`The API knows no ${what}`)
  return item
}
