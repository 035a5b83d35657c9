import { describe, expect, test } from 'vitest'
import { NEVER_CLOSED } from '#lib/closed-days.ts'
import { formatDay, listDeliveryDates, validateDeliveryDate } from '#lib/order.ts'

// One second before midnight in India, and midnight.
const BEFORE_MIDNIGHT = Date.parse('2026-11-21T18:29:59Z')
const MIDNIGHT = Date.parse('2026-11-21T18:30:00Z')

describe('Delivery dates', () => {
  test('start two days from today in Indian time', () => {
    expect(listDeliveryDates(BEFORE_MIDNIGHT, NEVER_CLOSED)[0]).toBe('2026-11-23')
    expect(listDeliveryDates(MIDNIGHT, NEVER_CLOSED)[0]).toBe('2026-11-24')
  })

  test('end 30 days from today and contain no date twice', () => {
    const dates = listDeliveryDates(BEFORE_MIDNIGHT, NEVER_CLOSED)
    expect(dates).toHaveLength(29)
    expect(new Set(dates).size).toBe(29)
    expect(dates.slice(6, 10)).toEqual(['2026-11-29', '2026-11-30', '2026-12-01', '2026-12-02'])
    expect(dates.at(-1)).toBe('2026-12-21')
  })

  test('leave out the days on which the shop is closed', () => {
    const closed = { from: '2026-11-23', until: '2026-11-25', message: '' }
    expect(listDeliveryDates(BEFORE_MIDNIGHT, closed)[0]).toBe('2026-11-26')
    expect(listDeliveryDates(BEFORE_MIDNIGHT, { ...closed, until: '2027-01-31' })).toEqual([])
  })

  test('are formatted with weekday and month', () => {
    expect(formatDay('2026-11-23')).toBe('Monday, 23 November')
  })
})

describe('Chosen delivery date', () => {
  test('is optional', () => expect(validateDeliveryDate('', BEFORE_MIDNIGHT, NEVER_CLOSED)).toBeUndefined())
  test('can be any of the offered dates', () => {
    for (const date of listDeliveryDates(BEFORE_MIDNIGHT, NEVER_CLOSED))
      expect(validateDeliveryDate(date, BEFORE_MIDNIGHT, NEVER_CLOSED)).toBeUndefined()
  })
  test('is refused if it was offered before midnight but is now too early', () => {
    expect(validateDeliveryDate('2026-11-23', MIDNIGHT, NEVER_CLOSED)).toBe(
      'This date is too soon. Please choose a later one.'
    )
  })
  test('cannot be a closed day', () => {
    const closed = { from: '2026-11-25', until: '2026-11-25', message: '' }
    const dates = ['2026-11-24', '2026-11-25', '2026-11-26']
    expect(dates.map(date => validateDeliveryDate(date, BEFORE_MIDNIGHT, closed))).toEqual([
      undefined,
      'We are closed on this day. Please choose another one.',
      undefined
    ])
  })
  test.for(['2026-12-22', 'tomorrow', '23-11-2026', '2026-1-5'])('cannot be %s', date => {
    expect(validateDeliveryDate(date, BEFORE_MIDNIGHT, NEVER_CLOSED)).toBe('Please choose one of the delivery dates')
  })
})
