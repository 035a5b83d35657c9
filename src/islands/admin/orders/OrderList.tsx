import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { ADMIN_MESSAGES, orderCount } from '#lib/admin/messages.ts'
import { loadOrders, $orders } from '#lib/stores/admin/orders.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { withChange } from '../ui/list-query.ts'
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
  /** The last opened order, which gets the focus. */
  returnTo: string | undefined
}

export function OrderList({ query, filter, returnTo }: OrderListProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const orders = useOrders(query, filter)
  const returning = useRef(returnTo)
  useEffect(() => {
    const link = returning.current && document.getElementById(linkId(returning.current))
    if (!link) return
    link.focus()
    returning.current = undefined
  })

  return (
    <div className="grid gap-4">
      <OrderFilters query={query} filter={filter} />
      {filter.user !== '' && (
        <p>
          Showing the orders of one customer.{' '}
          <ViewLink query={withChange(query, { user: '' })} className="link target">
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
              {orders.count === 0 ? ADMIN_MESSAGES.ordersNone : orderCount(orders.count)}
            </p>
            {orders.orders.length > 0 && <ListActions filter={filter} orders={orders.orders} selected={selected} />}
          </div>
          <SelectionBar orders={orders.orders} selected={selected} onDone={() => setSelected(new Set())} />
          {orders.orders.length > 0 && <OrderTable orders={orders.orders} selected={selected} onSelect={setSelected} />}
          <Pagination
            page={filter.page}
            pages={orders.pages}
            queryOf={page => withChange(query, { page: String(page) })}
          />
        </>
      )}
    </div>
  )
}

function useOrders(query: string, filter: Filter) {
  const typed = useRef(filter.q)
  useEffect(() => {
    const wait = filter.q === typed.current ? 0 : DEBOUNCE_MS
    typed.current = filter.q
    const timer = setTimeout(() => void loadOrders(toListQuery(filter, Date.now())), wait)
    return () => clearTimeout(timer)
  }, [query])
  return useStore($orders)
}
