import { describe, expect, test } from 'vitest'
import { deliveryDateProblem, deliveryDates } from '#lib/checkout/delivery-dates.ts'
import { formatDay } from '#lib/delivery.ts'

// 23:59 and midnight in India.
const BEFORE_MIDNIGHT = Date.parse('2026-11-21T18:29:59Z')
const MIDNIGHT = Date.parse('2026-11-21T18:30:00Z')

describe('Delivery dates', () => {
  test('start two days from today in Indian time', () => {
    expect(deliveryDates(BEFORE_MIDNIGHT)[0]).toBe('2026-11-23')
    expect(deliveryDates(MIDNIGHT)[0]).toBe('2026-11-24')
  })

  test('end on the thirtieth day, without duplicates', () => {
    const dates = deliveryDates(BEFORE_MIDNIGHT)
    expect(dates).toHaveLength(29)
    expect(new Set(dates).size).toBe(29)
    expect(dates.slice(6, 10)).toEqual(['2026-11-29', '2026-11-30', '2026-12-01', '2026-12-02'])
    expect(dates.at(-1)).toBe('2026-12-21')
  })

  test('are formatted with weekday and month', () => {
    expect(formatDay('2026-11-23')).toBe('Monday, 23 November')
  })
})

describe('Chosen delivery date', () => {
  test('is optional', () => expect(deliveryDateProblem('', BEFORE_MIDNIGHT)).toBeUndefined())
  test('accepts every offered date', () => {
    for (const date of deliveryDates(BEFORE_MIDNIGHT))
      expect(deliveryDateProblem(date, BEFORE_MIDNIGHT)).toBeUndefined()
  })
  test('reports a date that became too early at midnight', () => {
    expect(deliveryDateProblem('2026-11-23', MIDNIGHT)).toBe('This date is too soon. Please choose a later one.')
  })
  test.for(['2026-12-22', 'tomorrow', '23-11-2026', '2026-1-5'])('rejects %s', date => {
    expect(deliveryDateProblem(date, BEFORE_MIDNIGHT)).toBe('Please choose one of the delivery dates')
  })
})
