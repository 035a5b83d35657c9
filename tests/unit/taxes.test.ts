import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toPaise } from '#lib/money.ts'
import { formatSerialNumber } from '#lib/tax/invoice.ts'
import {
  findState,
  findStateByCode,
  findStateCode,
  formatSupplyState,
  isSameState,
  STATES,
  toStateTaxName
} from '#lib/contract/states.ts'
import { findTaxRule, splitTax, sumByRate, sumTaxes, toBasisPoints } from '#lib/tax/taxes.ts'

const RATES = [0, 0.25, 3, 5, 12, 18, 28, 40].map(toBasisPoints)

test.for([
  // A pack for ₹180.00 at 5%: 180 × 2.5 / 105 = 4.2857.
  [18_000, 5, false, { taxable: 17_142, cgst: 429, sgst: 429, igst: 0 }],
  [18_000, 5, true, { taxable: 17_143, cgst: 0, sgst: 0, igst: 857 }],
  [11_200, 12, false, { taxable: 10_000, cgst: 600, sgst: 600, igst: 0 }],
  // Half a paisa is rounded up.
  [21, 5, false, { taxable: 19, cgst: 1, sgst: 1, igst: 0 }],
  [18_000, 0, false, { taxable: 18_000, cgst: 0, sgst: 0, igst: 0 }],
  [0, 5, false, { taxable: 0, cgst: 0, sgst: 0, igst: 0 }]
] as const)(
  '%d paise at %d% (between states: %s) are split',
  ([gross, percent, isInterState, tax]) => {
    expect(splitTax(toPaise(gross), toBasisPoints(percent), isInterState)).toEqual(tax)
  }
)

test('the parts of every line add up to its price, and those of an invoice too, by rate', () => {
  const anyLine = fc
    .tuple(fc.integer({ min: 0, max: 9_900_000_000 }), fc.constantFrom(...RATES), fc.boolean())
    .map(([gross, rate, isInterState]) => ({
      ...{ gross, rate, isInterState },
      ...splitTax(toPaise(gross), rate, isInterState)
    }))
  fc.assert(
    fc.property(fc.array(anyLine), lines => {
      for (const { gross, isInterState, taxable, cgst, sgst, igst } of lines) {
        expect([taxable + cgst + sgst + igst, sgst]).toEqual([gross, cgst])
        expect(isInterState ? cgst : igst).toBe(0)
      }
      const byRate = sumByRate(lines)
      expect(sumTaxes(byRate)).toEqual(sumTaxes(lines))
      const rates = new Set(lines.map(({ rate }) => rate))
      expect(byRate.map(({ rate }) => rate)).toEqual([...rates].toSorted((a, b) => a - b))
    })
  )
})

test('each state of the checkout form has a GST code of its own, and each code leads back to it', () => {
  const codes = STATES.map(state => findStateCode(state) ?? '')
  expect(new Set(codes).size).toBe(STATES.length)
  expect(codes.map(findStateByCode)).toEqual(STATES)
  expect(STATES.map(findState)).toEqual(STATES)
  const numbers = Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0'))
  expect(numbers.filter(findStateByCode).toSorted()).toEqual(codes.toSorted())
})

test('a state is found by name, however it is typed, and by GSTIN', () => {
  expect(['tamilnadu', 'Tamil Nadu', 'TAMIL NADU'].map(findStateCode)).toEqual(['33', '33', '33'])
  expect(findStateCode('Ceylon')).toBeUndefined()
  const others = ['t.n.', 'Orissa', 'Jammu & Kashmir', 'UT', 'constructor']
  const found = ['Tamil Nadu', 'Odisha', 'Jammu and Kashmir', '', '']
  expect(others.map(findState)).toEqual(found)
  const pairs = [
    ['TN', 'tamilnadu'],
    ['TN', 'KA'],
    ['X', 'X']
  ] as const
  expect(pairs.map(([one, other]) => isSameState(one, other))).toEqual([true, false, false])
  expect(findStateByCode('29ABCDE1234F1ZW')).toBe('Karnataka')
  expect(formatSupplyState('29')).toBe('Karnataka (29)')
  expect(['33', '34', '04', '38'].map(toStateTaxName)).toEqual(['SGST', 'SGST', 'UTGST', 'UTGST'])
})

const rule = (rate: number, from: string) => ({ rate, hsn: '2106', from })
const settings = {
  rates: [
    { category: '', ...rule(5, '2025-09-22') },
    { category: 'sweets', ...rule(12, '2026-01-01') },
    { category: 'sweets', ...rule(18, '2026-12-01') },
    { category: '', ...rule(3, '2024-01-01') }
  ],
  products: [{ product: 'murukku', ...rule(0, '2026-11-22') }]
}

test.for([
  ['of the product', 'murukku', 'sweets', '2026-11-22', 0],
  ['of the category, while the product has none yet', 'murukku', 'sweets', '2026-11-21', 12],
  ['of the category', 'laddu', 'sweets', '2026-11-30', 12],
  ['that begins on this day', 'laddu', 'sweets', '2026-12-01', 18],
  ['of all other categories', 'laddu', 'pickles', '2026-11-30', 5],
  ['of that time', 'laddu', 'sweets', '2025-01-01', 3],
  ['missing before the first one', 'laddu', 'sweets', '2023-12-31', undefined]
] as const)('The rate is the one %s', ([, product, category, day, rate]) => {
  expect(findTaxRule(settings, { product, category }, day)?.rate).toBe(rate)
})

test('Serial numbers have at most 16 characters, up to 999,999 a year', () => {
  expect([1, 999_999].map(no => formatSerialNumber('PG', '26-27', no))).toEqual([
    'PG/26-27/000001',
    'PG/26-27/999999'
  ])
})
