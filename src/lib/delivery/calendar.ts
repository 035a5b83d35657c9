import { CHECKOUT_MESSAGES } from '../checkout/messages.ts'
import { isClosedOn, type ClosedDays } from '../closed-days.ts'
import type { Settings } from '../contract/settings.ts'
import { addDays, toDayInIndia, toIndianDateTime } from '../time.ts'

/** What decides on which days an order can be delivered. Days are days in India, such as '2026-11-24'. */
export interface Calendar extends Pick<
  Settings['calendar'],
  'leadDays' | 'cutOff' | 'closedWeekdays' | 'closedDates' | 'daysAhead' | 'longDaysAhead'
> {
  /** The shop's holiday. */
  closed: ClosedDays
}

export interface OrderTime {
  now: number
  /** Days that the products take longer than the calendar's lead days. */
  extraLead?: number
  /** Days from the kitchen to the shopper. */
  transit?: number
  /** True if the order has a product of a category that can be ordered long ahead. */
  isLong?: boolean
}

export interface DeliveryDay {
  /** The day of delivery or pickup, which the shopper chooses. */
  date: string
  /** The day on which the kitchen cooks and packs. The day's capacity counts on this day. */
  kitchenDay: string
  /** False if the kitchen does not work on `kitchenDay`. Capacity is not considered. */
  isOpen: boolean
}

/** Returns all days from the earliest to the latest on which an order that is placed now can be delivered. */
export function listDays(
  calendar: Calendar,
  { now, extraLead = 0, transit = 0, isLong = false }: OrderTime
): DeliveryDay[] {
  const { leadDays, daysAhead, longDaysAhead } = calendar
  const today = toDayInIndia(now)
  const first = addDays(today, (isAfterCutOff(calendar, now) ? 1 : 0) + leadDays + extraLead + transit)
  const last = addDays(today, isLong ? Math.max(daysAhead, longDaysAhead) : daysAhead)
  const days: DeliveryDay[] = []
  for (let date = first; date <= last; date = addDays(date, 1)) {
    const kitchenDay = addDays(date, -transit)
    days.push({ date, kitchenDay, isOpen: isKitchenOpen(calendar, kitchenDay) })
  }
  return days
}

/** Also rejects a date that was valid when it was chosen but has become too early since. */
export function findDateProblem(
  days: readonly Pick<DeliveryDay, 'date' | 'isOpen'>[],
  date: string
): string | undefined {
  if (date === '') return undefined
  const day = days.find(each => each.date === date)
  if (day) return day.isOpen ? undefined : CHECKOUT_MESSAGES.deliveryDateClosed
  const isTooEarly = /^\d{4}-\d{2}-\d{2}$/.test(date) && date < (days[0]?.date ?? '')
  return isTooEarly ? CHECKOUT_MESSAGES.deliveryDateTooEarly : CHECKOUT_MESSAGES.deliveryDateInvalid
}

function isAfterCutOff({ cutOff }: Calendar, now: number): boolean {
  return cutOff !== '' && toIndianDateTime(new Date(now).toISOString()).slice(11) >= cutOff
}

export function isKitchenOpen(
  { closedWeekdays, closedDates, closed }: Pick<Calendar, 'closedWeekdays' | 'closedDates' | 'closed'>,
  day: string
): boolean {
  const weekday = new Date(day).getUTCDay()
  return !closedWeekdays.includes(weekday) && !closedDates.includes(day) && !isClosedOn(closed, day)
}
