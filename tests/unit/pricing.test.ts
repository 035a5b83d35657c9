import { describe, expect, test } from 'vitest'
import { priceCart, type DrawnDiscount, type WantedLine } from '#lib/cart/pricing.ts'
import { applyDiscount, toPaise } from '#lib/money.ts'

test('A discounted price is the price times (100 - percent) / 100, rounded half up to the paisa', () => {
  // 45 % off ₹0.10 leaves 5.5 paise, and 15 % off ₹1.01 leaves 85.85 paise.
  const cases = [
    [18_000, 20, 14_400],
    [18_000, 0, 18_000],
    [18_000, 100, 0],
    [10, 45, 6],
    [101, 15, 86]
  ] as const
  for (const [price, percent, reduced] of cases)
    expect(applyDiscount(toPaise(price), percent)).toBe(reduced)
})

describe('Quote', () => {
  const products = new Map([
    ['pak', { price: toPaise(18_005), stock: 10 }],
    ['laddu', { price: toPaise(9_950), stock: 3 }],
    ['halwa', { price: toPaise(32_000), stock: 0 }]
  ])
  const drawn = (draft: Partial<DrawnDiscount> = {}): DrawnDiscount => ({
    product: 'pak',
    percent: 13,
    state: 'usable',
    ...draft
  })
  const quoteLines = (
    wanted: readonly WantedLine[],
    discounts: Record<string, DrawnDiscount> = {}
  ) => priceCart(wanted, products, new Map(Object.entries(discounts)))

  test('uses the catalogue price if no discount was drawn', () => {
    expect(quoteLines([{ product: 'pak', quantity: 2 }])).toEqual({
      lines: [
        { product: 'pak', quantity: 2, listPrice: 18_005, price: 18_005, total: 36_010, most: 10 }
      ],
      subtotal: 36_010,
      total: 36_010,
      canOrder: true
    })
  })

  test('applies a drawn discount to one pack, and other packs keep the normal price', () => {
    const { lines, total, canOrder } = quoteLines(
      [
        { product: 'pak', quantity: 2 },
        { product: 'pak', quantity: 1, dealId: 'now' }
      ],
      { now: drawn() }
    )
    // 13 % off ₹180.05 leaves 15,664.35 paise.
    expect(lines.map(({ price, discount }) => [price, discount])).toEqual([
      [18_005, undefined],
      [15_664, 13]
    ])
    expect([total, canOrder]).toEqual([36_010 + 15_664, true])
  })

  test.for([
    ['of a deal that has ended', { now: drawn({ state: 'ended' }) }, 'discount_ended'],
    ['that was never drawn', {}, 'discount_ended'],
    ['of another product', { now: drawn({ product: 'laddu' }) }, 'discount_ended'],
    ['used by another order', { now: drawn({ state: 'used' }) }, 'discount_used']
  ] as const)(
    'uses the full price for a discount %s and still allows the order',
    ([, discounts, problem]) => {
      const { lines, total, canOrder } = quoteLines(
        [{ product: 'pak', quantity: 1, dealId: 'now' }],
        discounts
      )
      expect(lines).toMatchObject([{ price: 18_005, problem }])
      expect(lines[0]).not.toHaveProperty('discount')
      expect([total, canOrder]).toEqual([18_005, true])
    }
  )

  test('applies a discount to only one line, and only if the line has one pack', () => {
    const line = { product: 'pak', quantity: 1, dealId: 'now' }
    expect(quoteLines([line, line], { now: drawn() }).lines.map(({ problem }) => problem)).toEqual([
      undefined,
      'discount_used'
    ])
    const two = quoteLines([{ ...line, quantity: 2 }], { now: drawn() })
    expect(two.total).toBe(36_010)
  })

  test.for([
    [15_000, 13, 15_000, 'sale'],
    [15_000, 20, 14_400, 'draw'],
    [14_400, 20, 14_400, 'sale'],
    [19_000, 0, 18_000, undefined]
  ] as const)(
    'chooses between a sale price of %i paise and %i%%',
    ([salePrice, percent, price, reduction]) => {
      const onSale = new Map([
        ['pak', { price: toPaise(18_000), stock: 10, salePrice: toPaise(salePrice) }]
      ])
      const wanted = [{ product: 'pak', quantity: 1, dealId: 'now' }]
      const [line] = priceCart(wanted, onSale, new Map([['now', drawn({ percent })]])).lines
      expect([line?.price, line?.reduction]).toEqual([price, reduction])
    }
  )

  test('does not allow an order if a product is no longer sold or has too little stock', () => {
    const { lines, total, canOrder } = quoteLines([
      { product: 'pizza', quantity: 1 },
      { product: 'halwa', quantity: 1 },
      { product: 'laddu', quantity: 4 }
    ])
    expect(lines.map(({ problem, most }) => [problem, most])).toEqual([
      ['gone', 0],
      ['out_of_stock', 0],
      ['too_few', 3]
    ])
    expect([total, canOrder]).toEqual([32_000 + 4 * 9_950, false])
    const twoLines = [1, 2].map(() => ({ product: 'pak', quantity: 6 }))
    expect(quoteLines(twoLines).canOrder).toBe(false)
  })

  test('has a total of 0 for an empty cart and does not allow an order', () => {
    expect(quoteLines([])).toEqual({ lines: [], subtotal: 0, total: 0, canOrder: false })
  })
})
