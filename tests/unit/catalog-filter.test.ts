import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countWith,
  DEFAULT_FILTERS,
  filterProducts,
  filtersFromQuery,
  filtersToQuery,
  sortProducts,
  type Filters
} from '#lib/catalog-filter.ts'
import { CATEGORIES, DIETARY_CHOICES, PRICE_RANGES, SORTS } from '#lib/constants.ts'
import { card } from '../support/cards.ts'

const SHELF = [
  card('halwa', {
    name: 'Tirunelveli Halwa',
    nameTamil: 'திருநெல்வேலி அல்வா',
    description: 'Wheat milk stirred in ghee.',
    price: 320,
    rating: 4.9
  }),
  card('murukku', { name: 'Manapparai Murukku', category: 'savouries', dietary: 'vegan', price: 100.5, rating: 4.7 }),
  card('thattai', { name: 'Thattai', category: 'savouries', dietary: 'vegan', price: 100, rating: 4.7 }),
  card('pickle', { name: 'Lemon Pickle', category: 'pickles', dietary: 'vegan', price: 145, rating: 4.2 }),
  card('hamper', { name: 'Seer Varisai Hamper', category: 'seer_items', price: 1800, rating: 5 })
]

function left(filters: Partial<Filters>): string[] {
  return filterProducts(SHELF, { ...DEFAULT_FILTERS, ...filters }).map(({ id }) => id)
}

describe('filtering', () => {
  test('leaves everything, the cheapest first, until something is chosen', () => {
    expect(left({})).toEqual(['thattai', 'murukku', 'pickle', 'halwa', 'hamper'])
  })

  test('by category, by diet and by both', () => {
    expect(left({ category: 'savouries' })).toEqual(['thattai', 'murukku'])
    expect(left({ diet: 'vegetarian' })).toEqual(['halwa', 'hamper'])
    expect(left({ category: 'pickles', diet: 'vegetarian' })).toEqual([])
  })

  test('by price puts ₹100.50 into ₹101 - ₹200, and ₹100 below', () => {
    expect(left({ price: '0-100' })).toEqual(['thattai'])
    expect(left({ price: '101-200' })).toEqual(['murukku', 'pickle'])
    expect(left({ price: '701+' })).toEqual(['hamper'])
  })

  test('puts every price into exactly one range beside All', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200_000 }), paise => {
        const [, ...ranges] = PRICE_RANGES
        const holding = ranges.filter(({ id }) => {
          const filters = { ...DEFAULT_FILTERS, price: id }
          return filterProducts([card('x', { price: paise / 100 })], filters).length > 0
        })
        expect(holding).toHaveLength(1)
      })
    )
  })
})

describe('searching', () => {
  test('matches name or description in any case', () => {
    expect(left({ q: 'MURUKKU' })).toEqual(['murukku'])
    expect(left({ q: 'ghee' })).toEqual(['halwa'])
  })

  test('matches the Tamil name', () => {
    expect(left({ q: 'அல்வா' })).toEqual(['halwa'])
  })

  test('does not mind spaces around and between', () => {
    expect(left({ q: '  tirunelveli   halwa ' })).toEqual(['halwa'])
  })

  test('takes the words in any order, and needs them all', () => {
    expect(left({ q: 'halwa tirunelveli' })).toEqual(['halwa'])
    expect(left({ q: 'halwa pickle' })).toEqual([])
  })

  test('takes signs for what they are', () => {
    expect(left({ q: '.*' })).toEqual([])
  })
})

describe('sorting', () => {
  test('by price either way and by rating, equals by name', () => {
    expect(left({ sort: 'price-low' })).toEqual(['thattai', 'murukku', 'pickle', 'halwa', 'hamper'])
    expect(left({ sort: 'price-high' })).toEqual(['hamper', 'halwa', 'pickle', 'murukku', 'thattai'])
    expect(left({ sort: 'rating' })).toEqual(['hamper', 'halwa', 'murukku', 'thattai', 'pickle'])
  })

  test('is the same whatever order the shop answers in, and leaves the list it is given alone', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(SHELF, { minLength: SHELF.length }), shuffled => {
        const given = [...shuffled]
        expect(sortProducts(shuffled, 'rating')).toEqual(sortProducts(SHELF, 'rating'))
        expect(shuffled).toEqual(given)
      })
    )
  })
})

describe('the count beside a choice', () => {
  test('is what the list would have, everything else staying as it is', () => {
    const filters: Filters = { ...DEFAULT_FILTERS, diet: 'vegan' }
    expect(countWith(SHELF, filters, { category: 'savouries' })).toBe(2)
    expect(countWith(SHELF, filters, { category: 'sweets' })).toBe(0)
    expect(countWith(SHELF, filters, { diet: 'all' })).toBe(5)
  })
})

describe('the address', () => {
  const read = (query: string): Filters => filtersFromQuery(new URLSearchParams(query), CATEGORIES)

  test('without filters is the whole list, and the whole list has an address without filters', () => {
    expect(read('')).toEqual(DEFAULT_FILTERS)
    expect(filtersToQuery(DEFAULT_FILTERS).toString()).toBe('')
  })

  test('names category, q, diet, price and sort', () => {
    const filters: Filters = { category: 'sweets', q: 'ghee', diet: 'vegan', price: '701+', sort: 'rating' }
    expect(filtersToQuery(filters).toString()).toBe('category=sweets&q=ghee&diet=vegan&price=701%2B&sort=rating')
  })

  test('holds every combination of choices there and back', () => {
    const filters = fc.record({
      category: fc.constantFrom('all' as const, ...CATEGORIES),
      q: fc.constantFrom('', 'ghee', 'a&b=c', 'அல்வா', 'two words'),
      diet: fc.constantFrom(...DIETARY_CHOICES),
      price: fc.constantFrom(...PRICE_RANGES.map(({ id }) => id)),
      sort: fc.constantFrom(...SORTS.map(({ id }) => id))
    })
    fc.assert(
      fc.property(filters, chosen => {
        expect(read(filtersToQuery(chosen).toString())).toEqual(chosen)
      })
    )
  })

  test('preselects a category only if it exists among the loaded ones', () => {
    expect(read('category=pickles').category).toBe('pickles')
    expect(read('category=pizza').category).toBe('all')
    expect(filtersFromQuery(new URLSearchParams('category=pickles'), ['sweets']).category).toBe('all')
  })

  test('with nonsense in it is the whole list', () => {
    expect(read('category=__proto__&diet=meat&price=%00&sort=toString&x[]=1')).toEqual(DEFAULT_FILTERS)
  })

  test('written by hand may forget that a plus means a space', () => {
    expect(read('price=701+').price).toBe('701+')
  })
})
