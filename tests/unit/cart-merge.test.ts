import { describe, expect, test } from 'vitest'
import { isSameCart, mergeChanges, unionOf } from '#lib/cart-merge.ts'
import type { CartEntry } from '#lib/contract/cart.ts'

const cart = (counts: Record<string, number>): CartEntry[] =>
  Object.entries(counts).map(([id, quantity]) => {
    const [product = '', dealId] = id.split('@')
    return { product, quantity, ...(dealId && { dealId }) }
  })
const counts = (entries: readonly CartEntry[]): Record<string, number> =>
  Object.fromEntries(
    entries.map(({ product, dealId, quantity }) => [[product, dealId].filter(Boolean).join('@'), quantity])
  )

describe('the carts of browser and shop at login', () => {
  test('become one with the larger count of each line, and nothing is dropped', () => {
    const both = unionOf(cart({ pak: 2, laddu: 1 }), cart({ pak: 3, halwa: 1 }))
    expect(counts(both)).toEqual({ pak: 3, laddu: 1, halwa: 1 })
  })

  test('do not double when somebody logs in again', () => {
    expect(counts(unionOf(cart({ pak: 2 }), cart({ pak: 2 })))).toEqual({ pak: 2 })
  })

  test('keep a discounted pack apart from plain ones', () => {
    expect(counts(unionOf(cart({ pak: 2 }), cart({ 'pak@diwali': 1 })))).toEqual({ pak: 2, 'pak@diwali': 1 })
  })
})

describe('the carts of two devices', () => {
  test.for([
    ['what one adds', { pak: 1 }, { pak: 1, halwa: 2 }, { pak: 1 }, { pak: 1, halwa: 2 }],
    ['what the other adds', { pak: 1 }, { pak: 1 }, { pak: 1, halwa: 2 }, { pak: 1, halwa: 2 }],
    ['what one removes', { pak: 1, halwa: 1 }, { pak: 1 }, { pak: 1, halwa: 1 }, { pak: 1 }],
    ['what the other removes', { pak: 1, halwa: 1 }, { pak: 1, halwa: 1 }, { halwa: 1 }, { halwa: 1 }],
    ['what one lowers', { pak: 5 }, { pak: 2 }, { pak: 5 }, { pak: 2 }],
    ['the larger, where both change it', { pak: 2 }, { pak: 3 }, { pak: 4 }, { pak: 4 }],
    ['what one raises and the other removes', { pak: 2 }, { pak: 3 }, {}, { pak: 3 }],
    ['nothing, where both remove it', { pak: 2 }, {}, {}, {}]
  ] as const)('come to %s', ([, base, mine, theirs, merged]) => {
    expect(counts(mergeChanges(cart(base), cart(mine), cart(theirs)))).toEqual(merged)
  })

  test('are the same in whatever order', () => {
    expect(isSameCart(cart({ pak: 1, halwa: 2 }), cart({ halwa: 2, pak: 1 }))).toBe(true)
    expect(isSameCart(cart({ pak: 1 }), cart({ 'pak@diwali': 1 }))).toBe(false)
    expect(isSameCart(cart({ pak: 1 }), cart({ pak: 1, halwa: 1 }))).toBe(false)
  })
})
