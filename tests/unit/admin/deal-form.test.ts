import { describe, expect, test } from 'vitest'
import {
  DEAL_FORM,
  toDealState,
  formatDealState,
  formatRunTime,
  parsePercent,
  type DealFields
} from '#lib/admin/discount-forms.ts'
import type { Typed } from '#lib/admin/fields.ts'
import { fromIndianDateTime, toIndianDateTime } from '#lib/time.ts'
import { ADMIN_TEXTS } from '#lib/contract/admin-texts.ts'

const VALUES = {
  productId: 'laddu',
  discountPercentage: '20',
  startTime: '2026-11-21T09:30',
  endTime: '2026-11-21T18:00'
}
const TERMS = {
  discountPercentage: 20,
  startTime: '2026-11-21T04:00:00.000Z',
  endTime: '2026-11-21T12:30:00.000Z'
}

const parse = (typed: Typed, before?: DealFields) => DEAL_FORM.parse(typed, before)
const check = (typed: Typed) => DEAL_FORM.check?.(parse(typed), typed)

describe('Deal form', () => {
  test('uses Indian time even if the computer has another time zone', () => {
    expect(check(VALUES)).toEqual({})
    expect(parse(VALUES)).toEqual({ productId: 'laddu', ...TERMS })
    expect(toIndianDateTime('2026-12-31T20:00:00.000Z')).toBe('2027-01-01T01:30')
    expect(fromIndianDateTime('tomorrow')).toBeUndefined()
  })

  test('keeps the seconds of an unchanged start time', () => {
    const start = { productId: 'laddu', ...TERMS, startTime: '2026-11-21T04:00:12.345Z' }
    expect(parse(VALUES, start)).toEqual(start)
  })

  test.for([
    [{ productId: '' }, { productId: ADMIN_TEXTS.dealProductRequired }],
    [{ discountPercentage: '101' }, { discountPercentage: ADMIN_TEXTS.dealPercentInvalid }],
    [{ discountPercentage: '-1' }, { discountPercentage: ADMIN_TEXTS.dealPercentInvalid }],
    [{ discountPercentage: '7.505' }, { discountPercentage: ADMIN_TEXTS.dealPercentInvalid }],
    [{ startTime: '' }, { startTime: ADMIN_TEXTS.dealStartRequired }],
    [{ endTime: '' }, { endTime: ADMIN_TEXTS.dealEndRequired }],
    [{ endTime: VALUES.startTime }, { endTime: ADMIN_TEXTS.dealEndTooEarly }]
  ] as const)('reports an error for %o', ([change, problems]) => {
    expect(check({ ...VALUES, ...change })).toEqual(problems)
  })

  test('accepts 0 to 100 percent', () => {
    expect(['0', '100', ' 7 ', '12.5'].map(parsePercent)).toEqual([0, 100, 7, 12.5])
    expect(check({ ...VALUES, discountPercentage: '0' })).toEqual({})
  })

  test('shows how long the deal runs if both times are valid', () => {
    expect(formatRunTime(VALUES)).toBe('Runs for 8 h 30 min')
    expect(formatRunTime({ ...VALUES, endTime: '2026-11-23T09:30' })).toBe('Runs for 2 days')
    expect(formatRunTime({ ...VALUES, endTime: '' })).toBeUndefined()
  })
})

describe('State of a deal', () => {
  const NOW = Date.parse(TERMS.startTime)

  test('is scheduled before the start time, running from the start time, and ended from the end time', () => {
    const states = ['03:59:59.999', '04:00:00.000', '12:29:59.999', '12:30:00.000']
    expect(states.map(time => toDealState(TERMS, Date.parse(`2026-11-21T${time}Z`)))).toEqual([
      'scheduled',
      'running',
      'running',
      'ended'
    ])
  })

  test('is described with the time left', () => {
    const stateText = (time: string, hidden = false) =>
      formatDealState({ ...TERMS, hidden }, Date.parse(`2026-11-21T${time}:00.000Z`))
    expect(stateText('03:30')).toBe('Scheduled, starts in 30 min 00 s')
    expect(stateText('04:00')).toBe('Running, 8 h 30 min left')
    expect(stateText('04:00', true)).toBe('Hidden, like its product')
    expect(stateText('13:00', true)).toBe('Ended')
    expect(formatDealState({ ...TERMS, discountPercentage: 0.5, hidden: false }, NOW)).toBe(
      'Not shown, less than 1%'
    )
  })
})
