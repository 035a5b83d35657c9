import { Suspense, lazy } from 'react'
import { formatOrderCount } from '#lib/admin/messages.ts'
import type { Dashboard } from '#lib/contract/admin.ts'
import { formatDay } from '#lib/order/delivery.ts'
import { formatRupees } from '#lib/money.ts'

// The chart library loads separately, so that the rest of the page appears without waiting for it.
const SalesChart = lazy(() => import('./SalesChart.tsx').then(({ SalesChart }) => ({ default: SalesChart })))

/** Shows a chart to sighted users and a table to screen readers. */
export function Sales({ sales }: Pick<Dashboard, 'sales'>) {
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
