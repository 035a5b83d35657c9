import { lazy, Suspense } from 'react'
import type { Dashboard } from '#lib/contract/admin.ts'
import { plural, t, text } from '#lib/contract/texts.ts'
import { formatRupees } from '#lib/money.ts'
import { formatDay } from '#lib/order.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'

// The rest of the page does not wait for the chart library.
const SalesChart = lazy(() =>
  import('./SalesChart.tsx').then(({ SalesChart }) => ({ default: SalesChart }))
)

const SALES_COLUMNS: readonly Column<Dashboard['sales'][number]>[] = [
  { label: text('Day'), cell: ({ day }) => formatDay(day) },
  { label: text('Orders'), cell: ({ orders }) => orders },
  { label: text('Total'), cell: ({ total }) => formatRupees(total) }
]

export function Sales({ sales, testOrders }: Pick<Dashboard, 'sales' | 'testOrders'>) {
  const orders = sales.reduce((sum, day) => sum + day.orders, 0)
  const total = sales.reduce((sum, day) => sum + day.total, 0)
  return (
    <section aria-labelledby="sales" className="card p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="sales" className="text-lg">
          {t('Sales, last {count} days', { count: sales.length })}
        </h2>
        <p>
          <b>{formatRupees(total)}</b>{' '}
          <span className="text-ink/70">· {plural(orders, '{count} order', '{count} orders')}</span>
          {testOrders > 0 && (
            <span className="block text-sm text-ink/70">
              {plural(
                testOrders,
                '{count} test order, not counted',
                '{count} test orders, not counted'
              )}
            </span>
          )}
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
        <DataTable
          caption={t('Sales by day')}
          columns={SALES_COLUMNS}
          rows={sales}
          getKey={({ day }) => day}
        />
      </div>
    </section>
  )
}
