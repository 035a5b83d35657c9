import { describe, expect, test } from 'vitest'
import { calendarOf } from '#lib/checkout/checkout-form.ts'
import { findDateProblem, listDays, type Calendar, type OrderTime } from '#lib/delivery/calendar.ts'
import { SECOND } from '#lib/time.ts'
import { SHOP } from '../../support/orders.ts'

// One second before midnight in India, and midnight.
const BEFORE_MIDNIGHT = Date.parse('2026-11-21T18:29:59Z')
const MIDNIGHT = BEFORE_MIDNIGHT + SECOND

const calendar = (changes: Partial<Calendar> = {}) => ({
  ...calendarOf(SHOP),
  ...changes
})

function openDays(changes: Partial<Calendar>, now: number, order: Omit<OrderTime, 'now'> = {}) {
  const days = listDays(calendar(changes), { now, ...order })
  return days.filter(({ isOpen }) => isOpen).map(({ date }) => date)
}

/** Time in India. */
const at = (text: string) => Date.parse(`${text}+05:30`)

describe('Delivery days without rules', () => {
  test('start two days from today in Indian time, and end 30 days from today', () => {
    expect(openDays({}, MIDNIGHT)[0]).toBe('2026-11-24')
    const dates = openDays({}, BEFORE_MIDNIGHT)
    expect([dates[0], dates.at(-1)]).toEqual(['2026-11-23', '2026-12-21'])
    expect([dates.length, new Set(dates).size]).toEqual([29, 29])
    expect(dates.slice(6, 10)).toEqual(['2026-11-29', '2026-11-30', '2026-12-01', '2026-12-02'])
  })

  test('leave out the days on which the shop is closed', () => {
    const closed = { from: '2026-11-23', until: '2026-11-25', message: '' }
    expect(openDays({ closed }, BEFORE_MIDNIGHT)[0]).toBe('2026-11-26')
    expect(openDays({ closed: { ...closed, until: '2027-01-31' } }, BEFORE_MIDNIGHT)).toEqual([])
  })
})

describe('Delivery days with rules', () => {
  test.for([
    ['2026-11-24T17:59:59', '2026-11-26'],
    ['2026-11-24T18:00:00', '2026-11-27'],
    ['2026-11-25T00:00:00', '2026-11-27']
  ] as const)(
    'an order at %s with the cut-off at 18:00 is first delivered on %s',
    ([time, first]) => {
      expect(openDays({ cutOff: '18:00' }, at(time))[0]).toBe(first)
    }
  )

  test('closed weekdays and dates are left out, and count as lead days', () => {
    // 24 November 2026 is a Tuesday.
    const rules = { closedWeekdays: [0, 4], closedDates: ['2026-11-27'] }
    const days = openDays(rules, at('2026-11-24T12:00:00'))
    expect(days.slice(0, 3)).toEqual(['2026-11-28', '2026-11-30', '2026-12-01'])
  })

  test('a courier needs its transit days after the kitchen day, which must be open', () => {
    const [first, second] = listDays(calendar({ closedWeekdays: [4] }), {
      now: at('2026-11-24T12:00:00'),
      transit: 3
    })
    // The kitchen is closed on Thursday 26, so nothing arrives on Sunday 29; the courier may come
    // on any weekday.
    expect(first).toEqual({ date: '2026-11-29', kitchenDay: '2026-11-26', isOpen: false })
    expect(second).toEqual({ date: '2026-11-30', kitchenDay: '2026-11-27', isOpen: true })
  })

  test('categories ordered long ahead extend the days', () => {
    const now = at('2026-11-24T12:00:00')
    expect(openDays({}, now).at(-1)).toBe('2026-12-24')
    expect(openDays({}, now, { isLong: true }).at(-1)).toBe('2027-03-24')
    expect(openDays({ daysAhead: 150 }, now, { isLong: true }).at(-1)).toBe('2027-04-23')
  })

  test('a lead time beyond the last day leaves no day', () => {
    expect(openDays({ daysAhead: 7 }, MIDNIGHT, { extraLead: 6 })).toEqual([])
  })
})

describe('Chosen delivery date', () => {
  const problem = (date: string, now: number, changes: Partial<Calendar> = {}) =>
    findDateProblem(listDays(calendar(changes), { now }), date)

  test('is optional, and can be any of the offered dates', () => {
    for (const date of ['', ...openDays({}, BEFORE_MIDNIGHT)])
      expect(problem(date, BEFORE_MIDNIGHT)).toBeUndefined()
  })

  test('is refused if midnight or the cut-off has passed since it was offered', () => {
    const tooSoon = 'This date is too soon. Please choose a later one.'
    expect(problem('2026-11-23', MIDNIGHT)).toBe(tooSoon)
    const rules = { cutOff: '18:00' }
    expect(problem('2026-11-26', at('2026-11-24T17:59:59'), rules)).toBeUndefined()
    expect(problem('2026-11-26', at('2026-11-24T18:00:00'), rules)).toBe(tooSoon)
  })

  test('cannot be a closed day', () => {
    const closed = { from: '2026-11-25', until: '2026-11-25', message: '' }
    const dates = ['2026-11-24', '2026-11-25', '2026-11-26']
    expect(dates.map(date => problem(date, BEFORE_MIDNIGHT, { closed }))).toEqual([
      undefined,
      'We are closed on this day. Please choose another one.',
      undefined
    ])
  })
  test.for(['2026-12-22', '2026-1-5'])('cannot be %s', date => {
    expect(problem(date, BEFORE_MIDNIGHT)).toBe('Please choose one of the delivery dates')
  })
})
