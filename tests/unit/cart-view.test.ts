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

describe('a cart before the shop has answered', () => {
  test('is what was put in', () => {
    const { lines, total } = view([line('pak', 2, { price: 180 }), line('halwa', 1, { price: 99.5 })])
    expect(lines.map(({ price, total, changes }) => [price, total, changes])).toEqual([
      [18_000, 36_000, []],
      [9950, 9950, []]
    ])
    expect(total).toBe(45_950)
  })
})

describe('what changed since a line was put in', () => {
  test('a price: said in words, and counted', () => {
    const { lines, total } = view([line('pak', 2, { price: 180 })], [live('pak', 190)])
    expect(lines[0]?.changes).toEqual(['Price is now ₹190.00'])
    expect(total).toBe(38_000)
  })

  test('the stock: how many are left', () => {
    const seen = viewOne([line('pak', 4)], [live('pak', 100, { stock: 'low', left: 3 })])
    expect(seen).toMatchObject({ changes: ['Only 3 left'], left: 3 })
  })

  test('nothing, where the shop has as many as the line wants', () => {
    const seen = viewOne([line('pak', 3)], [live('pak', 100, { stock: 'low', left: 3 })])
    expect(seen?.changes).toEqual([])
    expect(seen).not.toHaveProperty('left')
  })

  test('sold out, or not sold any more', () => {
    expect(viewOne([line('pak')], [live('pak', 100, { stock: 'out' })])?.changes).toEqual(['Out of stock'])
    expect(viewOne([line('pak')], [], ['pak'])).toMatchObject({ changes: ['No longer sold'], left: 0, total: 0 })
  })

  test('price and stock at once', () => {
    const seen = viewOne([line('pak', 4)], [live('pak', 110, { stock: 'low', left: 1 })])
    expect(seen?.changes).toEqual(['Price is now ₹110.00', 'Only 1 left'])
  })
})

describe('a discounted line', () => {
  test('keeps the price its deal promised', () => {
    const seen = viewOne([line('pak', 1, { price: 144, discount: 20 })], [live('pak', 180)])
    expect(seen).toMatchObject({ price: 14_400, changes: [] })
  })
})
