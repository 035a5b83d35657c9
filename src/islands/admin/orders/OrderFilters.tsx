import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { DELIVERY_FILTERS, KITCHEN_FILTERS, ORDER_FILTERS, type OrderFilter } from '#lib/admin/orders.ts'
import { STATUS_LABELS } from '#lib/order.ts'
import { $may } from '#lib/stores/admin/access.ts'
import { toDayInIndia } from '#lib/time.ts'
import { pushQuery, replaceQuery } from '../../ui/history.ts'
import { FilterSelect, SearchBox, StickyBar } from '../ui/FilterBar.tsx'
import { changeQuery } from '../ui/list-query.ts'
import type { Filter } from './orders-view.ts'

const STATUSES: Record<OrderFilter, string> = {
  ...STATUS_LABELS,
  // A longer word would leave no room for the search.
  ready: 'Ready',
  paid: 'All orders',
  unpaid: 'Unpaid'
}
const CHOOSE_DATE = 'day'

interface OrderFiltersProps {
  query: string
  filter: Filter
  children: ReactNode
}

export function OrderFilters({ query, filter: { status, day, q }, children }: OrderFiltersProps) {
  const isPreset = day in DELIVERY_FILTERS
  // The kitchen's list has no search: it would find e-mail addresses.
  const isFull = useStore($may)('GET /admin/orders')
  const statuses: readonly OrderFilter[] = isFull ? ORDER_FILTERS : KITCHEN_FILTERS
  const setFilter = (change: Record<string, string>) => pushQuery(changeQuery(query, change))
  return (
    <StickyBar>
      {isFull && (
        <SearchBox label="Search orders" value={q} onSearch={text => replaceQuery(changeQuery(query, { q: text }))} />
      )}
      <FilterSelect
        label="Status"
        choices={statuses.map(id => [id, STATUSES[id]])}
        value={statuses.includes(status) ? status : 'pending'}
        onChange={id => setFilter({ status: id })}
      />
      <FilterSelect
        label="Delivery"
        choices={[...Object.entries(DELIVERY_FILTERS), [CHOOSE_DATE, 'Choose a date']]}
        value={isPreset ? day : CHOOSE_DATE}
        onChange={id => setFilter({ day: id === CHOOSE_DATE ? toDayInIndia(Date.now()) : id })}
      />
      {!isPreset && (
        <input
          type="date"
          aria-label="Delivery date"
          className="field w-auto"
          value={day}
          onChange={({ target: { value } }) => value !== '' && setFilter({ day: value })}
        />
      )}
      {children}
    </StickyBar>
  )
}
