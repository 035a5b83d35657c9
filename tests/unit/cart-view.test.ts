import { describe, expect, test } from 'vitest'
import { toCartView, type CartViewLine } from '#lib/cart/view.ts'
import type { LiveProduct } from '#lib/contract/catalog.ts'
import type { CartLine } from '#lib/cart/line.ts'
import { makeLine } from '../support/cards.ts'

const live = (id: string, price: number, rest: Partial<LiveProduct> = {}): LiveProduct => ({
  id,
  price,
  stock: 'in',
  ...rest
})

function view(lines: readonly CartLine[], liveProducts: readonly LiveProduct[] = [], gone: readonly string[] = []) {
  return toCartView(lines, new Map(liveProducts.map(product => [product.id, product])), new Set(gone))
}

function viewOne(...args: Parameters<typeof view>): CartViewLine | undefined {
  return view(...args).lines[0]
}

describe('Cart view without live prices', () => {
  test('shows the price at which each line was added', () => {
    const { lines, total } = view([makeLine('pak', 2, { price: 180 }), makeLine('halwa', 1, { price: 99.5 })])
    expect(lines.map(({ price, total, changes }) => [price, total, changes])).toEqual([
      [18_000, 36_000, []],
      [9950, 9950, []]
    ])
    expect(total).toBe(45_950)
  })
})

describe('Cart view with live prices', () => {
  test('shows a changed price and uses it for the total', () => {
    const { lines, total } = view([makeLine('pak', 2, { price: 180 })], [live('pak', 190)])
    expect(lines[0]?.changes).toEqual(['Price is now ₹190.00'])
    expect(total).toBe(38_000)
  })

  test('shows how many packs are left', () => {
    const viewLine = viewOne([makeLine('pak', 4)], [live('pak', 100, { stock: 'low', left: 3 })])
    expect(viewLine).toMatchObject({ changes: ['Only 3 left'], available: 3 })
  })

  test('shows no stock warning if the stock is sufficient', () => {
    const viewLine = viewOne([makeLine('pak', 3)], [live('pak', 100, { stock: 'low', left: 3 })])
    expect(viewLine?.changes).toEqual([])
    expect(viewLine).not.toHaveProperty('available')
  })

  test('shows that a product is sold out or no longer sold', () => {
    expect(viewOne([makeLine('pak')], [live('pak', 100, { stock: 'out' })])?.changes).toEqual(['Out of stock'])
    expect(viewOne([makeLine('pak')], [], ['pak'])).toMatchObject({
      changes: ['No longer sold'],
      available: 0,
      total: 0
    })
  })

  test('shows a changed price and low stock together', () => {
    const viewLine = viewOne([makeLine('pak', 4)], [live('pak', 110, { stock: 'low', left: 1 })])
    expect(viewLine?.changes).toEqual(['Price is now ₹110.00', 'Only 1 left'])
  })
})

describe('Cart view of a discounted line', () => {
  test('keeps its discounted price', () => {
    const viewLine = viewOne([makeLine('pak', 1, { price: 144, discount: 20 })], [live('pak', 180)])
    expect(viewLine).toMatchObject({ price: 14_400, changes: [] })
  })
})
