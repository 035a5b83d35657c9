import { expect, test } from 'vitest'
import { MAX_LOW_STOCK } from '#lib/constants.ts'
import { toStockLevel } from '#lib/stock.ts'

test('a product is out of stock at zero packs', () => {
  expect(toStockLevel(0)).toBe('out')
  expect(toStockLevel(-1)).toBe('out')
})

test('stock is low from one to five packs', () => {
  expect(toStockLevel(1)).toBe('low')
  expect(toStockLevel(MAX_LOW_STOCK)).toBe('low')
  expect(toStockLevel(MAX_LOW_STOCK + 1)).toBe('in')
})
