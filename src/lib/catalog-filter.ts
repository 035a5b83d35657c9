import {
  DIETARY_CHOICES,
  PRICE_RANGES,
  SORTS,
  type CategoryName,
  type DietaryChoice,
  type PriceRangeId,
  type SortId
} from './constants.ts'
import type { Product } from './contract/catalog.ts'
import type { Picture } from './contract/values.ts'
import { stockWord, type StockWord } from './stock.ts'
import type { CartProduct } from './stores/cart-line.ts'

/** What a product card shows and the filters look at: a product without what only its own page needs. */
export type CardProduct = Pick<
  Product,
  | '_id'
  | 'id'
  | 'name'
  | 'nameTamil'
  | 'description'
  | 'price'
  | 'image'
  | 'category'
  | 'dietary'
  | 'rating'
  | 'quantity'
> & { picture?: Picture; stock: StockWord }

export function toCard(product: Product): CardProduct {
  const { _id, id, name, nameTamil, description, price, image, category, dietary, rating, quantity } = product
  const [picture] = product.pictures
  return {
    ...{ _id, id, name, nameTamil, description, price, image, category, dietary, rating, quantity },
    stock: stockWord(product.stock),
    ...(picture && { picture })
  }
}

export function cardToCart({ _id, name, price, image, picture, quantity }: CardProduct): CartProduct {
  return { _id, name, price, image, ...(picture && { picture }), packSize: quantity }
}

export interface Filters {
  category: CategoryName | 'all'
  /** As typed, without the spaces around and with single ones between words. */
  q: string
  diet: DietaryChoice
  price: PriceRangeId
  sort: SortId
}

export const DEFAULT_FILTERS: Filters = { category: 'all', q: '', diet: 'all', price: 'all', sort: 'price-low' }

/** What matches every filter, in the chosen order. */
export function filterProducts<Card extends CardProduct>(products: readonly Card[], filters: Filters): Card[] {
  return sortProducts(
    products.filter(product => passes(product, filters)),
    filters.sort
  )
}

/** A sorted copy; equals go by name, so that the order never depends on the server's. */
export function sortProducts<Card extends CardProduct>(products: readonly Card[], sort: SortId): Card[] {
  return [...products].sort((a, b) => ORDERS[sort](a, b) || a.name.localeCompare(b.name, 'en'))
}

/** How many products a choice would leave, everything else staying as it is. */
export function countWith(products: readonly CardProduct[], filters: Filters, choice: Partial<Filters>): number {
  const changed = { ...filters, ...choice }
  return products.filter(product => passes(product, changed)).length
}

/** The filters of an address; what it does not have, or what does not exist here, is the default. */
export function filtersFromQuery(query: URLSearchParams, categories: readonly CategoryName[]): Filters {
  // A hand-written `price=701+` arrives with a space where the plus was.
  const price = query.get('price')?.replace(' ', '+')
  return {
    category: known(['all', ...categories], query.get('category'), DEFAULT_FILTERS.category),
    q: tidy(query.get('q') ?? ''),
    diet: known(DIETARY_CHOICES, query.get('diet'), DEFAULT_FILTERS.diet),
    price: known(ids(PRICE_RANGES), price, DEFAULT_FILTERS.price),
    sort: known(ids(SORTS), query.get('sort'), DEFAULT_FILTERS.sort)
  }
}

/** The other way: `category, q, diet, price, sort`, defaults left out. */
export function filtersToQuery(filters: Filters): URLSearchParams {
  const chosen = Object.entries(filters).filter(([name, value]) => value !== DEFAULT_FILTERS[name as keyof Filters])
  return new URLSearchParams(chosen)
}

/** Search text without the spaces around it, and with single ones inside. */
export function tidy(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

const ORDERS: Record<SortId, (a: CardProduct, b: CardProduct) => number> = {
  'price-low': (a, b) => a.price - b.price,
  'price-high': (a, b) => b.price - a.price,
  rating: (a, b) => b.rating - a.rating
}

function passes(product: CardProduct, { category, q, diet, price }: Filters): boolean {
  const { over, upTo } = PRICE_RANGES.find(({ id }) => id === price) ?? PRICE_RANGES[0]
  return (
    (category === 'all' || product.category === category) &&
    (diet === 'all' || product.dietary === diet) &&
    product.price > over &&
    product.price <= upTo &&
    matches(product, q)
  )
}

/** Every word somewhere in name, Tamil name or description: "halwa tirunelveli" finds what "tirunelveli halwa" does. */
function matches({ name, nameTamil, description }: CardProduct, q: string): boolean {
  const text = fold(`${name} ${nameTamil} ${description}`)
  return fold(q)
    .split(' ')
    .every(word => text.includes(word))
}

function fold(text: string): string {
  return tidy(text).normalize('NFC').toLowerCase()
}

function ids<Id extends string>(choices: readonly { id: Id }[]): Id[] {
  return choices.map(({ id }) => id)
}

function known<Choice extends string>(
  choices: readonly Choice[],
  value: string | null | undefined,
  otherwise: Choice
): Choice {
  return choices.find(choice => choice === value) ?? otherwise
}
