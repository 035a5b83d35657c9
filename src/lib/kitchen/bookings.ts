import { isKitchenOpen } from '../delivery/calendar.ts'
import { toDayState, type DayLoad, type DeliveryRules } from '../delivery/terms.ts'
import { addDays } from '../time.ts'

export interface BookedDay extends DayLoad {
  day: string
  /** `past`: nobody can order for this day any more. `holiday`: the week day or the shop's holiday. */
  state: 'past' | 'open' | 'few' | 'full' | 'closed' | 'holiday'
}

/** All days of a month such as '2026-11'. `today` is a day in India. */
export function listBookedDays(
  month: string,
  booked: readonly (DayLoad & { day: string })[],
  { calendar, closed }: Pick<DeliveryRules, 'calendar' | 'closed'>,
  today: string
): BookedDay[] {
  const days: BookedDay[] = []
  for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) {
    const { orders, units } = booked.find(row => row.day === day) ?? { orders: 0, units: 0 }
    days.push({ day, orders, units, state: findState(day, { orders, units }) })
  }
  return days

  function findState(day: string, load: DayLoad): BookedDay['state'] {
    if (day < today) return 'past'
    if (calendar.closedDates.includes(day)) return 'closed'
    const isOpen = isKitchenOpen({ ...calendar, closed }, day)
    const state = toDayState({ date: day, kitchenDay: day, isOpen }, load, calendar, 1)
    return state === 'closed' ? 'holiday' : state
  }
}

/** Days that are over leave the list, which is limited. `today` is a day in India. */
export function toggleClosedDate(dates: readonly string[], day: string, today: string): string[] {
  const others = dates.filter(date => date !== day && date >= today)
  return dates.includes(day) ? others : [...others, day].toSorted()
}
