import { describe, expect, test } from 'vitest'
import {
  dealProblems,
  dealState,
  dealStateWords,
  lengthOf,
  lowestPrice,
  readPercent,
  termsOf,
  type DealValues
} from '#lib/admin/deal-form.ts'
import { MESSAGES } from '#lib/messages.ts'
import { atClockInIndia, clockInIndia } from '#lib/time.ts'

const VALUES: DealValues = {
  productId: 'laddu',
  discountPercentage: '20',
  startTime: '2026-11-21T09:30',
  endTime: '2026-11-21T18:00'
}
const TERMS = { discountPercentage: 20, startTime: '2026-11-21T04:00:00.000Z', endTime: '2026-11-21T12:30:00.000Z' }

describe('the form of a deal', () => {
  test('means the clocks of India, wherever the owner’s phone is', () => {
    expect(dealProblems(VALUES)).toEqual({})
    expect(termsOf(VALUES)).toEqual(TERMS)
    expect(clockInIndia('2026-12-31T20:00:00.000Z')).toBe('2027-01-01T01:30')
    expect(atClockInIndia('tomorrow')).toBeUndefined()
  })

  test('keeps an instant that nobody has touched, seconds and all', () => {
    const start = { ...TERMS, startTime: '2026-11-21T04:00:12.345Z' }
    expect(termsOf(VALUES, start)).toEqual(start)
  })

  test.for([
    [{ productId: '' }, { productId: MESSAGES.dealProductRequired }],
    [{ discountPercentage: '' }, { discountPercentage: MESSAGES.dealPercentInvalid }],
    [{ discountPercentage: '101' }, { discountPercentage: MESSAGES.dealPercentInvalid }],
    [{ discountPercentage: '-1' }, { discountPercentage: MESSAGES.dealPercentInvalid }],
    [{ discountPercentage: '7.5' }, { discountPercentage: MESSAGES.dealPercentInvalid }],
    [{ startTime: '' }, { startTime: MESSAGES.dealTimeInvalid }],
    [{ endTime: '' }, { endTime: MESSAGES.dealTimeInvalid }],
    [{ endTime: VALUES.startTime }, { endTime: MESSAGES.dealEndTooEarly }]
  ] as const)('says what is wrong with %o', ([change, problems]) => {
    expect(dealProblems({ ...VALUES, ...change })).toEqual(problems)
  })

  test('takes 0 to 100, and leaves it to the shop to refuse 0', () => {
    expect(['0', '100', ' 7 '].map(readPercent)).toEqual([0, 100, 7])
    expect(dealProblems({ ...VALUES, discountPercentage: '0' })).toEqual({})
  })

  test('shows what the luckiest draw pays, to the paisa', () => {
    expect([lowestPrice(180.05, 10), lowestPrice(180, 100), lowestPrice(180, 0)]).toEqual([162.05, 0, 180])
  })

  test('says how long the deal runs, once that is known', () => {
    expect(lengthOf(VALUES)).toBe('Runs for 8 h 30 min')
    expect(lengthOf({ ...VALUES, endTime: '2026-11-21T12:30' })).toBe('Runs for 3 h')
    expect(lengthOf({ ...VALUES, endTime: '2026-11-23T09:30' })).toBe('Runs for 2 days')
    expect(lengthOf({ ...VALUES, endTime: '' })).toBeUndefined()
    expect(lengthOf({ ...VALUES, endTime: VALUES.startTime })).toBeUndefined()
  })
})

describe('a deal', () => {
  const at = (iso: string): number => Date.parse(iso)

  test('is coming, running and over by the clock, the end not included', () => {
    const states = ['03:59:59.999', '04:00:00.000', '12:29:59.999', '12:30:00.000']
    expect(states.map(time => dealState(TERMS, at(`2026-11-21T${time}Z`)))).toEqual([
      'coming',
      'running',
      'running',
      'over'
    ])
  })

  test('says so in words', () => {
    const words = (time: string, hidden = false): string =>
      dealStateWords({ ...TERMS, hidden }, at(`2026-11-21T${time}:00.000Z`))
    expect(words('03:30')).toBe('Coming, starts in 30 min 00 s')
    expect(words('04:00')).toBe('Running, 8 h 30 min left')
    expect(words('04:00', true)).toBe('Hidden with its product')
    expect(words('13:00', true)).toBe('Over')
  })
})
