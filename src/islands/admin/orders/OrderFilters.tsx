import { DELIVERY_DAYS, type OrderFilter } from '#lib/admin/orders.ts'
import { dayInIndia } from '#lib/time.ts'
import { pushQuery, replaceQuery } from '../../ui/history.ts'
import { withChange } from '../ui/list-query.ts'
import { SearchBox } from '../ui/SearchBox.tsx'
import type { Filter } from './orders-view.ts'

const STATUSES: Record<OrderFilter, string> = {
  pending: 'Pending',
  packed: 'Packed',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
  paid: 'All orders',
  unpaid: 'Unpaid'
}
const ONE_DAY = 'day'

export function OrderFilters({ query, filter: { status, day, q } }: { query: string; filter: Filter }) {
  const isPreset = day in DELIVERY_DAYS
  const choose = (change: Record<string, string>) => pushQuery(withChange(query, change))
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchBox label="Search orders" value={q} onType={typed => replaceQuery(withChange(query, { q: typed }))} />
      <select
        aria-label="Status"
        className="field w-auto"
        value={status}
        onChange={({ target }) => choose({ status: target.value })}
      >
        {Object.entries(STATUSES).map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <select
        aria-label="Delivery"
        className="field w-auto"
        value={isPreset ? day : ONE_DAY}
        onChange={({ target: { value } }) => choose({ day: value === ONE_DAY ? dayInIndia(Date.now()) : value })}
      >
        {Object.entries(DELIVERY_DAYS).map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
        <option value={ONE_DAY}>Choose a date</option>
      </select>
      {!isPreset && (
        <input
          type="date"
          aria-label="Delivery date"
          className="field w-auto"
          value={day}
          onChange={({ target: { value } }) => value !== '' && choose({ day: value })}
        />
      )}
    </div>
  )
}
