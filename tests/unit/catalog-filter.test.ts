import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLowestPrice, toCardProducts, toCards } from '#lib/catalog/cards.ts'
import { PRICE_RANGES } from '#lib/constants.ts'
import type { Product } from '#lib/contract/catalog.ts'
import { makeCard } from '../support/cards.ts'
import { CATEGORIES } from '../support/catalog.ts'
import {
  countMatches,
  DEFAULT_FILTERS,
  filterProducts,
  findCollections,
  findLiterally,
  parseFilters,
  toFilterQuery,
  type Filters
} from '#islands/catalog/use-filters.ts'

const SAVOURY = { category: 'savouries', dietary: 'vegan', rating: 4.7 } as const
const PRODUCTS = [
  makeCard('halwa', {
    name: 'Tirunelveli Halwa',
    nameTamil: 'திருநெல்வேலி அல்வா',
    description: 'Wheat milk stirred in ghee.',
    price: 320,
    rating: 4.9
  }),
  makeCard('murukku', { ...SAVOURY, name: 'Manapparai Murukku', price: 100.5 }),
  makeCard('thattai', { ...SAVOURY, name: 'Thattai', price: 100 }),
  makeCard('pickle', {
    ...{ name: 'Lemon Pickle', category: 'pickles', dietary: 'vegan', price: 145, rating: 4.2 }
  }),
  makeCard('hamper', { name: 'Seer Hamper', category: 'seer_items', price: 1800, rating: 5 })
]

function toProduct(id: string, change: Partial<Product> = {}) {
  const { stock: _, ...card } = makeCard(id)
  return {
    ...card,
    extraImages: [],
    pictures: [],
    ingredients: ['Rice'],
    shelfLife: '10 days',
    stock: 20,
    ...change
  }
}

function filteredIds(filters: Partial<Filters>) {
  const { q = '' } = filters
  return filterProducts(findLiterally(PRODUCTS, q), { ...DEFAULT_FILTERS, ...filters }).map(
    ({ id }) => id
  )
}

describe('Filtering products', () => {
  test('finds products by price, of which ₹100.50 is in the range ₹101 - ₹200, category and diet', () => {
    expect(filteredIds({ price: '0-100' })).toEqual(['thattai'])
    expect(filteredIds({ price: '101-200' })).toEqual(['murukku', 'pickle'])
    expect(filteredIds({ price: '701+' })).toEqual(['hamper'])
    expect(filteredIds({ category: 'savouries' })).toEqual(['thattai', 'murukku'])
    expect(filteredIds({ diet: 'vegan' })).toEqual(['thattai', 'murukku', 'pickle'])
    expect(filteredIds({ category: 'pickles', diet: 'vegetarian' })).toEqual(['pickle'])
    expect(filteredIds({ category: 'seer_items', diet: 'vegan' })).toEqual([])
  })

  test('puts every price into exactly one range', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200_000 }), paise => {
        const [, ...ranges] = PRICE_RANGES
        const matchingRanges = ranges.filter(({ id }) => {
          const filters = { ...DEFAULT_FILTERS, price: id }
          return filterProducts([makeCard('x', { price: paise / 100 })], filters).length > 0
        })
        expect(matchingRanges).toHaveLength(1)
      })
    )
  })
})

test.for([
  ['MURUKKU', ['murukku']],
  ['ghee', ['halwa']],
  ['அல்வா', ['halwa']],
  ['  tirunelveli   halwa ', ['halwa']],
  ['halwa pickle', []],
  ['.*', []]
] as const)('Before the matcher is loaded, “%s” finds %j', ([q, ids]) =>
  expect(filteredIds({ q })).toEqual(ids)
)

describe('Sorting products', () => {
  test('sorts by ascending price, by descending price, or by rating; equal ratings by name', () => {
    const cheapestFirst = ['thattai', 'murukku', 'pickle', 'halwa', 'hamper']
    expect(filteredIds({})).toEqual(cheapestFirst)
    expect(filteredIds({ sort: 'price-high' })).toEqual(cheapestFirst.toReversed())
    const bestFirst = ['hamper', 'halwa', 'murukku', 'thattai', 'pickle']
    expect(filteredIds({ sort: 'rating' })).toEqual(bestFirst)
  })

  test('keeps the order of the search until a sort is chosen', () => {
    const matches = PRODUCTS.toReversed()
    const filters: Filters = { ...DEFAULT_FILTERS, q: 'muruku' }
    expect(filterProducts(matches, filters)).toEqual(matches)
    expect(filterProducts(matches, { ...filters, sort: 'price-low' })[0]?.id).toBe('thattai')
  })
})

test('Filter counts show how many products would match if the shopper chose that option', () => {
  const filters: Filters = { ...DEFAULT_FILTERS, diet: 'vegan' }
  expect(countMatches(PRODUCTS, filters, { category: 'savouries' })).toBe(2)
  expect(countMatches(PRODUCTS, filters, { category: 'sweets' })).toBe(0)
  expect(countMatches(PRODUCTS, filters, { diet: 'vegetarian' })).toBe(5)
})

describe('Filters in the URL', () => {
  const read = (query: string) => parseFilters(new URLSearchParams(query), CATEGORIES)

  test('use the parameters category, q, diet, price and sort, if they are not the default', () => {
    expect(toFilterQuery(DEFAULT_FILTERS)).toBe('')
    const filters: Filters = {
      ...{ category: 'sweets', q: 'ghee' },
      ...({ diet: 'vegan', price: '701+', sort: 'rating' } as const)
    }
    expect(toFilterQuery(filters)).toBe(
      '?category=sweets&q=ghee&diet=vegan&price=701%2B&sort=rating'
    )
    expect(read(toFilterQuery(filters))).toEqual(filters)
  })

  test('fall back to the defaults for invalid values, but accept an unescaped plus', () => {
    expect(read('category=__proto__&diet=meat&price=%00&sort=toString&x[]=1')).toEqual(
      DEFAULT_FILTERS
    )
    expect(parseFilters(new URLSearchParams('category=pickles'), ['sweets']).category).toBe('all')
    expect(read('price=701+').price).toBe('701+')
  })
})

const pakSize = (id: string, position: number, change: Partial<Product> = {}) => ({
  ...toProduct(id, change),
  family: { id: 'pak', position }
})
const pakSizes = (change: Partial<Product> = {}) => [
  pakSize('pak-500', 2, { price: 350, rating: 4.9, ...change }),
  pakSize('pak-100', 1, { price: 75, stock: 0 }),
  pakSize('pak-250', 0, { price: 180, stock: 3 })
]

describe('Cards', () => {
  test('the pack sizes of a product have one card: the cheapest one in stock', () => {
    const cards = toCards(toCardProducts([toProduct('halwa'), ...pakSizes()]))
    expect(cards).toMatchObject([
      { id: 'halwa', price: 100 },
      {
        id: 'pak-250',
        price: 180,
        rating: 4.9,
        stock: 'low',
        sizes: ['pak-250', 'pak-500', 'pak-100']
      }
    ])
    expect(cards[0]).not.toHaveProperty('sizes')
    expect(cards.map(isLowestPrice)).toEqual([false, true])
  })

  test('are sold out only if all pack sizes are, and then show the cheapest one', () => {
    const soldOut = pakSizes().map(size => ({ ...size, stock: 0 }))
    expect(toCards(toCardProducts(soldOut))).toMatchObject([{ id: 'pak-100', stock: 'out' }])
  })

  test('a family of which only one pack size is visible has an ordinary card', () => {
    expect(toCardProducts([pakSize('pak-250', 0)])).toEqual(toCardProducts([toProduct('pak-250')]))
  })
})

describe('Filters of pack sizes', () => {
  const products = toCardProducts([
    toProduct('halwa', { price: 320 }),
    ...pakSizes(),
    pakSize('pak-1000', 3, { price: 680 })
  ])
  const find = (choice: Partial<Filters>) =>
    filterProducts(products, { ...DEFAULT_FILTERS, ...choice }).map(({ id }) => id)

  test('find, count and sort a product by any of its sizes, and show that size', () => {
    expect(find({ price: '501-700' })).toEqual(['pak-1000'])
    expect(find({ price: '301-500' })).toEqual(['halwa', 'pak-500'])
    expect(find({ price: '301-500', sort: 'price-high' })).toEqual(['pak-500', 'halwa'])
    expect(find({ price: '501-700', diet: 'vegan' })).toEqual([])
    expect(find({ sort: 'price-high' })).toEqual(['halwa', 'pak-250'])
    expect(countMatches(products, DEFAULT_FILTERS, {})).toBe(2)
  })

  test('match one size in everything: sizes that each match a part do not add up', () => {
    const mixed = toCardProducts(pakSizes({ dietary: 'vegan', category: 'seer_items' }))
    const count = (choice: Partial<Filters>) => countMatches(mixed, DEFAULT_FILTERS, choice)
    expect(count({ diet: 'vegan', category: 'seer_items', price: '301-500' })).toBe(1)
    expect(count({ diet: 'vegan', price: '101-200' })).toBe(0)
  })
})

describe('Collections on the list page', () => {
  const collections = [
    { id: 'diwali', name: 'Diwali gifts', nameTamil: 'தீபாவளி' },
    { id: 'wedding', name: 'Wedding', nameTamil: 'கல்யாணம்' }
  ]
  const find = (filters: Partial<Filters>) =>
    findCollections(collections, { ...DEFAULT_FILTERS, ...filters }).map(({ id }) => id)

  test.for<[Partial<Filters>, string[]]>([
    [{}, ['diwali', 'wedding']],
    [{ q: 'GIFT' }, ['diwali']],
    [{ q: 'கல்யாணம்' }, ['wedding']],
    [{ q: 'gift', category: 'sweets' }, ['diwali']],
    [{ category: 'sweets' }, []]
  ])('%j shows %j', ([filters, ids]) => expect(find(filters)).toEqual(ids))
})
