import { expect, test } from 'vitest'
import { LOW_STOCK } from '#lib/constants.ts'
import { stockWord } from '#lib/stock.ts'

test('a product is out of stock when none is left', () => {
  expect(stockWord(0)).toBe('out')
  expect(stockWord(-1)).toBe('out')
})

test('few are left from one to five packs', () => {
  expect(stockWord(1)).toBe('low')
  expect(stockWord(LOW_STOCK)).toBe('low')
  expect(stockWord(LOW_STOCK + 1)).toBe('in')
})
