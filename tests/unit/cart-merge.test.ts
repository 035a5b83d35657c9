import { describe, expect, test } from 'vitest'
import { isSameCart, mergeChanges } from '#lib/cart/entries.ts'
import type { CartEntry } from '#lib/contract/checkout.ts'

const cart = (counts: Record<string, number>) =>
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

describe('Merging carts', () => {
  test.for([
    [
      'every line of both carts at login',
      {},
      { pak: 2, laddu: 1 },
      { pak: 3 },
      { pak: 3, laddu: 1 }
    ],
    ['the quantity on a second login', {}, { pak: 2 }, { pak: 2 }, { pak: 2 }],
    ['the discount of one of the packs', {}, { pak: 2 }, { 'pak@d': 1 }, { pak: 1, 'pak@d': 1 }],
    ['the discount of the only pack', {}, { pak: 1 }, { 'pak@d': 1 }, { 'pak@d': 1 }],
    [
      'a discount that this device gave a pack',
      { pak: 3 },
      { 'pak@d': 1, pak: 2 },
      { pak: 3 },
      { 'pak@d': 1, pak: 2 }
    ],
    ['a discount given there', { pak: 1 }, { pak: 1 }, { 'pak@d': 1 }, { 'pak@d': 1 }],
    [
      'a discount given here to a pack of which there are more there',
      { pak: 1 },
      { 'pak@d': 1 },
      { pak: 3 },
      { 'pak@d': 1, pak: 2 }
    ],
    ['one discount of two deals', {}, { 'pak@d': 1 }, { 'pak@e': 1 }, { 'pak@d': 1 }],
    ['what this device added', { pak: 1 }, { pak: 1, laddu: 2 }, { pak: 1 }, { pak: 1, laddu: 2 }],
    ['the removal here', { pak: 1, laddu: 1 }, { pak: 1 }, { pak: 1, laddu: 1 }, { pak: 1 }],
    ['the removal there', { pak: 1, laddu: 1 }, { pak: 1, laddu: 1 }, { laddu: 1 }, { laddu: 1 }],
    ['a quantity that this device lowered', { pak: 5 }, { pak: 2 }, { pak: 5 }, { pak: 2 }],
    ['the larger quantity if both changed it', { pak: 2 }, { pak: 3 }, { pak: 4 }, { pak: 4 }],
    ['a line that one changed and the other removed', { pak: 2 }, { pak: 3 }, {}, { pak: 3 }]
  ] as const)('keeps %s', ([, base, mine, theirs, merged]) => {
    expect(counts(mergeChanges(cart(base), cart(mine), cart(theirs)))).toEqual(merged)
  })

  test('treats carts as equal if only the order of their lines differs', () => {
    expect(isSameCart(cart({ pak: 1, halwa: 2 }), cart({ halwa: 2, pak: 1 }))).toBe(true)
    expect(isSameCart(cart({ pak: 1 }), cart({ 'pak@diwali': 1 }))).toBe(false)
    expect(isSameCart(cart({ pak: 1 }), cart({ pak: 1, halwa: 1 }))).toBe(false)
  })
})
