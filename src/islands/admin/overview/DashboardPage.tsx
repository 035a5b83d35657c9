import { lazy, Suspense } from 'react'
import { ADMIN_MESSAGES, formatOrderCount, SECTIONS, toPackText } from '#lib/admin/messages.ts'
import type { Dashboard } from '#lib/contract/admin.ts'
import { adminGreetingText } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { formatDay } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import { readDashboard } from '#lib/stores/admin/requests.ts'
import { toQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'
import { WebsiteStatus } from '../publishing/PublishingBar.tsx'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Backup } from './Backup.tsx'
import { Holiday } from './Holiday.tsx'

export function DashboardPage() {
  return (
    <AdminFrame section="dashboard">
      {user => (
        <>
          <p className="font-serif text-xl font-semibold">{adminGreetingText(user.name)}</p>
          <DashboardContent />
        </>
      )}
    </AdminFrame>
  )
}

function DashboardContent() {
  const [result, reload] = useLoad('dashboard', readDashboard)
  const dashboard = result.state === 'ready' ? result.value : undefined
  return (
    <div className="mt-4 grid grid-cols-1 gap-6">
      {dashboard && <Tasks {...dashboard} />}
      <Tiles counts={dashboard?.counts} />
      <Holiday />
      <Loaded state={result} label="sales" onRetry={() => void reload()}>
        {({ sales }) => <Sales sales={sales} />}
      </Loaded>
      <div className="grid items-start gap-6 md:grid-cols-2">
        {dashboard && <LowStock products={dashboard.lowStock} />}
        <div className="grid gap-6">
          <WebsiteStatus />
          <Backup />
        </div>
      </div>
    </div>
  )
}

function Tasks({ toPack, toPackToday, dueBy, unread }: Pick<Dashboard, 'toPack' | 'toPackToday' | 'dueBy' | 'unread'>) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2">
      <Task
        count={toPack}
        href={`${paths.adminOrders}?status=pending&day=due`}
        label={toPackText(toPack, dueBy)}
        note={toPackToday > 0 && `${toPackToday} to pack today`}
      />
      <Task count={unread} href={paths.adminMessages} label={unread === 1 ? 'unread message' : 'unread messages'} />
    </ul>
  )
}

interface TaskProps {
  count: number
  href: string
  label: string
  note?: string | false
}

function Task({ count, href, label, note = false }: TaskProps) {
  const colours = count > 0 ? 'border-chilli' : 'border-brass/40'
  return (
    <li>
      <a
        href={href}
        className={`card flex min-h-20 items-center gap-4 border-2 p-4 font-semibold hover:text-chilli ${colours}`}
      >
        <span className="font-serif text-3xl tabular-nums">{count}</span>{' '}
        <span>
          {label} {note && <span className="block text-sm text-chilli">{note}</span>}
        </span>
      </a>
    </li>
  )
}

// The specification requires these four tiles in this order.
const TILES = ['products', 'orders', 'users', 'deals'] as const

function Tiles({ counts }: { counts: Dashboard['counts'] | undefined }) {
  return (
    <ul className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      {TILES.map(tile => {
        const section = SECTIONS.find(({ id }) => id === tile)
        return (
          section && (
            <li key={tile}>
              <a
                href={section.path}
                className="card flex h-full min-h-28 flex-col justify-between gap-2 p-4 font-semibold hover:text-chilli"
              >
                <span>{section.label}</span>
                <span className="font-serif text-3xl tabular-nums">{counts?.[tile] ?? '…'}</span>
              </a>
            </li>
          )
        )
      })}
    </ul>
  )
}

function LowStock({ products }: { products: Dashboard['lowStock'] }) {
  return (
    <section aria-labelledby="low-stock" className="card p-4">
      <h2 id="low-stock" className="text-lg">
        Low stock
      </h2>
      {products.length === 0 ? (
        <p className="mt-2">{ADMIN_MESSAGES.lowStockNone}</p>
      ) : (
        <ul className="mt-2">
          {products.map(({ id, name, stock }) => (
            <li key={id} className="border-b border-brass/30 last:border-0">
              <a
                href={`${paths.adminProducts}${toQuery({ product: id })}`}
                className="flex min-h-target items-center justify-between gap-4 hover:text-chilli"
              >
                <span className="min-w-0 break-words">{name}</span>
                <span className={`shrink-0 tabular-nums ${stock === 0 ? 'font-semibold text-chilli' : ''}`}>
                  {stock === 0 ? 'Out of stock' : `${stock} left`}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

// The chart library loads separately, so that the rest of the page appears without waiting for it.
const SalesChart = lazy(() => import('./SalesChart.tsx').then(({ SalesChart }) => ({ default: SalesChart })))

/** Shows a chart to sighted users and a table to screen readers. */
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
          <b>{formatRupees(total)}</b> <span className="text-ink/70">· {formatOrderCount(orders)}</span>
        </p>
      </div>
      <div aria-hidden="true" className="mt-2 h-48">
        <Suspense>
          <SalesChart sales={sales} />
        </Suspense>
      </div>
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
