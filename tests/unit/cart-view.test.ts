import { describe, expect, test } from 'vitest'
import { viewCart, type CartViewLine } from '#lib/cart-view.ts'
import type { LiveProduct } from '#lib/contract/catalog.ts'
import type { CartLine } from '#lib/stores/cart-line.ts'
import { line } from '../support/cards.ts'

const live = (id: string, price: number, rest: Partial<LiveProduct> = {}): LiveProduct => ({
  id,
  price,
  stock: 'in',
  ...rest
})

function view(lines: readonly CartLine[], today: readonly LiveProduct[] = [], gone: readonly string[] = []) {
  return viewCart(lines, new Map(today.map(product => [product.id, product])), new Set(gone))
}

function viewOne(...args: Parameters<typeof view>): CartViewLine | undefined {
  return view(...args).lines[0]
}

describe('Cart view without live prices', () => {
  test('shows the prices from when the lines were added', () => {
    const { lines, total } = view([line('pak', 2, { price: 180 }), line('halwa', 1, { price: 99.5 })])
    expect(lines.map(({ price, total, changes }) => [price, total, changes])).toEqual([
      [18_000, 36_000, []],
      [9950, 9950, []]
    ])
    expect(total).toBe(45_950)
  })
})

describe('Cart view with live prices', () => {
  test('shows a changed price and uses it for the total', () => {
    const { lines, total } = view([line('pak', 2, { price: 180 })], [live('pak', 190)])
    expect(lines[0]?.changes).toEqual(['Price is now ₹190.00'])
    expect(total).toBe(38_000)
  })

  test('shows how many packs are left', () => {
    const viewed = viewOne([line('pak', 4)], [live('pak', 100, { stock: 'low', left: 3 })])
    expect(viewed).toMatchObject({ changes: ['Only 3 left'], left: 3 })
  })

  test('shows no change if the stock is sufficient', () => {
    const viewed = viewOne([line('pak', 3)], [live('pak', 100, { stock: 'low', left: 3 })])
    expect(viewed?.changes).toEqual([])
    expect(viewed).not.toHaveProperty('left')
  })

  test('shows a line that is sold out or no longer sold', () => {
    expect(viewOne([line('pak')], [live('pak', 100, { stock: 'out' })])?.changes).toEqual(['Out of stock'])
    expect(viewOne([line('pak')], [], ['pak'])).toMatchObject({ changes: ['No longer sold'], left: 0, total: 0 })
  })

  test('shows a changed price and low stock together', () => {
    const viewed = viewOne([line('pak', 4)], [live('pak', 110, { stock: 'low', left: 1 })])
    expect(viewed?.changes).toEqual(['Price is now ₹110.00', 'Only 1 left'])
  })
})

describe('Cart view of a discounted line', () => {
  test('keeps its discounted price', () => {
    const viewed = viewOne([line('pak', 1, { price: 144, discount: 20 })], [live('pak', 180)])
    expect(viewed).toMatchObject({ price: 14_400, changes: [] })
  })
})
