import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatPaise,
  formatRupees,
  fromRupees,
  toPaise,
  multiply,
  toRupees,
  sumPaise
} from '#lib/money.ts'

/** Ten million rupees, in paise. */
const MAX_PAISE = 1_000_000_000
const anyPaise = fc.integer({ min: 0, max: MAX_PAISE }).map(toPaise)

describe('Paise', () => {
  test('must be whole numbers', () => {
    for (const wrong of [0.5, NaN, Infinity, 2 ** 53])
      expect(() => toPaise(wrong)).toThrow(RangeError)
  })

  test('are unchanged after conversion to rupees and back', () => {
    fc.assert(fc.property(anyPaise, amount => fromRupees(toRupees(amount)) === amount))
  })

  test('add up without floating-point errors', () => {
    expect(0.1 + 0.2).not.toBe(0.3)
    expect(sumPaise([fromRupees(0.1), fromRupees(0.2)])).toBe(fromRupees(0.3))
  })

  test('give the same result by multiplication and by repeated addition', () => {
    fc.assert(
      fc.property(anyPaise, fc.integer({ min: 0, max: 99 }), (price, count) => {
        expect(multiply(price, count)).toBe(sumPaise(Array.from({ length: count }, () => price)))
      })
    )
  })
})

describe('Rupees with more than two decimals', () => {
  test('are rounded half up, despite binary floating-point representation', () => {
    expect(fromRupees(1.005)).toBe(101)
    expect(fromRupees(8.345)).toBe(835)
    expect(fromRupees(180.504)).toBe(18_050)
  })

  test('change by at most half a paisa when rounded, and never become negative', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: MAX_PAISE / 100, noNaN: true }), rupees => {
        const rounded = fromRupees(rupees)
        expect(rounded).toBeGreaterThanOrEqual(0)
        expect(Math.abs(rounded - rupees * 100)).toBeLessThanOrEqual(0.5001)
      })
    )
  })
})

describe('Formatted price', () => {
  test('has a rupee sign, two decimals and Indian digit grouping', () => {
    expect(formatRupees(180)).toBe('₹180.00')
    expect(formatRupees(99.5)).toBe('₹99.50')
    expect(formatPaise(toPaise(12_345_678))).toBe('₹1,23,456.78')
  })

  test('is the same text that Intl.NumberFormat makes', () => {
    const indianFormat = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' })
    const amounts = fc.integer({ min: -MAX_PAISE, max: MAX_PAISE }).map(toPaise)
    fc.assert(
      fc.property(amounts, amount => formatPaise(amount) === indianFormat.format(toRupees(amount)))
    )
  })

  test('zero is ₹0.00', () => {
    expect(formatPaise(sumPaise([]))).toBe('₹0.00')
  })
})
