import { api } from '../../api.ts'
import type { Settings, StoredSection } from '../../contract/settings.ts'
import { listBookedDays, toggleClosedDate, type BookedDay } from '../../kitchen/bookings.ts'
import { dayClosedText, dayOpenedText } from '../../kitchen/messages.ts'
import { formatDay } from '../../order.ts'
import { toDayInIndia } from '../../time.ts'
import { notify } from '../toasts.ts'

export interface MonthOfBookings {
  days: BookedDay[]
  limits: Pick<Settings['calendar'], 'ordersPerDay' | 'unitsPerDay'>
  calendar: StoredSection<'calendar'>
}

/** `month` is for example '2026-11'. */
export async function readBookings(month: string): Promise<MonthOfBookings> {
  const [booked, calendar, orders] = await Promise.all([
    api('GET /admin/kitchen/bookings', { query: { month } }),
    api('GET /admin/settings/calendar'),
    api('GET /admin/settings/orders')
  ])
  const rules = { calendar: calendar.value, closed: orders.value.closed }
  return { days: listBookedDays(month, booked, rules, toDayInIndia(Date.now())), limits: calendar.value, calendar }
}

/** Closes an open day for orders, or opens a closed one. Throws EDIT_CONFLICT if somebody else saved the calendar. */
export async function toggleDay({ value, version }: StoredSection<'calendar'>, day: string): Promise<void> {
  const closedDates = toggleClosedDate(value.closedDates, day, toDayInIndia(Date.now()))
  await api('PUT /admin/settings/calendar', { body: { value: { ...value, closedDates }, version } })
  const name = formatDay(day)
  notify({ title: closedDates.includes(day) ? dayClosedText(name) : dayOpenedText(name) })
}
