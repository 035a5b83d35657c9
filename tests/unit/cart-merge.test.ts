import { describe, expect, test } from 'vitest'
import { isSameCart, mergeChanges } from '#lib/cart/entries.ts'
import type { CartEntry } from '#lib/contract/checkout.ts'

const cart = (counts: Record<string, number>): CartEntry[] =>
  Object.entries(counts).map(([id, quantity]) => {
    const [product = '', dealId] = id.split('@')
    return { product, quantity, ...(dealId && { dealId }) }
  })
const counts = (entries: readonly CartEntry[]): Record<string, number> =>
  Object.fromEntries(
    entries.map(({ product, dealId, quantity }) => [
      [product, dealId].filter(Boolean).join('@'),
      quantity
    ])
  )

describe('Merging the browser cart and the account cart at login', () => {
  test('keeps every line of both carts, with the larger quantity', () => {
    const both = mergeChanges([], cart({ pak: 2, laddu: 1 }), cart({ pak: 3, halwa: 1 }))
    expect(counts(both)).toEqual({ pak: 3, laddu: 1, halwa: 1 })
  })

  test('does not double quantities on a second login', () => {
    expect(counts(mergeChanges([], cart({ pak: 2 }), cart({ pak: 2 })))).toEqual({ pak: 2 })
  })

  test('keeps a discounted pack separate from packs at the normal price', () => {
    expect(counts(mergeChanges([], cart({ pak: 2 }), cart({ 'pak@diwali': 1 })))).toEqual({
      pak: 2,
      'pak@diwali': 1
    })
  })
})

describe('Merging the carts of two devices', () => {
  test.for([
    [
      'a line that this device added',
      { pak: 1 },
      { pak: 1, halwa: 2 },
      { pak: 1 },
      { pak: 1, halwa: 2 }
    ],
    [
      'a line that the other device added',
      { pak: 1 },
      { pak: 1 },
      { pak: 1, halwa: 2 },
      { pak: 1, halwa: 2 }
    ],
    [
      'the removal on this device',
      { pak: 1, halwa: 1 },
      { pak: 1 },
      { pak: 1, halwa: 1 },
      { pak: 1 }
    ],
    [
      'the removal on the other device',
      { pak: 1, halwa: 1 },
      { pak: 1, halwa: 1 },
      { halwa: 1 },
      { halwa: 1 }
    ],
    ['a quantity that this device lowered', { pak: 5 }, { pak: 2 }, { pak: 5 }, { pak: 2 }],
    ['the larger quantity if both changed it', { pak: 2 }, { pak: 3 }, { pak: 4 }, { pak: 4 }],
    [
      'a line that this device changed and the other device removed',
      { pak: 2 },
      { pak: 3 },
      {},
      { pak: 3 }
    ],
    ['nothing if both removed the line', { pak: 2 }, {}, {}, {}]
  ] as const)('keeps %s', ([, base, mine, theirs, merged]) => {
    expect(counts(mergeChanges(cart(base), cart(mine), cart(theirs)))).toEqual(merged)
  })

  test('treats carts as equal if only the order of their lines differs', () => {
    expect(isSameCart(cart({ pak: 1, halwa: 2 }), cart({ halwa: 2, pak: 1 }))).toBe(true)
    expect(isSameCart(cart({ pak: 1 }), cart({ 'pak@diwali': 1 }))).toBe(false)
    expect(isSameCart(cart({ pak: 1 }), cart({ pak: 1, halwa: 1 }))).toBe(false)
  })
})
