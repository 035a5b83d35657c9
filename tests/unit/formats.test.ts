import { describe, expect, test } from 'vitest'
import { formatPaise, formatRupees, fromRupees, toPaise, sumPaise } from '#lib/money.ts'
import { formatHours } from '#lib/contract/formats.ts'
import { formatAmountInWords } from '#lib/tax/invoice.ts'
import { formatPack, formatUnitPrice, toStockLevel } from '#lib/product.ts'
import { formatDate, formatDayAndTime, listMonths, toYearInIndia } from '#lib/time.ts'

test('Paise must be whole numbers', () => {
  for (const wrong of [0.5, NaN, Infinity, 2 ** 53])
    expect(() => toPaise(wrong)).toThrow(RangeError)
})

test('Rupees with more than two decimals are rounded half up, despite binary floating-point representation', () => {
  expect(fromRupees(1.005)).toBe(101)
  expect(fromRupees(8.345)).toBe(835)
  expect(fromRupees(180.504)).toBe(18_050)
})

test('A formatted price has a rupee sign, two decimals and Indian digit grouping', () => {
  expect(formatRupees(180)).toBe('₹180.00')
  expect(formatPaise(sumPaise([]))).toBe('₹0.00')
  expect(formatPaise(toPaise(12_345_678))).toBe('₹1,23,456.78')
})

test.for([
  [0, 'Rupees Zero Only'],
  [1999, 'Rupees Nineteen and Ninety Nine Paise Only'],
  [100_050, 'Rupees One Thousand and Fifty Paise Only'],
  [1_234_567, 'Rupees Twelve Thousand Three Hundred Forty Five and Sixty Seven Paise Only'],
  [
    1_234_567_891_00,
    'Rupees One Hundred Twenty Three Crore Forty Five Lakh Sixty Seven Thousand Eight Hundred Ninety One Only'
  ]
] as const)('%d paise is written as %s', ([amount, text]) =>
  expect(formatAmountInWords(toPaise(amount))).toBe(text)
)

test.for([
  ['9 to 7', '9 am to 7 pm'],
  ['Mon–Sat 9.30-7', 'Mon–Sat 9.30 am to 7 pm'],
  ['9 am to 7', '9 am to 7 pm'],
  ['12 to 9, Sun 4 to 8', '12 pm to 9 pm, Sun 4 pm to 8 pm'],
  ...['9 am to 8 pm', '6-8 pm', '09:00–19:00', 'within 2-3 days', ''].map(typed => [typed, typed])
])('Opening hours %s are shown as %s', ([typed = '', shown]) =>
  expect(formatHours(typed)).toBe(shown)
)

const weight = (value: number, unit: string) => ({ value, unit, type: 'weight' })
const count = (value: number, unit: string) => ({ value, unit, type: 'count' })

test('A pack size is shown with its unit, in the plural for several pieces', () => {
  expect(formatPack(weight(1.5, 'kg'))).toBe('1.5 kg')
  expect(formatPack(count(1, 'piece'))).toBe('1 piece')
  expect(formatPack(count(12, 'piece'))).toBe('12 pieces')
  expect(formatPack(count(12, 'pcs'))).toBe('12 pcs')
})

test('The unit price is per 100 g, 100 ml or piece, and left out for just that pack', () => {
  expect(formatUnitPrice(180, weight(250, 'g'))).toBe('₹72.00 / 100 g')
  expect(formatUnitPrice(400, weight(1, 'kg'))).toBe('₹40.00 / 100 g')
  expect(formatUnitPrice(99.5, weight(0.5, 'l'))).toBe('₹19.90 / 100 ml')
  expect(formatUnitPrice(180, count(6, 'piece'))).toBe('₹30.00 / piece')
  expect(formatUnitPrice(80, weight(100, 'g'))).toBeUndefined()
  expect(formatUnitPrice(80, count(1, 'piece'))).toBeUndefined()
})

test('A stock of one to five packs is low', () => {
  expect([-1, 0, 1, 5, 6].map(toStockLevel)).toEqual(['out', 'out', 'low', 'low', 'in'])
})

describe('Formatted time', () => {
  test('is in Indian time on every machine', () => {
    expect(formatDate('2026-11-21T04:00:00.000Z')).toBe('21 November 2026')
    expect(formatDate('2026-11-21T18:30:00.000Z')).toBe('22 November 2026')
  })

  test('has weekday and hour', () => {
    // Some versions of Node put a narrow no-break space before "pm".
    expect(formatDayAndTime('2026-11-21T12:30:00.000Z').replace(/\s/g, ' ')).toMatch(
      /^Sat, 21 Nov, 6:00 pm$/i
    )
  })
})

test('Months begin with this month in India and go back over New Year', () => {
  expect(listMonths(Date.parse('2027-01-31T18:29:59.000Z'), 2)).toEqual([
    ['2027-01', 'January 2027'],
    ['2026-12', 'December 2026']
  ])
  expect(listMonths(Date.parse('2027-01-31T18:30:00.000Z'), 1)).toEqual([
    ['2027-02', 'February 2027']
  ])
})

test('The year changes at midnight in India', () => {
  expect(toYearInIndia(Date.parse('2026-12-31T18:29:59.999Z'))).toBe(2026)
  expect(toYearInIndia(Date.parse('2026-12-31T18:30:00.000Z'))).toBe(2027)
})
