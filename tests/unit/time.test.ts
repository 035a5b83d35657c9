import { describe, expect, test } from 'vitest'
import {
  BANNER_INTERVAL,
  DAY,
  formatDate,
  formatDayAndTime,
  HOUR,
  listMonths,
  toYearInIndia
} from '#lib/time.ts'

describe('Durations', () => {
  test('are in milliseconds', () => {
    expect(HOUR).toBe(3_600_000)
    expect(DAY).toBe(86_400_000)
    expect(BANNER_INTERVAL).toBe(3000)
  })
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

describe('Months', () => {
  test('begin with this month in India and go back over New Year', () => {
    expect(listMonths(Date.parse('2027-01-31T18:29:59.000Z'), 2)).toEqual([
      ['2027-01', 'January 2027'],
      ['2026-12', 'December 2026']
    ])
    expect(listMonths(Date.parse('2027-01-31T18:30:00.000Z'), 1)).toEqual([
      ['2027-02', 'February 2027']
    ])
  })
})

describe('Year in India', () => {
  test('changes at midnight in India', () => {
    expect(toYearInIndia(Date.parse('2026-12-31T18:29:59.999Z'))).toBe(2026)
    expect(toYearInIndia(Date.parse('2026-12-31T18:30:00.000Z'))).toBe(2027)
  })
})
