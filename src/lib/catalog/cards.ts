import { toCartProduct, type CartProduct } from '../cart/line.ts'
import type { SortId } from '../constants.ts'
import type { Product } from '../contract/catalog.ts'
import type { Collection } from '../contract/collections.ts'
import { toSearchText } from '../contract/formats.ts'
import type { Picture } from '../contract/values.ts'
import { groupBy } from '../group-by.ts'
import { compareSizes, toStockLevel } from '../product.ts'
import type { StockLevel } from '../contract/names.ts'

/** Not on cards. */
const DETAILS = [
  ...(['pictures', 'extraImages', 'ingredients', 'shelfLife', 'family'] as const),
  ...(['cookedToOrder', 'allergens', 'nutrition', 'localOnly', 'extraLeadDays'] as const)
]
type Detail = (typeof DETAILS)[number]

export type CardProduct = Omit<Product, 'stock' | Detail> & {
  picture?: Picture | undefined
  stock: StockLevel
  /** Ids of all pack sizes, if several, first the shown one. */
  sizes?: string[]
}

/** A product's card, with the percentage of its running deal. */
export interface Offer {
  product: CardProduct
  deal: number | undefined
  secondPicture?: Picture | undefined
}

function toCardProduct(product: Product): CardProduct {
  const shown = Object.entries(product).filter(([name]) => !DETAILS.some(each => each === name))
  const card = Object.fromEntries(shown) as Omit<Product, Detail>
  const [picture] = product.pictures
  return { ...card, stock: toStockLevel(product.stock), ...(picture && { picture }) }
}

/** Pack sizes stand together, first the cheapest one in stock. */
export function toCardProducts(products: readonly Product[]): CardProduct[] {
  return [
    ...groupBy(products, ({ id, family }) => (family ? `family ${family.id}` : id)).values()
  ].flatMap(group => {
    const cards = group.toSorted(compareForCard).map(toCardProduct)
    if (cards.length === 1) return cards
    // Only the first one depends on stock and prices, so that these change few pages.
    const sizes = [...new Set([...cards.slice(0, 1), ...group].map(({ id }) => id))]
    const rating = Math.max(...cards.map(card => card.rating))
    return cards.map(card => ({ ...card, rating, sizes }))
  })
}

function compareForCard(a: Product, b: Product) {
  return Number(b.stock > 0) - Number(a.stock > 0) || a.price - b.price || compareSizes(a, b)
}

type Sized = Pick<CardProduct, 'id' | 'sizes'>

export function toCards<Card extends Sized>(products: readonly Card[]): Card[] {
  return [...groupBy(products, toCardId).values()].flatMap(sizes => sizes.slice(0, 1))
}

export function toCardId({ id, sizes: [first = id] = [] }: Sized): string {
  return first
}

export function isLowestPrice({ id, sizes }: Sized): boolean {
  return sizes?.[0] === id
}

export interface SearchCard extends CardProduct {
  ingredients: readonly string[]
}

export function toSearchCards(products: readonly Product[]): SearchCard[] {
  const byId = new Map(products.map(product => [product.id, product]))
  return toCardProducts(products).map(card => ({
    ...card,
    ingredients: byId.get(card.id)?.ingredients ?? []
  }))
}

/** Without the picture's text, because the cart names the product beside it. */
export function cardToCartProduct({ picture, ...card }: CardProduct): CartProduct {
  return toCartProduct({
    ...card,
    picture: picture && { ...picture, alt: '' },
    packSize: card.quantity
  })
}

export function sortProducts<Card extends CardProduct>(
  products: readonly Card[],
  sort: SortId
): Card[] {
  return [...products].sort((a, b) => COMPARATORS[sort](a, b) || a.name.localeCompare(b.name, 'en'))
}

const COMPARATORS: Record<SortId, (a: CardProduct, b: CardProduct) => number> = {
  'price-low': (a, b) => a.price - b.price,
  'price-high': (a, b) => b.price - a.price,
  rating: (a, b) => b.rating - a.rating
}

/** 2: in the name, 1: in the description. `typed` must be a search text. */
export function textRank(
  { name, nameTamil, description }: Pick<CardProduct, 'name' | 'nameTamil' | 'description'>,
  typed: string
): 0 | 1 | 2 {
  if (toSearchText(name).includes(typed) || toSearchText(nameTamil).includes(typed)) return 2
  return toSearchText(description).includes(typed) ? 1 : 0
}

export type CollectionLink = Pick<Collection, 'id' | 'name' | 'nameTamil'>

export function hasWords(
  { name, nameTamil, description = '' }: { name: string; nameTamil: string; description?: string },
  words: readonly string[]
): boolean {
  const text = toSearchText(`${name} ${nameTamil} ${description}`)
  return words.every(word => text.includes(word))
}

export function listWords(q: string): string[] {
  return toSearchText(q).split(' ')
}
