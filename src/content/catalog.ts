import {
  sortProducts,
  toCardId,
  toCardProducts,
  toCards,
  type CardProduct,
  type CollectionLink
} from '#lib/catalog-filter.ts'
import { DEFAULT_SORT } from '#lib/constants.ts'
import type { Product, SitePicture } from '#lib/contract/catalog.ts'
import type { Collection } from '#lib/contract/collections.ts'
import type { DiscountedProduct } from '#lib/contract/deals.ts'
import type { Picture } from '#lib/contract/values.ts'
import { highestDraw } from '#lib/deal-view.ts'
import { groupBy } from '#lib/group-by.ts'
import { compareSizes, formatPack, toStockLevel } from '#lib/product.ts'
import type { StockLevel } from '#lib/contract/names.ts'
import { fetchSiteContent, memoize, trackedRead } from './reads.ts'

export const getDeals = trackedRead(
  'deals',
  async (): Promise<DiscountedProduct[]> => (await fetchSiteContent()).deals
)

export const getDeal = trackedRead(
  'deal',
  async (productId: string): Promise<{ percent: number; endTime: string } | undefined> => {
    const { deals } = await fetchSiteContent()
    const deal = deals.find(({ product }) => product._id === productId)
    return deal && { percent: highestDraw(deal.discountPercentage), endTime: deal.endTime }
  }
)

export interface Offer {
  product: CardProduct
  /** Discount of the running deal, in percent. */
  deal: number | undefined
}

interface Listing {
  /** All pack sizes of the first cards. */
  products: CardProduct[]
  total: number
  links: Pick<CardProduct, 'id' | 'name' | 'category'>[]
}

const loadProducts = async (): Promise<Product[]> => (await fetchSiteContent()).products
const loadProductsById = memoize(
  async () => new Map((await loadProducts()).map(product => [product.id, product]))
)
const loadCardProducts = memoize(async () => toCardProducts(await loadProducts()))
const loadCards = memoize(async () => toCards(await loadCardProducts()))
/** Each pack size of a product has the product's card. */
const loadCardsById = memoize(
  async () =>
    new Map(
      (await loadCards()).flatMap(card => (card.sizes ?? [card.id]).map(id => [id, card] as const))
    )
)
const loadRankings = memoize(async () =>
  groupBy((await loadCards()).toSorted(compareByRating), ({ category }) => category)
)
const loadFamilies = memoize(async () => groupBy(await loadProducts(), ({ family }) => family?.id))

export async function listProductIds(): Promise<string[]> {
  return (await loadProducts()).map(({ id }) => id)
}

export const getProduct = trackedRead('product', async (id: string): Promise<Product> => {
  return assertFound((await loadProductsById()).get(id), `product ${id}`)
})

export const getProductIdsIn = trackedRead(
  'products-in',
  async (...categories: string[]): Promise<string[]> => {
    const products = (await loadProducts()).filter(({ category }) => categories.includes(category))
    return products.map(({ id }) => id)
  }
)

/** Each product appears on few pages, so that a price change affects few pages. */
export const getRelated = trackedRead(
  'related',
  async (id: string, count: number): Promise<Offer[]> => {
    const card = assertFound((await loadCardsById()).get(id), `product ${id}`)
    const ranking = assertFound(
      (await loadRankings()).get(card.category),
      `category ${card.category}`
    )
    const position = ranking.indexOf(card)
    const chosen: CardProduct[] = []
    for (const inStock of [true, false]) {
      for (let step = 1; step < ranking.length && chosen.length < count; step++) {
        const other = ranking[(position + step) % ranking.length]
        if (other && (other.stock !== 'out') === inStock) chosen.push(other)
      }
    }
    return toOffers(chosen)
  }
)

export const getBestsellers = trackedRead(
  'bestsellers',
  async (count: number): Promise<Offer[]> => {
    const best = (await loadCards())
      .filter(({ stock }) => stock !== 'out')
      .toSorted(compareByRating)
    return toOffers(best.slice(0, count))
  }
)

/** Leaves out hidden products. Pack sizes of one product have one offer. */
export const getOffers = trackedRead('offers', async (...ids: string[]): Promise<Offer[]> => {
  const byId = await loadCardsById()
  return toOffers([...new Set(ids.flatMap(id => byId.get(id) ?? []))])
})

export interface Size extends Pick<Product, 'id' | 'quantity' | 'price'> {
  stock: StockLevel
}

export const getSizes = trackedRead('sizes', async (id: string): Promise<Size[]> => {
  const { family } = assertFound((await loadProductsById()).get(id), `product ${id}`)
  const sizes = (family && (await loadFamilies()).get(family.id)) ?? []
  if (sizes.length < 2) return []
  return sizes.toSorted(compareSizes).map(size => ({
    id: size.id,
    quantity: size.quantity,
    price: size.price,
    stock: toStockLevel(size.stock)
  }))
})

export async function listCollectionIds(): Promise<string[]> {
  return (await fetchSiteContent()).collections.map(({ id }) => id)
}

export const getCollectionLinks = trackedRead(
  'collection-links',
  async (): Promise<CollectionLink[]> => {
    return (await fetchSiteContent()).collections.map(({ id, name, nameTamil }) => ({
      id,
      name,
      nameTamil
    }))
  }
)

interface CollectionTile extends CollectionLink, Pick<Collection, 'description'> {
  picture: Picture | undefined
}

/** A collection without a picture of its own has that of its first product. */
export const getCollections = trackedRead('collections', async (): Promise<CollectionTile[]> => {
  const byId = await loadProductsById()
  return (await fetchSiteContent()).collections.map(({ products, picture, ...texts }) => ({
    ...texts,
    picture: picture ?? byId.get(products[0] ?? '')?.pictures[0]
  }))
})

export const getCollection = trackedRead('collection', async (id: string): Promise<Collection> => {
  const { collections } = await fetchSiteContent()
  return assertFound(
    collections.find(collection => collection.id === id),
    `collection ${id}`
  )
})

export const getListing = trackedRead('listing', async (cardCount: number): Promise<Listing> => {
  const byCard = groupBy(await loadCardProducts(), toCardId)
  const sizesOf = ({ id }: CardProduct): CardProduct[] => byCard.get(id) ?? []
  const cards = sortProducts(await loadCards(), DEFAULT_SORT)
  return {
    products: cards.slice(0, cardCount).flatMap(sizesOf),
    total: cards.length,
    links: cards.flatMap(sizesOf).map(({ id, name, category, quantity, sizes }) => ({
      id,
      name: sizes ? `${name}, ${formatPack(quantity)}` : name,
      category
    }))
  }
})

export const getPicture = trackedRead(
  'picture',
  async (name: string): Promise<SitePicture | undefined> => {
    return (await fetchSiteContent()).pictures.find(picture => picture.name === name)
  }
)

async function toOffers(chosen: readonly CardProduct[]): Promise<Offer[]> {
  const { deals } = await fetchSiteContent()
  return chosen.map(product => {
    const deal = deals.find(each => each.product._id === product._id)
    return { product, deal: deal && highestDraw(deal.discountPercentage) }
  })
}

function compareByRating(a: CardProduct, b: CardProduct): number {
  return b.rating - a.rating || a.id.localeCompare(b.id)
}

function assertFound<Item>(item: Item | undefined, label: string): Item {
  if (item === undefined) throw new Error(`The API has no ${label}`)
  return item
}
