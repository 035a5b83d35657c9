import { useState } from 'react'
import { plural, t, texts } from '#lib/contract/texts.ts'
import type { BookedDay } from '#lib/kitchen/day.ts'
import { formatDay } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import { type MonthOfBookings, readBookings, setDayClosed } from '#lib/stores/admin/kitchen-day.ts'
import { toastErrors } from '#lib/stores/admin/notices.ts'
import { notify } from '#lib/stores/toasts.ts'
import { addDays, formatMonth, formatShortDay, toDayInIndia } from '#lib/time.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { toQuery } from '../../ui/history.ts'
import { Load, Note, viewLink } from '../ui/views.tsx'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

export function MonthView({ month: wanted = '' }: { month: string | undefined }) {
  const month = MONTH.test(wanted) ? wanted : toDayInIndia(Date.now()).slice(0, 7)
  const previous = addDays(`${month}-01`, -1).slice(0, 7)
  const next = addDays(`${month}-28`, 4).slice(0, 7)
  const monthLink = (other: string) => viewLink({ view: 'month', month: other })
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="mr-auto text-lg lg:text-xl">
          {t('Bookings, {month}', { month: formatMonth(month) })}
        </h2>
        <div className="flex gap-3">
          <ButtonLink label="‹" aria-label={t('Previous month')} {...monthLink(previous)} />
          <ButtonLink label="›" aria-label={t('Next month')} {...monthLink(next)} />
        </div>
      </div>
      <Load id={month} label={t('bookings')} read={() => readBookings(month)}>
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

const STATES: Record<BookedDay['state'], string> = texts({
  past: 'Past',
  late: 'Too late to order',
  open: 'Open',
  few: 'Nearly full',
  full: 'Full',
  closed: 'Closed',
  holiday: 'Closed: weekly or holiday'
})

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
      t('The day could not be changed.'),
      'day'
    )
    if (error?.code === 'EDIT_CONFLICT')
      notify({
        title: t('Someone else changed the delivery days. Please try again.'),
        kind: 'destructive',
        topic: 'day'
      })
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
                {ordersPerDay === 0
                  ? plural(orders, '{count} order', '{count} orders')
                  : plural(ordersPerDay, '{taken} of {count} order', '{taken} of {count} orders', {
                      taken: orders
                    })}
                <br />
                {unitsPerDay === 0
                  ? plural(units, '{count} pack', '{count} packs')
                  : plural(unitsPerDay, '{taken} of {count} pack', '{taken} of {count} packs', {
                      taken: units
                    })}
              </p>
              <p className={`text-sm font-semibold ${CLOSED.includes(state) ? 'text-chilli' : ''}`}>
                {STATES[state]}
              </p>
            </div>
            {!WITHOUT_BUTTON.includes(state) && (
              <Button
                label={t(state === 'closed' ? 'Open||verb' : 'Close||day')}
                aria-label={t(state === 'closed' ? 'Open {day}' : 'Close {day}', {
                  day: formatDay(day)
                })}
                className="shrink-0"
                busy={saving > 0}
                onClick={() => void toggle(day, state !== 'closed')}
              />
            )}
          </li>
        ))}
      </ol>
      <Note>
        {t('Orders that are already placed stay when a day is closed.')}{' '}
        <a href={`${paths.adminSettings}${toQuery({ section: 'calendar' })}`} className="link">
          {t('Limits and weekly closed days')}
        </a>
      </Note>
    </>
  )
}

const CLOSED: readonly BookedDay['state'][] = ['full', 'closed', 'holiday']
const WITHOUT_BUTTON: readonly BookedDay['state'][] = ['past', 'late', 'holiday']
