import type { Settings } from '../contract/settings.ts'
import {
  addDays,
  DAY,
  formatShortDay,
  toDayInIndia,
  toIndianDateTime,
  toStartOfDay,
  type EpochMs
} from '../time.ts'
import { FIELD_TEXTS } from '../contract/formats.ts'
import { t } from '../contract/texts.ts'

export type ClosedDays = Settings['orders']['closed']

export const NEVER_CLOSED: ClosedDays = { from: '', until: '', message: '' }

export function isClosedOn({ from, until }: ClosedDays, day: string): boolean {
  return from !== '' && from <= day && day <= until
}

export function toOrderTime(closed: ClosedDays, now: EpochMs): EpochMs {
  return isClosedOn(closed, toDayInIndia(now))
    ? Date.parse(toStartOfDay(addDays(closed.until, 1)))
    : now
}

export function reopeningText({ until }: ClosedDays): string {
  return t('We take orders again from {day}.', { day: formatShortDay(addDays(until, 1)) })
}

export interface Calendar extends Pick<
  Settings['calendar'],
  'leadDays' | 'cutOff' | 'closedWeekdays' | 'closedDates' | 'daysAhead' | 'longDaysAhead'
> {
  closed: ClosedDays
}

export interface OrderTime {
  now: EpochMs
  extraLead?: number
  transit?: number
  isLong?: boolean
}

export interface DeliveryDay {
  date: string
  kitchenDay: string
  isOpen: boolean
}

export function listDays(
  calendar: Calendar,
  { now, extraLead = 0, transit = 0, isLong = false }: OrderTime
): DeliveryDay[] {
  const { leadDays, daysAhead, longDaysAhead } = calendar
  const today = Date.parse(toDayInIndia(now)) / DAY
  const lead = (isAfterCutOff(calendar, now) ? 1 : 0) + leadDays + extraLead
  const last = isLong ? Math.max(daysAhead, longDaysAhead) : daysAhead
  const days = Array.from({ length: Math.max(0, last - lead + 1) }, (_, index) =>
    toDay(today + lead + index)
  )
  return days.slice(transit).map((date, index) => {
    const kitchenDay = days[index] ?? date
    return { date, kitchenDay, isOpen: isKitchenOpen(calendar, kitchenDay) }
  })
}

// Cached, because formatting days takes most of a request's time.
const dayNames = new Map<number, string>()

function toDay(count: number) {
  const name = dayNames.get(count) ?? new Date(count * DAY).toISOString().slice(0, 10)
  dayNames.set(count, name)
  return name
}

export function findDateProblem(
  days: readonly Pick<DeliveryDay, 'date' | 'isOpen'>[],
  date: string
): string | undefined {
  if (date === '') return undefined
  const day = days.find(each => each.date === date)
  if (day)
    return day.isOpen ? undefined : t('We are closed on this day. Please choose another one.')
  const isTooEarly = /^\d{4}-\d{2}-\d{2}$/.test(date) && date < (days[0]?.date ?? '')
  return isTooEarly
    ? t('This date is too soon. Please choose a later one.')
    : FIELD_TEXTS.deliveryDateInvalid
}

function isAfterCutOff({ cutOff }: Calendar, now: number) {
  return cutOff !== '' && toIndianDateTime(new Date(now).toISOString()).slice(11) >= cutOff
}

export function isKitchenOpen(
  {
    closedWeekdays,
    closedDates,
    closed
  }: Pick<Calendar, 'closedWeekdays' | 'closedDates' | 'closed'>,
  day: string
): boolean {
  if (closedDates.includes(day) || isClosedOn(closed, day)) return false
  return !closedWeekdays.includes(new Date(day).getUTCDay())
}
