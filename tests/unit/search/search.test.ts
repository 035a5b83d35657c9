import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toCards } from '#lib/catalog/cards.ts'
import { foldWord, splitWords } from '#lib/search/fold.ts'
import { createSearch } from '#lib/search/search.ts'
import type { SearchData } from '#lib/contract/content.ts'
import { makeCard } from '../../support/cards.ts'
import { findLiterally } from '#islands/catalog/use-filters.ts'

const PRODUCTS = [
  makeCard('murukku', {
    name: 'Manapparai Murukku',
    nameTamil: 'மணப்பாறை முறுக்கு',
    category: 'savouries',
    rating: 4.7
  }),
  makeCard('thattai', { name: 'Thattai', nameTamil: 'தட்டை', category: 'savouries', rating: 4.2 }),
  makeCard('pickle', {
    name: 'Lemon Pickle',
    nameTamil: 'எலுமிச்சை ஊறுகாய்',
    category: 'pickles',
    description: 'Salted lemons with roasted fenugreek.',
    rating: 4.4
  }),
  makeCard('halwa', {
    name: 'Tirunelveli Halwa',
    nameTamil: 'திருநெல்வேலி அல்வா',
    description: 'Wheat stirred in ghee. Less loud than murukku.',
    rating: 4.9,
    quantity: { value: 1, unit: 'kg', type: 'weight' }
  })
].map((card, n) => ({
  ...card,
  ingredients: [['Rice flour', 'Salt'], ['Rice'], ['Lemon', 'Ginger'], ['Wheat', 'Ghee']][n] ?? []
}))

const DATA: SearchData = {
  categories: [{ name: 'savouries', label: 'Savouries', labelTamil: 'கார வகைகள்' }],
  collections: [
    {
      id: 'diwali',
      name: 'Diwali gifts',
      nameTamil: 'தீபாவளி பரிசுகள்',
      products: ['halwa', 'murukku']
    }
  ],
  synonyms: 'murukku, chakli\nsour lemon, lemon pickle',
  bestsellers: [],
  contact: { phone: '', whatsapp: '' }
}
const { find, suggestSpelling } = createSearch(PRODUCTS, DATA)

const idsOf = (text: string) => find(text).map(({ id }) => id)

describe('Folding', () => {
  test.for([
    ['லட்டு', 'laddu', 'ladoo', 'laddoos'],
    ['ஊறுகாய்', 'oorugai', 'urugai', 'oorukaay'],
    ['வாழைக்காய்', 'vazhaikkai', 'valakai'],
    ['பொடி', 'podi', 'bodi']
  ])('gives all spellings of %s the same key', spellings => {
    expect(new Set(spellings.map(foldWord)).size).toBe(1)
  })

  test('writes measures in one way', () => {
    const text = '1 kg, 1000 grams and 0.5 kilo; half kg, 6 pieces'
    expect(splitWords(text).join(' ')).toBe('1000g 1000g and 500g 500g 6pc')
    expect(splitWords('1½ kg, 2 1/2 kg and ½ kg').join(' ')).toBe('1500g 2500g and 500g')
  })
})

describe('Search', () => {
  test.for([
    ['in any spelling', 'muruku', ['murukku', 'halwa']],
    ['in Tamil', 'முறுகு', ['murukku', 'halwa']],
    ['by the beginning of a word', 'thatt', ['thattai']],
    ['with one edit in a long word', 'halawa', ['halwa']],
    ['with wrong vowels', 'tirinelvali', ['halwa']],
    ['in one word that is written as two, and the other way', 'lemonpickle', ['pickle']],
    ['by category, also in Tamil', 'கார வகைகள்', ['murukku', 'thattai']],
    ['by collection, the best product first', 'deepavali', ['halwa', 'murukku']],
    ['by ingredient', 'rice', ['murukku', 'thattai']],
    ['by the owner’s synonyms', 'chakli', ['murukku']],
    ['by pack size', '1 kg', ['halwa']],
    ['without requiring a size, if other words are found', 'halwa 5kg', ['halwa']],
    ['without the words that say little', 'buy thattai online', ['thattai']],
    ['not by longer words that begin alike', 'ghee', ['halwa']],
    ['with all words only', 'halwa pickle', []],
    ['not by other words that begin alike in a description', 'ro', ['pickle']]
  ] as const)('finds products %s', ([, text, ids]) => expect(idsOf(text)).toEqual(ids))

  const words = PRODUCTS.flatMap(({ name, nameTamil, description }) =>
    `${name} ${nameTamil} ${description}`.split(' ')
  )
  const part = fc
    .tuple(fc.constantFrom(...words), fc.nat(6), fc.nat(6))
    .map(([word, start, length]) => word.slice(start, start + length + 1))

  test('finds what the specification’s search finds, too', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), parts => {
        const q = parts.join(' ').trim()
        const literal = findLiterally(PRODUCTS, q).map(({ id }) => id)
        expect(idsOf(q)).toEqual(expect.arrayContaining(literal))
      })
    )
  })

  test('lists a text within a description before the category, but after a name', () => {
    const crisp = makeCard('crisp', {
      name: 'Murukku',
      description: 'Goes with savouries.',
      rating: 1
    })
    const search = createSearch([...PRODUCTS, { ...crisp, ingredients: [] }], DATA)
    expect(search.find('savouries').map(({ id }) => id)).toEqual(['crisp', 'murukku', 'thattai'])
    expect(search.find('rukku').map(({ id }) => id)).toEqual(['murukku', 'crisp', 'halwa'])
  })

  test('finds the pack size that is searched for, and all sizes by the other words', () => {
    const sizes = ['pak-250', 'pak-1000']
    const pak = {
      ...makeCard('pak', { name: 'Mysore Pak', nameTamil: 'மைசூர்பாக்', sizes }),
      ingredients: []
    }
    const kilo = { ...pak, id: 'pak-1000', quantity: { value: 1, unit: 'kg', type: 'weight' } }
    const search = createSearch([{ ...pak, id: 'pak-250' }, kilo], DATA)
    const shown = (text: string) => toCards(search.find(text)).map(({ id }) => id)
    expect(search.find('pak').map(({ id }) => id)).toEqual(sizes)
    expect(shown('pak')).toEqual(['pak-250'])
    expect(shown('mysore pak 1kg')).toEqual(['pak-1000'])
    expect(shown('1 kg')).toEqual(['pak-1000'])
    expect(shown('mysore pak 2 kg')).toEqual(['pak-250'])
  })

  test.for([
    ['birthday halwa', 'halwa'],
    ['tirunveli halwa', 'tirunelveli halwa'],
    ['pizza', undefined]
  ] as const)('suggests for “%s”: %s', ([text, spelling]) =>
    expect(suggestSpelling(text)).toBe(spelling)
  )
})

test('“vegetarian” finds vegan products, too, and “vegan” only these', () => {
  const cards = [makeCard('murukku', { dietary: 'vegan' }), makeCard('halwa')]
  const search = createSearch(cards, DATA)
  const findIds = (text: string) => search.find(text).map(({ id }) => id)
  expect(findIds('vegetarian').toSorted()).toEqual(['halwa', 'murukku'])
  expect(findIds('vegan')).toEqual(['murukku'])
})
