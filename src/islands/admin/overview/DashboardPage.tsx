import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect } from 'react'
import { SECTIONS } from '#lib/admin/sections.ts'
import type { Dashboard, KitchenDashboard } from '#lib/contract/admin.ts'
import { formatRupees } from '#lib/money.ts'
import { formatDay } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import { $may } from '#lib/stores/admin/access.ts'
import {
  $dashboard,
  $newOrders,
  loadDashboard,
  watchDashboard
} from '#lib/stores/admin/dashboard.ts'
import { api } from '#lib/api.ts'
import { toQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { Badge } from '../ui/DataTable.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Backup } from './Backup.tsx'
import { SetupList } from './SetupList.tsx'
import { Holiday } from './Holiday.tsx'
import { formatShortDay } from '#lib/time.ts'
import { formatCount } from '#lib/messages.ts'

const texts = {
  lowStockNone: 'Nothing is running low.',
  toPackText: (count: number, day: string) =>
    `${count === 1 ? 'order' : 'orders'} to pack, for delivery until ${formatShortDay(day)}`,
  formatNewCount: (count: number) => `${count} new`,
  adminGreetingText: (name: string) => `Vanakkam, ${name}!`
}

export function DashboardPage() {
  const may = useStore($may)
  return (
    <AdminFrame section="dashboard">
      {user => (
        <>
          <p className="mt-2 font-serif text-lg font-semibold">
            {texts.adminGreetingText(user.name)}
          </p>
          <SetupList />
          {may('GET /admin/dashboard') ? <DashboardContent /> : <KitchenContent />}
        </>
      )}
    </AdminFrame>
  )
}

function DashboardContent() {
  const may = useStore($may)
  const dashboard = useStore($dashboard)
  const newOrders = useStore($newOrders)
  useEffect(watchDashboard, [])
  useTitleCount(newOrders)
  const value = dashboard.state === 'ready' ? dashboard.value : undefined
  return (
    <div className="mt-2 grid grid-cols-1 gap-4 lg:gap-6">
      <Tasks dashboard={value} />
      <Tiles counts={value?.counts} newOrders={newOrders} />
      <Loaded state={dashboard} label="sales" onRetry={loadDashboard}>
        {({ sales, lowStock }) => (
          <>
            <div className="min-h-[3.75rem]">
              <Holiday />
            </div>
            <Sales sales={sales} />
            <div className="grid items-start gap-6 md:grid-cols-2">
              <LowStock products={lowStock} />
              {may('GET /admin/backups') && <Backup />}
            </div>
          </>
        )}
      </Loaded>
    </div>
  )
}

/** Shows the number in the title, so that it can be read on a tab that is not in front. */
function useTitleCount(count: number): void {
  useEffect(() => {
    if (count === 0) return
    const { title } = document
    document.title = `(${count}) ${title}`
    return () => void (document.title = title)
  }, [count])
}

function KitchenContent() {
  const [result, reload] = useLoad('kitchen', () => api('GET /admin/kitchen'))
  return (
    <div className="mt-2 grid grid-cols-1 gap-4 lg:gap-6">
      <Loaded state={result} label="orders" onRetry={reload}>
        {dashboard => (
          <>
            <ul className="grid gap-2 md:grid-cols-2 md:gap-4">
              <OrdersToPack dashboard={dashboard} />
            </ul>
            <LowStock products={dashboard.lowStock} />
          </>
        )}
      </Loaded>
    </div>
  )
}

function Tasks({ dashboard }: { dashboard: Dashboard | undefined }) {
  const { unread, lowStock } = dashboard ?? {}
  return (
    <ul className="grid gap-2 md:grid-cols-3 md:gap-4">
      <OrdersToPack dashboard={dashboard} />
      <Task
        count={unread}
        href={paths.adminMessages}
        label={unread === 1 ? 'unread message' : 'unread messages'}
      />
      <Task
        count={lowStock?.length}
        href="#low-stock"
        label={lowStock?.length === 1 ? 'product low in stock' : 'products low in stock'}
      />
    </ul>
  )
}

function OrdersToPack({ dashboard }: { dashboard: KitchenDashboard | undefined }) {
  const { toPack, toPackToday = 0, dueBy = '' } = dashboard ?? {}
  return (
    <Task
      count={toPack}
      href={`${paths.adminOrders}?status=pending&day=due`}
      label={toPack === undefined ? 'orders to pack' : texts.toPackText(toPack, dueBy)}
      note={toPackToday > 0 && `${toPackToday} to pack today`}
    />
  )
}

interface TaskProps {
  count: number | undefined
  href: string
  label: string
  note?: string | false
}

function Task({ count, href, label, note = false }: TaskProps) {
  const colours = count ? 'border-chilli' : 'border-brass/40'
  return (
    <li>
      <a
        href={href}
        className={
          'card flex h-full min-h-[4.5rem] items-center gap-4 border-2 px-4 py-2 ' +
          `hover:text-chilli md:min-h-24 ${colours}`
        }
      >
        <span className="min-w-8 font-serif text-3xl font-semibold tabular-nums">
          {count ?? '…'}
        </span>{' '}
        <span className="text-sm font-semibold">
          {label} {note && <span className="block text-sm text-chilli">{note}</span>}
        </span>
      </a>
    </li>
  )
}

// The specification requires these four tiles in this order.
const TILES = ['products', 'orders', 'users', 'deals'] as const

function Tiles({
  counts,
  newOrders
}: {
  counts: Dashboard['counts'] | undefined
  newOrders: number
}) {
  return (
    <ul className="grid grid-cols-2 gap-2 sm:gap-4 lg:grid-cols-4">
      {TILES.map(tile => (
        <li key={tile}>
          <a
            href={SECTIONS[tile].path}
            className={
              'card flex h-full min-h-20 flex-col justify-between gap-1 p-3 font-semibold ' +
              'hover:text-chilli sm:min-h-28 sm:p-4'
            }
          >
            <span>{SECTIONS[tile].label}</span>
            <span className="flex flex-wrap items-center gap-x-2">
              <span className="font-serif text-3xl tabular-nums">{counts?.[tile] ?? '…'}</span>
              {tile === 'orders' && (
                <span role="status">
                  {newOrders > 0 && <Badge text={texts.formatNewCount(newOrders)} />}
                </span>
              )}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function LowStock({ products }: { products: Dashboard['lowStock'] }) {
  const mayEdit = useStore($may)('PATCH /admin/products/{id}')
  return (
    <section aria-labelledby="low-stock" className="card p-4">
      <h2 id="low-stock" className="text-lg">
        Low stock
      </h2>
      {products.length === 0 ? (
        <p className="mt-2">{texts.lowStockNone}</p>
      ) : (
        <ul className="mt-2">
          {products.map(({ id, name, packSize, stock }) => (
            <li key={id} className="border-b border-brass/30 last:border-0">
              <a
                href={paths.adminProducts + (mayEdit ? toQuery({ product: id }) : '')}
                className={
                  'flex min-h-target items-center justify-between gap-4 py-2 hover:text-chilli'
                }
              >
                <span className="min-w-0 break-words">
                  {name}, {formatPack(packSize)}
                </span>
                {stock === 0 ? (
                  <b className="shrink-0 text-chilli">Out of stock</b>
                ) : (
                  <span className="shrink-0 tabular-nums">{stock} left</span>
                )}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

// The chart library loads separately, so that the rest of the page appears without waiting for it.
const SalesChart = lazy(() =>
  import('./SalesChart.tsx').then(({ SalesChart }) => ({ default: SalesChart }))
)

function Sales({ sales }: Pick<Dashboard, 'sales'>) {
  const orders = sales.reduce((sum, day) => sum + day.orders, 0)
  const total = sales.reduce((sum, day) => sum + day.total, 0)
  return (
    <section aria-labelledby="sales" className="card p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="sales" className="text-lg">
          Sales, last {sales.length} days
        </h2>
        <p className="tabular-nums">
          <b>{formatRupees(total)}</b>{' '}
          <span className="text-ink/70">· {formatCount(orders, 'order')}</span>
        </p>
      </div>
      {total > 0 && (
        <div aria-hidden="true" className="mt-2 h-48">
          <Suspense>
            <SalesChart sales={sales} />
          </Suspense>
        </div>
      )}
      <div className="sr-only">
        <table>
          <caption>Sales by day</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Orders</th>
              <th scope="col">Total</th>
            </tr>
          </thead>
          <tbody>
            {sales.map(({ day, orders: count, total: sum }) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                <td>{count}</td>
                <td>{formatRupees(sum)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
