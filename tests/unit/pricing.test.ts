import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paise } from '#lib/money.ts'
import { cartTotal, discounted } from '#lib/pricing.ts'

const anyPrice = fc.integer({ min: 0, max: 1_000_000_000 }).map(paise)
const anyPercent = fc.integer({ min: 0, max: 100 })

describe('a discounted price', () => {
  test('is the price times (100 - percent) / 100', () => {
    expect(discounted(paise(18_000), 20)).toBe(14_400)
    expect(discounted(paise(18_000), 0)).toBe(18_000)
    expect(discounted(paise(18_000), 100)).toBe(0)
  })

  test('is rounded half up to the paisa', () => {
    // 45 % off ₹0.10 leaves 5.5 paise, 15 % off ₹1.01 leaves 85.85.
    expect(discounted(paise(10), 45)).toBe(6)
    expect(discounted(paise(101), 15)).toBe(86)
  })

  test('is what exact arithmetic gives, for every price and percentage', () => {
    fc.assert(
      fc.property(anyPrice, anyPercent, (price, percent) => {
        const exact = (BigInt(price) * BigInt(100 - percent) * 2n + 100n) / 200n
        expect(discounted(price, percent)).toBe(Number(exact))
      })
    )
  })

  test('is never negative, never more than the price, and never rises with the percentage', () => {
    fc.assert(
      fc.property(anyPrice, anyPercent, fc.integer({ min: 0, max: 99 }), (price, percent, less) => {
        const left = discounted(price, percent)
        expect(left).toBeGreaterThanOrEqual(0)
        expect(left).toBeLessThanOrEqual(price)
        expect(discounted(price, Math.min(less, percent))).toBeGreaterThanOrEqual(left)
      })
    )
  })
})

describe('the cart total', () => {
  test('is the sum of price times count over all lines', () => {
    expect(
      cartTotal([
        { price: paise(18_000), count: 2 },
        { price: paise(9_950), count: 3 }
      ])
    ).toBe(65_850)
  })

  test('of an empty cart is nothing', () => {
    expect(cartTotal([])).toBe(0)
  })

  test('does not depend on the order of the lines', () => {
    const line = fc.record({ price: anyPrice, count: fc.integer({ min: 1, max: 99 }) })
    fc.assert(fc.property(fc.array(line), lines => cartTotal(lines) === cartTotal(lines.toReversed())))
  })
})
