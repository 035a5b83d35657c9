import { expect, test } from 'vitest'
import { LOW_STOCK_THRESHOLD } from '#lib/constants.ts'
import { toStockLevel } from '#lib/product.ts'

test('a product with zero packs is out of stock', () => {
  expect(toStockLevel(0)).toBe('out')
  expect(toStockLevel(-1)).toBe('out')
})

test('a stock of one to five packs is low', () => {
  expect(toStockLevel(1)).toBe('low')
  expect(toStockLevel(LOW_STOCK_THRESHOLD)).toBe('low')
  expect(toStockLevel(LOW_STOCK_THRESHOLD + 1)).toBe('in')
})
