import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { ADMIN_MESSAGES, formatOrderCount } from '#lib/admin/messages.ts'
import { loadOrders, $orders } from '#lib/stores/admin/orders.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { changeQuery } from '../ui/list-query.ts'
import { Pagination } from '../ui/Pagination.tsx'
import { ViewLink } from '../ui/ViewLink.tsx'
import { ListActions } from './ListActions.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { OrderFilters } from './OrderFilters.tsx'
import { linkId, OrderTable } from './OrderTable.tsx'
import { toListQuery, type Filter } from './orders-view.ts'

const DEBOUNCE_MS = 250

interface OrderListProps {
  query: string
  filter: Filter
  lastOpenedId: string | undefined
}

export function OrderList({ query, filter, lastOpenedId }: OrderListProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const orders = useOrders(query, filter)
  const idToFocus = useRef(lastOpenedId)
  useEffect(() => {
    const link = idToFocus.current && document.getElementById(linkId(idToFocus.current))
    if (!link) return
    link.focus()
    idToFocus.current = undefined
  })

  return (
    <div className="grid gap-4">
      <OrderFilters query={query} filter={filter} />
      {filter.user !== '' && (
        <p>
          Showing orders of one customer only.{' '}
          <ViewLink query={changeQuery(query, { user: '' })} className="link target">
            Show all orders
          </ViewLink>
        </p>
      )}
      {orders.state === 'loading' && (
        <>
          <p role="status" className="sr-only">
            Loading orders…
          </p>
          <Skeleton rows={4} />
        </>
      )}
      {orders.state === 'failed' && (
        <div role="alert">
          <EmptyState text={orders.reason}>
            <button
              type="button"
              className="button-primary"
              onClick={() => void loadOrders(toListQuery(filter, Date.now()))}
            >
              Try again
            </button>
          </EmptyState>
        </div>
      )}
      {orders.state === 'ready' && (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p role="status" className="text-sm text-ink/70">
              {orders.count === 0 ? ADMIN_MESSAGES.ordersNone : formatOrderCount(orders.count)}
            </p>
            {orders.orders.length > 0 && <ListActions filter={filter} orders={orders.orders} selected={selected} />}
          </div>
          <SelectionBar orders={orders.orders} selected={selected} onDone={() => setSelected(new Set())} />
          {orders.orders.length > 0 && <OrderTable orders={orders.orders} selected={selected} onSelect={setSelected} />}
          <Pagination
            page={filter.page}
            pages={orders.pages}
            toQuery={page => changeQuery(query, { page: String(page) })}
          />
        </>
      )}
    </div>
  )
}

function useOrders(query: string, filter: Filter) {
  const lastSearch = useRef(filter.q)
  useEffect(() => {
    const delay = filter.q === lastSearch.current ? 0 : DEBOUNCE_MS
    lastSearch.current = filter.q
    const timer = setTimeout(() => void loadOrders(toListQuery(filter, Date.now())), delay)
    return () => clearTimeout(timer)
  }, [query])
  return useStore($orders)
}
