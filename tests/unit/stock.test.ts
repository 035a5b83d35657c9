import { expect, test } from 'vitest'
import { LOW_STOCK } from '#lib/constants.ts'
import { stockLevel } from '#lib/stock.ts'

test('a product is out of stock at zero packs', () => {
  expect(stockLevel(0)).toBe('out')
  expect(stockLevel(-1)).toBe('out')
})

test('stock is low from one to five packs', () => {
  expect(stockLevel(1)).toBe('low')
  expect(stockLevel(LOW_STOCK)).toBe('low')
  expect(stockLevel(LOW_STOCK + 1)).toBe('in')
})
