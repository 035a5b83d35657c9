import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { plural, t, text } from '#lib/contract/texts.ts'
import { listStops, toCookList } from '#lib/kitchen/day.ts'
import { formatDay } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import {
  $failedTicks,
  $kitchenDay,
  type Day,
  type DayOrder,
  loadKitchenDay,
  readNextBookedDay,
  sendTicks,
  watchKitchenDay
} from '#lib/stores/admin/kitchen-day.ts'
import { addDays, formatShortDay, toDayInIndia } from '#lib/time.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { pushQuery, toQuery, useQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { MoreMenu, StickyBar } from '../ui/FilterBar.tsx'
import { Loaded, Note, useMay, viewLink } from '../ui/views.tsx'
import { LabelsView } from './LabelsView.tsx'
import { MonthView } from './MonthView.tsx'
import { PackList, StopList } from './PackList.tsx'

export function KitchenPage({ categories }: { categories: readonly Category[] }) {
  const params = new URLSearchParams(useQuery())
  const view = params.get('view')
  const date = findDate(params.get('date'))
  return (
    <AdminFrame section="kitchen">
      {view !== null && (
        <p className="print:hidden">
          <ButtonLink
            look="link"
            label={t('Back to the day')}
            {...viewLink(date === undefined ? '' : toQuery({ date }))}
          />
        </p>
      )}
      {view === 'month' ? (
        <MonthView month={params.get('month') ?? date?.slice(0, 7)} />
      ) : view === 'labels' ? (
        <LabelsView date={date} />
      ) : (
        <DayView date={date} categories={categories} />
      )}
    </AdminFrame>
  )
}

function findDate(text: string | null) {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined
}

interface DayViewProps {
  date: string | undefined
  categories: readonly Category[]
}

function DayView({ date, categories }: DayViewProps) {
  const state = useStore($kitchenDay)
  useEffect(() => watchKitchenDay(date), [date])
  return (
    <div className="flex flex-col gap-4 print:block">
      <DayBar day={date ?? toDayInIndia(Date.now())} />
      <Loaded state={state} label={t('orders')} onRetry={() => loadKitchenDay(date)}>
        {day => <Lists {...day} categories={categories} />}
      </Loaded>
    </div>
  )
}

function DayBar({ day }: { day: string }) {
  const may = useMay()
  const today = toDayInIndia(Date.now())
  const failed = useStore($failedTicks)
  return (
    <div className="contents print:hidden">
      <StickyBar>
        <ButtonLink
          label="‹"
          aria-label={t('Previous day')}
          {...viewLink({ date: addDays(day, -1) })}
        />
        <input
          type="date"
          aria-label={t('Day')}
          className="field w-auto min-w-0 flex-1 sm:flex-none"
          value={day}
          onChange={({ target: { value } }) => value !== '' && pushQuery(toQuery({ date: value }))}
        />
        <ButtonLink label="›" aria-label={t('Next day')} {...viewLink({ date: addDays(day, 1) })} />
        <MoreMenu>
          {day !== today && <ButtonLink label={t('Today')} {...viewLink('')} />}
          <Button label={t('Print lists')} onClick={() => print()} />
          <ButtonLink label={t('Pack labels')} {...viewLink({ view: 'labels', date: day })} />
          {may('GET /admin/kitchen/bookings') && (
            <ButtonLink
              label={t('Bookings')}
              {...viewLink({ view: 'month', month: day.slice(0, 7) })}
            />
          )}
        </MoreMenu>
        {/* Below the bar, because the boxes must not move under the finger. */}
        <div role="status" className="absolute inset-x-4 top-full empty:hidden">
          {failed.length > 0 && (
            <p
              className={
                'flex items-center justify-between gap-3 rounded-xl border-2 border-chilli ' +
                'bg-paper px-3 text-sm font-semibold text-chilli'
              }
            >
              {plural(
                failed.length,
                '{count} tick not saved yet. Trying again…',
                '{count} ticks not saved yet. Trying again…'
              )}
              <Button
                look="link"
                label={t('Try now')}
                className="shrink-0"
                onClick={() => void sendTicks()}
              />
            </p>
          )}
        </div>
      </StickyBar>
    </div>
  )
}

const STOP_LISTS = [
  {
    method: 'own',
    title: text('Route'),
    status: 'packed',
    next: text('Mark packed orders as delivered')
  },
  {
    method: 'courier',
    title: text('Courier'),
    status: 'packed',
    next: text('Mark packed orders as shipped')
  },
  {
    method: 'pickup',
    title: text('Pickup'),
    status: 'ready',
    next: text('Mark ready orders as picked up')
  }
] as const

function Lists({ day, orders, categories }: Day & Pick<DayViewProps, 'categories'>) {
  const may = useMay()
  const packed = orders.filter(({ status }) => status !== 'pending').length
  const stops = STOP_LISTS.flatMap(({ method, title, status, next }) => {
    const list = listStops(orders, method)
    const content = (
      <>
        <StopList orders={list} method={method} />
        {list.some(order => order.status === status) && (
          <a
            href={`${paths.adminOrders}${toQuery({ status })}`}
            className="link target print:hidden"
          >
            {t(next)}
          </a>
        )}
      </>
    )
    return list.length === 0 ? [] : [{ id: method, title: `${t(title)} (${list.length})`, content }]
  })
  const sheets = [
    {
      id: 'cook',
      title: t('To cook'),
      content: <CookList orders={orders} categories={categories} />
    },
    { id: 'pack', title: t('To pack'), content: <PackList orders={orders} /> },
    ...stops
  ]
  return (
    <>
      <div className="print:hidden">
        <h2 className="text-lg lg:text-xl">{formatDay(day)}</h2>
        <p role="status" className="text-sm text-ink/70">
          {orders.length === 0
            ? t('Nothing to cook on this day.')
            : t('{packed} of {count} orders packed', { packed, count: orders.length })}
        </p>
        {orders.length === 0 && may('GET /admin/kitchen/bookings') && <NextDay day={day} />}
        {orders.length > 0 && (
          <nav aria-label={t('Lists')} className="flex flex-wrap gap-x-4">
            {sheets.map(({ id, title }) => (
              <a key={id} href={`#${id}`} className="link target">
                {title}
              </a>
            ))}
          </nav>
        )}
      </div>
      {orders.length > 0 &&
        sheets.map(({ id, title, content }) => (
          <section
            key={id}
            aria-labelledby={id}
            className="print:break-before-page print:first-of-type:break-before-auto"
          >
            <h2 id={id} className="mb-2 text-lg print:border-b print:border-ink">
              {title} <span className="hidden font-normal print:inline">· {formatDay(day)}</span>
            </h2>
            {content}
          </section>
        ))}
    </>
  )
}

function NextDay({ day }: { day: string }) {
  const [result] = useLoad(day, () => readNextBookedDay(day))
  const next = result.state === 'ready' ? result.value : undefined
  if (!next) return null
  return (
    <ButtonLink
      look="link"
      label={plural(next.orders, 'Next: {day}, {count} order', 'Next: {day}, {count} orders', {
        day: formatShortDay(next.day)
      })}
      {...viewLink({ date: next.day })}
    />
  )
}

interface CookListProps extends Pick<DayViewProps, 'categories'> {
  orders: readonly DayOrder[]
}

function CookList({ orders, categories }: CookListProps) {
  const packed = orders.filter(({ status }) => status !== 'pending').length
  if (packed === orders.length) return <p>{t('All orders are packed.')}</p>
  return (
    <div
      className={
        'card columns-1 gap-8 p-4 md:columns-2 print:columns-2 print:p-0 print:shadow-none'
      }
    >
      {packed > 0 && (
        <p className="mb-4 text-sm text-ink/70">
          {plural(
            packed,
            'Without {count} order already packed.',
            'Without {count} orders already packed.'
          )}
        </p>
      )}
      {toCookList(orders, categories).map(({ label, rows }) => (
        <div key={label} className="mb-4">
          <h3 className="break-after-avoid font-semibold text-chilli">{label}</h3>
          <ul>
            {rows.map(({ name, nameTamil, packs, count, amount }) => (
              <li
                key={name}
                className={
                  'flex break-inside-avoid justify-between gap-4 border-b border-brass/40 py-1'
                }
              >
                <span className="min-w-0">
                  <span className="block break-words font-semibold">{name}</span>
                  <span lang="ta" className="block break-words text-sm">
                    {nameTamil}
                  </span>
                  <Note>{packs}</Note>
                </span>
                <span className="shrink-0 text-right">
                  <b className="block text-lg">{amount}</b>
                  <span className="text-sm">{plural(count, '{count} pack', '{count} packs')}</span>
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
