import { describe, expect, test } from 'vitest'
import { formatPack, formatUnitPrice } from '#lib/product.ts'

const weight = (value: number, unit: string) => ({ value, unit, type: 'weight' })
const count = (value: number, unit: string) => ({ value, unit, type: 'count' })

describe('Pack size', () => {
  test('is shown with its unit, in the plural for several pieces', () => {
    expect(formatPack(weight(250, 'g'))).toBe('250 g')
    expect(formatPack(weight(1.5, 'kg'))).toBe('1.5 kg')
    expect(formatPack(count(1, 'piece'))).toBe('1 piece')
    expect(formatPack(count(12, 'piece'))).toBe('12 pieces')
    expect(formatPack(count(12, 'pcs'))).toBe('12 pcs')
  })
})

describe('Unit price', () => {
  test('is per 100 g or 100 ml', () => {
    expect(formatUnitPrice(180, weight(250, 'g'))).toBe('₹72.00 / 100 g')
    expect(formatUnitPrice(400, weight(1, 'kg'))).toBe('₹40.00 / 100 g')
    expect(formatUnitPrice(99.5, weight(0.5, 'l'))).toBe('₹19.90 / 100 ml')
  })

  test('is per piece for products that are sold by the piece', () => {
    expect(formatUnitPrice(180, count(6, 'piece'))).toBe('₹30.00 / piece')
  })

  test('is left out for a pack of 100 g or one piece', () => {
    expect(formatUnitPrice(80, weight(100, 'g'))).toBeUndefined()
    expect(formatUnitPrice(80, count(1, 'piece'))).toBeUndefined()
  })
})
