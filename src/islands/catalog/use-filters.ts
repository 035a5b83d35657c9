import { useMemo } from 'react'
import {
  hasWords,
  listWords,
  sortProducts,
  textRank,
  toCards,
  type CardProduct,
  type CollectionLink
} from '#lib/catalog/cards.ts'
import { toOneLine, toSearchText } from '#lib/contract/formats.ts'
import {
  DEFAULT_SORT,
  DIETARY_CHOICES,
  PRICE_RANGES,
  SORTS,
  type DietaryChoice,
  type PriceRangeId,
  type SortId
} from '#lib/constants.ts'
import { DIETARY_LABELS } from '#lib/messages.ts'
import { currentQuery, pushQuery, replaceQuery, useQuery } from '../ui/history.ts'

export interface Filters {
  category: string
  q: string
  diet: DietaryChoice
  price: PriceRangeId
  /** 'best': the best match of the search first. */
  sort: SortId | 'best'
}

export const DEFAULT_FILTERS: Filters = {
  category: 'all',
  q: '',
  diet: 'all',
  price: 'all',
  sort: 'best'
}

export interface Category {
  name: string
  label: string
}

export interface DescribedCategory extends Category {
  labelTamil: string
  description: string
}

export function useFilters(categories: readonly Category[]) {
  const query = useQuery()
  const parse = (text: string): Filters =>
    parseFilters(
      new URLSearchParams(text),
      categories.map(({ name }) => name)
    )
  const filters = useMemo(() => parse(query), [query, categories])
  return {
    filters,
    changeFilters: (choice: Partial<Filters>) =>
      pushQuery(toFilterQuery({ ...filters, ...choice })),
    // `filters` are still empty when text typed before hydration is applied.
    changeSearch: (q: string) => replaceQuery(toFilterQuery({ ...parse(currentQuery()), q })),
    clearFilters: () => pushQuery(toFilterQuery({ ...DEFAULT_FILTERS, sort: filters.sort }))
  }
}

export function toFilterQuery(filters: Filters): string {
  const chosen = Object.entries(filters).filter(
    ([name, value]) => value !== DEFAULT_FILTERS[name as keyof Filters]
  )
  return chosen.length > 0 ? `?${new URLSearchParams(chosen)}` : ''
}

export interface ActiveFilter {
  name: keyof Filters
  label: string
  removal: Partial<Filters>
}

export function activeFilters(filters: Filters, categories: readonly Category[]): ActiveFilter[] {
  const labels = {
    q: `“${filters.q}”`,
    category: categories.find(({ name }) => name === filters.category)?.label ?? filters.category,
    diet: filters.diet === 'all' ? '' : DIETARY_LABELS[filters.diet],
    price: PRICE_RANGES.find(({ id }) => id === filters.price)?.label ?? filters.price
  }
  return (['q', 'category', 'diet', 'price'] as const)
    .filter(name => filters[name] !== DEFAULT_FILTERS[name])
    .map(name => ({ name, label: labels[name], removal: { [name]: DEFAULT_FILTERS[name] } }))
}

/** Products that contain the searched text come first in every order. */
export function filterProducts<Card extends CardProduct>(
  matches: readonly Card[],
  filters: Filters
): Card[] {
  const found = listMatching(matches, filters)
  const sort = toSort(filters)
  const sorted = sort === 'best' ? found : sortProducts(found, sort)
  const typed = toSearchText(filters.q)
  const hasText = (product: Card) => textRank(product, typed) > 0
  return [...sorted.filter(hasText), ...sorted.filter(product => !hasText(product))]
}

export function toSort({ q, sort }: Filters): SortId | 'best' {
  return sort === 'best' && q === '' ? DEFAULT_SORT : sort
}

export function findLiterally<Card extends CardProduct>(
  products: readonly Card[],
  q: string
): Card[] {
  const words = listWords(q)
  return q === '' ? [...products] : products.filter(product => hasWords(product, words))
}

export function countMatches(
  matches: readonly CardProduct[],
  filters: Filters,
  choice: Partial<Filters>
): number {
  return listMatching(matches, { ...filters, ...choice }).length
}

export function parseFilters(query: URLSearchParams, categories: readonly string[]): Filters {
  const choose = <Name extends keyof Filters>(
    name: Name,
    choices: readonly Filters[Name][],
    value = query.get(name)
  ): Filters[Name] => choices.find(choice => choice === value) ?? DEFAULT_FILTERS[name]
  // '+' means a space, so `price=701+` arrives as '701 '.
  const price = query.get('price')?.replace(' ', '+')
  return {
    category: choose('category', categories),
    q: toOneLine(query.get('q') ?? ''),
    diet: choose('diet', DIETARY_CHOICES),
    price: choose('price', listIds(PRICE_RANGES), price),
    sort: choose('sort', SORTS)
  }
}

export function findCollections<Link extends CollectionLink>(
  collections: readonly Link[],
  filters: Filters
): Link[] {
  const { q } = filters
  if (q === '' && toFilterQuery({ ...filters, sort: DEFAULT_FILTERS.sort }) !== '') return []
  return collections.filter(link => hasWords(link, listWords(q)))
}

function listMatching<Card extends CardProduct>(
  products: readonly Card[],
  { category, diet, price }: Filters
): Card[] {
  const { over, upTo } = PRICE_RANGES.find(({ id }) => id === price) ?? PRICE_RANGES[0]
  const matching = products.filter(
    product =>
      (category === 'all' || product.category === category) &&
      // Vegan food is vegetarian, too.
      (diet !== 'vegan' || product.dietary === 'vegan') &&
      product.price > over &&
      product.price <= upTo
  )
  return toCards(matching)
}

function listIds<Id extends string>(choices: readonly { id: Id }[]): Id[] {
  return choices.map(({ id }) => id)
}
