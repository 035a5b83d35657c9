import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toSearchCards } from '#lib/catalog/cards.ts'
import type { Product } from '#lib/contract/catalog.ts'
import type { SearchData } from '#lib/contract/content.ts'
import { createSearch } from '#lib/search/search.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'

interface Case {
  query: string
  /** One of these products must be among the first three. */
  expect: string[]
}

const MIN_SHARE = 0.95

function readJson<Value>(path: string) {
  return JSON.parse(readFileSync(path, 'utf8')) as Value
}

const products = readJson<Omit<Product, '_id' | 'pictures'>[]>('server/demo/products.json')
const { find } = createSearch(
  toSearchCards(
    products.map(product => ({ ...product, _id: product.id, pictures: [], stock: 20 }))
  ),
  {
    ...EMPTY_SETTINGS.categories,
    ...EMPTY_SETTINGS.search,
    collections: readJson<SearchData['collections']>('server/demo/collections.json'),
    bestsellers: [],
    contact: { phone: '', whatsapp: '' }
  }
)

test.for([
  ['given-cases.json', 77],
  ['own-cases.json', 111]
] as const)(
  'at least 95 of 100 queries of %s find a wanted product among the first three',
  ([file, count]) => {
    const cases = readJson<Case[]>(`tests/unit/search/${file}`)
    expect(cases).toHaveLength(count)
    const missed = cases.filter(({ query, expect: wanted }) => {
      const first = find(query).slice(0, 3)
      return !first.some(({ id }) => wanted.includes(id))
    })
    const share = 1 - missed.length / cases.length
    expect(share, missed.map(({ query }) => query).join(', ')).toBeGreaterThanOrEqual(MIN_SHARE)
  }
)
