import { describe, expect, test } from 'vitest'
import { deliveryDateProblem, deliveryDates } from '#lib/checkout/delivery-dates.ts'
import { formatDay } from '#lib/delivery.ts'

// 23:59 and midnight in India.
const LATE = Date.parse('2026-11-21T18:29:59Z')
const NEXT = Date.parse('2026-11-21T18:30:00Z')

describe('the delivery dates', () => {
  test('begin two days from today in India, whatever the day is elsewhere', () => {
    expect(deliveryDates(LATE)[0]).toBe('2026-11-23')
    expect(deliveryDates(NEXT)[0]).toBe('2026-11-24')
  })

  test('are real days, each once, to the thirtieth day', () => {
    const dates = deliveryDates(LATE)
    expect(dates).toHaveLength(29)
    expect(new Set(dates).size).toBe(29)
    expect(dates.slice(6, 10)).toEqual(['2026-11-29', '2026-11-30', '2026-12-01', '2026-12-02'])
    expect(dates.at(-1)).toBe('2026-12-21')
  })

  test('are written as people say them', () => {
    expect(formatDay('2026-11-23')).toBe('Monday, 23 November')
  })
})

describe('a chosen day', () => {
  test('may be left out', () => expect(deliveryDateProblem('', LATE)).toBeUndefined())
  test('is one of them', () => {
    for (const date of deliveryDates(LATE)) expect(deliveryDateProblem(date, LATE)).toBeUndefined()
  })
  test('has become too early on a page that stood open over midnight', () => {
    expect(deliveryDateProblem('2026-11-23', NEXT)).toBe(
      'This date is too soon for us to cook and deliver. Please choose a later one.'
    )
  })
  test.for(['2026-12-22', 'tomorrow', '23-11-2026', '2026-1-5'])('is not %s', date => {
    expect(deliveryDateProblem(date, LATE)).toBe('Please choose one of the delivery dates')
  })
})
