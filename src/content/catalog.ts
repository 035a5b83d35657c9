import { DEFAULT_FILTERS, sortProducts, toCardProduct, type CardProduct } from '#lib/catalog-filter.ts'
import type { Product, SitePicture } from '#lib/contract/catalog.ts'
import { SiteContent } from '#lib/contract/content.ts'
import type { DiscountedProduct } from '#lib/contract/deals.ts'
import { createFetcher, memoize, trackedRead } from './reads.ts'

/** One call reads everything, so that a product of a deal or a link is never missing. */
export const fetchSiteContent = createFetcher('GET /site-content', SiteContent)

const loadDealsByProduct = memoize(async () => {
  // If a product has several deals, its first deal must stay in the Map. Later entries replace earlier ones, so the
  // list is reversed.
  const lastFirst = (await fetchSiteContent()).deals.toReversed()
  return new Map(lastFirst.map(deal => [deal.product._id, deal]))
})

/** Returns the deals that are running when the site is published. */
export const getDeals = trackedRead('deals', async (): Promise<DiscountedProduct[]> => (await fetchSiteContent()).deals)

export const getDeal = trackedRead('deal', async (productId: string): Promise<DiscountedProduct | undefined> => {
  return (await loadDealsByProduct()).get(productId)
})

export interface Offer {
  product: CardProduct
  /** Discount of the running deal, in percent. */
  deal: number | undefined
}

interface Listing {
  cards: CardProduct[]
  all: Pick<CardProduct, 'id' | 'name' | 'category'>[]
}

const loadProducts = async (): Promise<Product[]> => (await fetchSiteContent()).products
const loadProductsById = memoize(async () => new Map((await loadProducts()).map(product => [product.id, product])))
const loadCategoryGroups = memoize(async () => {
  const groups = new Map<string, { products: Product[]; positions: Map<string, number> }>()
  for (const product of (await loadProducts()).toSorted(compareByRating)) {
    const group = groups.get(product.category) ?? { products: [], positions: new Map<string, number>() }
    group.positions.set(product.id, group.products.length)
    group.products.push(product)
    groups.set(product.category, group)
  }
  return groups
})

export async function listProductIds(): Promise<string[]> {
  return (await loadProducts()).map(({ id }) => id)
}

export const getProduct = trackedRead('product', async (id: string): Promise<Product> => {
  return assertFound((await loadProductsById()).get(id), `product ${id}`)
})

/**
 * Returns the products after product `id` in its category's ranking, in-stock products first, and wraps around at the
 * end. A price change then affects few pages, because each product appears on few pages.
 */
export const getRelated = trackedRead('related', async (id: string, count: number): Promise<Offer[]> => {
  const { category } = assertFound((await loadProductsById()).get(id), `product ${id}`)
  const { products, positions } = assertFound((await loadCategoryGroups()).get(category), `category ${category}`)
  const position = assertFound(positions.get(id), `product ${id}`)
  const chosen: Product[] = []
  for (const inStock of [true, false]) {
    for (let step = 1; step < products.length && chosen.length < count; step++) {
      const other = products[(position + step) % products.length]
      if (other && other.stock > 0 === inStock) chosen.push(other)
    }
  }
  return toOffers(chosen)
})

export const getBestsellers = trackedRead('bestsellers', async (count: number): Promise<Offer[]> => {
  const best = (await loadProducts()).filter(({ stock }) => stock > 0).toSorted(compareByRating)
  return toOffers(best.slice(0, count))
})

/** Leaves out products that are hidden or no longer exist. */
export const getOffers = trackedRead('offers', async (...ids: string[]): Promise<Offer[]> => {
  const byId = await loadProductsById()
  return toOffers(ids.flatMap(id => byId.get(id) ?? []))
})

export const getListing = trackedRead('listing', async (cardCount: number): Promise<Listing> => {
  const sorted = sortProducts((await loadProducts()).map(toCardProduct), DEFAULT_FILTERS.sort)
  return { cards: sorted.slice(0, cardCount), all: sorted.map(({ id, name, category }) => ({ id, name, category })) }
})

/** Finds a picture by the name that a setting contains. Returns undefined if the owner has chosen no picture. */
export const getPicture = trackedRead('picture', async (name: string): Promise<SitePicture | undefined> => {
  return (await fetchSiteContent()).pictures.find(picture => picture.name === name)
})

async function toOffers(chosen: readonly Product[]): Promise<Offer[]> {
  const deals = await loadDealsByProduct()
  return chosen.map(product => ({ product: toCardProduct(product), deal: deals.get(product._id)?.discountPercentage }))
}

function compareByRating(a: Product, b: Product): number {
  return b.rating - a.rating || a.id.localeCompare(b.id)
}

function assertFound<Item>(item: Item | undefined, label: string): Item {
  if (item === undefined) throw new Error(`The API has no ${label}`)
  return item
}
