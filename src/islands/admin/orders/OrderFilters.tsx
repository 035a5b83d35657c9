import { DELIVERY_FILTERS, type OrderFilter } from '#lib/admin/orders.ts'
import { toDayInIndia } from '#lib/time.ts'
import { pushQuery, replaceQuery } from '../../ui/history.ts'
import { changeQuery } from '../ui/list-query.ts'
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
const CHOOSE_DATE = 'day'

export function OrderFilters({ query, filter: { status, day, q } }: { query: string; filter: Filter }) {
  const isPreset = day in DELIVERY_FILTERS
  const setFilter = (change: Record<string, string>) => pushQuery(changeQuery(query, change))
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchBox label="Search orders" value={q} onSearch={text => replaceQuery(changeQuery(query, { q: text }))} />
      <select
        aria-label="Status"
        className="field w-auto"
        value={status}
        onChange={({ target }) => setFilter({ status: target.value })}
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
        value={isPreset ? day : CHOOSE_DATE}
        onChange={({ target: { value } }) =>
          setFilter({ day: value === CHOOSE_DATE ? toDayInIndia(Date.now()) : value })
        }
      >
        {Object.entries(DELIVERY_FILTERS).map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
        <option value={CHOOSE_DATE}>Choose a date</option>
      </select>
      {!isPreset && (
        <input
          type="date"
          aria-label="Delivery date"
          className="field w-auto"
          value={day}
          onChange={({ target: { value } }) => value !== '' && setFilter({ day: value })}
        />
      )}
    </div>
  )
}
