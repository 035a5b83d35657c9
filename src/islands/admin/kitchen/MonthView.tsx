import { useState } from 'react'
import type { BookedDay } from '#lib/kitchen/day.ts'
import { formatCount } from '#lib/messages.ts'
import { formatDay } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import { type MonthOfBookings, readBookings, setDayClosed } from '#lib/stores/admin/kitchen-day.ts'
import { toastErrors } from '#lib/stores/admin/notices.ts'
import { notify } from '#lib/stores/toasts.ts'
import { addDays, formatMonth, formatShortDay, toDayInIndia } from '#lib/time.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { toQuery } from '../../ui/history.ts'
import { Load, Note, viewLink } from '../ui/views.tsx'

const DAY_CHANGED = 'Someone else changed the delivery days. Please try again.'
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

export function MonthView({ month: wanted = '' }: { month: string | undefined }) {
  const month = MONTH.test(wanted) ? wanted : toDayInIndia(Date.now()).slice(0, 7)
  const previous = addDays(`${month}-01`, -1).slice(0, 7)
  const next = addDays(`${month}-28`, 4).slice(0, 7)
  const monthLink = (other: string) => viewLink({ view: 'month', month: other })
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="mr-auto text-lg lg:text-xl">Bookings, {formatMonth(month)}</h2>
        <div className="flex gap-3">
          <ButtonLink label="‹" aria-label="Previous month" {...monthLink(previous)} />
          <ButtonLink label="›" aria-label="Next month" {...monthLink(next)} />
        </div>
      </div>
      <Load id={month} label="bookings" read={() => readBookings(month)}>
        {(bookings, reload) => <Days bookings={bookings} onChange={reload} />}
      </Load>
    </div>
  )
}

// By week day, from Sunday. Tailwind finds only whole class names.
const COLUMNS = [
  'lg:col-start-7',
  'lg:col-start-1',
  'lg:col-start-2',
  'lg:col-start-3',
  'lg:col-start-4',
  'lg:col-start-5',
  'lg:col-start-6'
]

const STATES: Record<BookedDay['state'], string> = {
  past: 'Past',
  late: 'Too late to order',
  open: 'Open',
  few: 'Nearly full',
  full: 'Full',
  closed: 'Closed',
  holiday: 'Closed: weekly or holiday'
}

interface DaysProps {
  bookings: MonthOfBookings
  onChange: () => Promise<void>
}

function Days({ bookings: { days, calendar }, onChange }: DaysProps) {
  const [saving, setSaving] = useState(0)
  const { ordersPerDay, unitsPerDay } = calendar.value
  const areAllPast = days.every(({ state }) => state === 'past')
  const toggle = async (day: string, isClosed: boolean) => {
    setSaving(count => count + 1)
    const error = await toastErrors(
      () => setDayClosed(calendar, day, isClosed),
      'The day could not be changed.',
      'day'
    )
    if (error?.code === 'EDIT_CONFLICT')
      notify({ title: DAY_CHANGED, kind: 'destructive', topic: 'day' })
    await onChange()
    setSaving(count => count - 1)
  }
  return (
    <>
      <ol className="grid gap-2 lg:grid-cols-7">
        {days.map(({ day, orders, units, state }) => (
          <li
            key={day}
            className={
              'card items-center gap-3 p-3 lg:flex-col lg:items-stretch lg:gap-1 ' +
              `${COLUMNS[new Date(day).getUTCDay()]} ` +
              `${state === 'past' && !areAllPast ? 'hidden lg:flex' : 'flex'}`
            }
          >
            <div className="min-w-0 grow">
              <a {...viewLink({ date: day })} className="link font-semibold">
                {formatShortDay(day)}
              </a>
              <p className="text-sm">
                {toLoadText(orders, ordersPerDay, 'order')}
                <br />
                {toLoadText(units, unitsPerDay, 'pack')}
              </p>
              <p className={`text-sm font-semibold ${CLOSED.includes(state) ? 'text-chilli' : ''}`}>
                {STATES[state]}
              </p>
            </div>
            {!WITHOUT_BUTTON.includes(state) && (
              <Button
                label={state === 'closed' ? 'Open' : 'Close'}
                aria-label={`${state === 'closed' ? 'Open' : 'Close'} ${formatDay(day)}`}
                className="shrink-0"
                busy={saving > 0}
                onClick={() => void toggle(day, state !== 'closed')}
              />
            )}
          </li>
        ))}
      </ol>
      <Note>
        Orders that are already placed stay when a day is closed.{' '}
        <a href={`${paths.adminSettings}${toQuery({ section: 'calendar' })}`} className="link">
          Limits and weekly closed days
        </a>
      </Note>
    </>
  )
}

const CLOSED: readonly BookedDay['state'][] = ['full', 'closed', 'holiday']
const WITHOUT_BUTTON: readonly BookedDay['state'][] = ['past', 'late', 'holiday']

function toLoadText(taken: number, limit: number, noun: string) {
  return limit === 0 ? formatCount(taken, noun) : `${taken} of ${formatCount(limit, noun)}`
}
