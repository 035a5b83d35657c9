import {
  sortProducts,
  toCardId,
  toCardProducts,
  toCards,
  type CardProduct,
  type CollectionLink,
  type Offer
} from '#lib/catalog/cards.ts'
import { DEFAULT_SORT } from '#lib/constants.ts'
import type { Product, SitePicture } from '#lib/contract/catalog.ts'
import type { Collection } from '#lib/contract/collections.ts'
import type { DiscountedProduct } from '#lib/contract/promotions.ts'
import { text } from '#lib/contract/texts.ts'
import type { StockLevel } from '#lib/contract/names.ts'
import { highestDraw } from '#lib/catalog/deal-view.ts'
import { findShipping, type Shipping } from '#lib/delivery/terms.ts'
import { groupBy } from '#lib/group-by.ts'
import { compareSizes, formatPack, toStockLevel } from '#lib/product.ts'
import { derived, trackedRead, type Site } from './reads.ts'

export const getDeals = trackedRead('deals', ({ deals }): DiscountedProduct[] => deals)

export const getDeal = trackedRead(
  'deal',
  ({ deals }, productId: string): { percent: number; endTime: string } | undefined => {
    const deal = deals.find(({ product }) => product._id === productId)
    return deal && { percent: highestDraw(deal.discountPercentage), endTime: deal.endTime }
  }
)

const productsById = derived(
  ({ products }) => new Map(products.map(product => [product.id, product]))
)
const BESTSELLERS = text('Our Bestsellers')
/** Bestsellers that are shown large, with a second picture. */
const LARGE = 2
const cardProducts = derived(({ products }) => toCardProducts(products))
const cards = derived(site => toCards(cardProducts(site)))
/** Each pack size of a product has the product's card. */
const cardsById = derived(
  site =>
    new Map(cards(site).flatMap(card => (card.sizes ?? [card.id]).map(id => [id, card] as const)))
)
/**
 * Circular lists of cards, from which a product's page takes those after its own: each collection,
 * the cards in none, so that a pickle is not beside wedding gifts, and all cards.
 */
const rings = derived(site => {
  const rankings = groupBy(cards(site).toSorted(compareByRating), ({ category }) => category)
  const rank = (card: CardProduct) => rankings.get(card.category)?.indexOf(card) ?? 0
  // The best of each category, then the second of each, and so on.
  const all = cards(site).toSorted(
    (a, b) => rank(a) - rank(b) || a.category.localeCompare(b.category)
  )
  const collections = site.collections.map(({ products }) => findCards(site, products))
  const collected = new Set(collections.flat())
  return { collections, others: [all.filter(card => !collected.has(card)), all] }
})
const families = derived(({ products }) => groupBy(products, ({ family }) => family?.id))

export const getProduct = trackedRead('product', findProduct)

export const getProductIdsIn = trackedRead(
  'products-in',
  ({ products }, ...categories: string[]): string[] =>
    products.filter(({ category }) => categories.includes(category)).map(({ id }) => id)
)

/**
 * Products of the same collections, then of categories that the collections combine. Each product
 * appears on few pages, so that a price change affects few pages: a page chooses from the cards
 * that follow its own.
 */
export const getRelated = trackedRead('related', (site, id: string, count: number): Offer[] => {
  const card = assertFound(cardsById(site).get(id), `product ${id}`)
  const { collections, others } = rings(site)
  const isIn = (category: string, ring: CardProduct[]) =>
    ring.some(each => each.category === category)
  const combines = (ring: CardProduct[]) => isIn(card.category, ring)
  const isCombined = collections.some(combines)
  const distance = ({ category }: CardProduct) => {
    if (category === card.category) return 1
    const fits = isCombined
      ? collections.some(ring => combines(ring) && isIn(category, ring))
      : !collections.some(ring => isIn(category, ring))
    return fits ? 0 : 2
  }
  const nearby = [...collections, ...others].flatMap(ring => {
    const position = ring.indexOf(card)
    if (position < 0) return []
    const next = [...ring.slice(position + 1), ...ring.slice(0, position)]
    const fitting = next.filter(other => distance(other) < 2).slice(0, 2 * count)
    const closest = fitting.toSorted((a, b) => distance(a) - distance(b))
    return [...closest, ...next.slice(0, count)]
  })
  const inStock = nearby.filter(isInStock)
  return toOffers(site, [...new Set([...inStock, ...nearby])].slice(0, count))
})

/** Those that the owner has chosen, else those sold most often, else any products. */
export const getBestsellers = trackedRead(
  'bestsellers',
  (site, count: number): { title: string; offers: Offer[] } => {
    const chosen = findCards(site, site.shop.home.bestsellers)
    if (chosen.length > 0) return { title: BESTSELLERS, offers: toOffers(site, chosen, LARGE) }
    const sold = findCards(site, site.bestsellers).filter(isInStock)
    const others = cards(site).filter(isInStock).toSorted(compareByRating)
    const best = [...new Set([...sold, ...others])].slice(0, count)
    const isKnown = sold.length > 0 || best.some(({ rating }) => rating > 0)
    return {
      title: isKnown ? BESTSELLERS : text('Our Products'),
      offers: toOffers(site, best, LARGE)
    }
  }
)

export const getOffers = trackedRead('offers', (site, ...ids: string[]): Offer[] =>
  toOffers(site, findCards(site, ids))
)

const sizesByCard = derived(site => groupBy(cardProducts(site), toCardId))

/** In each product's size of the list, which the owner has chosen. */
export const getBox = trackedRead('box', (site, ...ids: string[]) =>
  findCards(site, ids).flatMap(card => {
    const sizes =
      sizesByCard(site)
        .get(toCardId(card))
        ?.toSorted((a, b) => a.price - b.price) ?? []
    const chosen = ids.flatMap(id => sizes.find(size => size.id === id) ?? []).slice(0, 1)
    return chosen.map(size => ({ chosen: size, sizes }))
  })
)

/** Leaves out hidden products. Pack sizes of one product have one card. */
function findCards(site: Site, ids: readonly string[]): CardProduct[] {
  return [...new Set(ids.flatMap(id => cardsById(site).get(id) ?? []))]
}

/** Those with products. Without a picture of its own, one has that of its first product. */
export const getCategories = trackedRead('shown-categories', site => {
  const onDeal = new Set(site.deals.map(({ product }) => product.picture?.key))
  return site.shop.categories.flatMap(
    ({ name, label, labelTamil, description, hidden, picture }) => {
      const products = site.products.filter(({ category }) => category === name)
      if (hidden || products.length === 0) return []
      const own = site.pictures.find(each => each.name === picture)
      const [first] = products.flatMap(({ pictures }) => pictures)
      const best = products
        .toSorted(compareByRating)
        .find(({ pictures }) => pictures.length > 1 && !pictures.some(({ key }) => onDeal.has(key)))
      // A second view of a product without a deal, so that home shows no picture twice.
      const secondPicture = best?.pictures.at(-1) ?? own ?? first
      return [{ name, label, labelTamil, description, picture: own ?? first, secondPicture }]
    }
  )
})

export interface Size extends Pick<Product, 'id' | 'quantity' | 'price'> {
  stock: StockLevel
}

export const getSizes = trackedRead('sizes', (site, productId: string): Size[] => {
  const { family } = findProduct(site, productId)
  const sizes = (family && families(site).get(family.id)) ?? []
  if (sizes.length < 2) return []
  return sizes
    .toSorted(compareSizes)
    .map(({ id, quantity, price, stock }) => ({ id, quantity, price, stock: toStockLevel(stock) }))
})

export const getShipping = trackedRead(
  'shipping',
  (site, productId: string): Shipping | undefined =>
    findShipping(site.shop, findProduct(site, productId))
)

export const getCollectionLinks = trackedRead(
  'collection-links',
  ({ collections }): CollectionLink[] =>
    collections.map(({ id, name, nameTamil }) => ({ id, name, nameTamil }))
)

/** A collection without a picture of its own has that of its first product. */
export const getCollections = trackedRead('collections', site =>
  site.collections.map(({ id, name, nameTamil, products, picture }) => ({
    ...{ id, name, nameTamil },
    picture: picture ?? productsById(site).get(products[0] ?? '')?.pictures[0],
    count: findCards(site, products).length
  }))
)

export const getCollection = trackedRead('collection', ({ collections }, id: string): Collection =>
  assertFound(
    collections.find(collection => collection.id === id),
    `collection ${id}`
  )
)

/** `products` are all pack sizes of the first cards. */
export const getListing = trackedRead('listing', (site, cardCount: number) => {
  const sizesOf = ({ id }: CardProduct): CardProduct[] => sizesByCard(site).get(id) ?? []
  const sorted = sortProducts(cards(site), DEFAULT_SORT)
  return {
    products: sorted.slice(0, cardCount).flatMap(sizesOf),
    total: sorted.length,
    links: sorted.flatMap(sizesOf).map(({ id, name, category, quantity, sizes }) => ({
      id,
      name: sizes ? `${name}, ${formatPack(quantity)}` : name,
      category
    }))
  }
})

export const getPicture = trackedRead(
  'picture',
  ({ pictures }, name: string): SitePicture | undefined =>
    pictures.find(picture => picture.name === name)
)

function findProduct(site: Site, id: string): Product {
  return assertFound(productsById(site).get(id), `product ${id}`)
}

function toOffers(site: Site, chosen: readonly CardProduct[], largeCount = 0): Offer[] {
  return chosen.map((product, index) => {
    const deal = site.deals.find(each => each.product._id === product._id)
    const { pictures } = findProduct(site, product.id)
    return {
      product,
      deal: deal && highestDraw(deal.discountPercentage),
      ...(index < largeCount && { secondPicture: pictures[1] })
    }
  })
}

function isInStock({ stock }: CardProduct) {
  return stock !== 'out'
}

type Rated = Pick<CardProduct, 'id' | 'rating'>

function compareByRating(a: Rated, b: Rated) {
  return b.rating - a.rating || a.id.localeCompare(b.id)
}

function assertFound<Item>(item: Item | undefined, label: string): Item {
  if (item === undefined) throw new Error(`The API has no ${label}`)
  return item
}
