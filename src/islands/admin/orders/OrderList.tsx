import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { ADMIN_MESSAGES, formatOrderCount } from '#lib/admin/messages.ts'
import { FULFILMENT_STATUSES, hasParcel, nextStatus } from '#lib/admin/orders.ts'
import type { AdminOrder, OrderList as Orders } from '#lib/contract/orders.ts'
import { STATUS_LABELS } from '#lib/order.ts'
import { $orders, exportOrders, loadOrders, setOrderStatuses } from '#lib/stores/admin/orders.ts'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { ExportButton } from '../ui/ExportButton.tsx'
import { Pagination } from '../ui/FilterBar.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { useReturnFocus } from '../ui/RecordView.tsx'
import { changeQuery } from '../ui/list-query.ts'
import { toastErrors } from '../ui/toast-errors.ts'
import { viewLink } from '../ui/view-link.ts'
import { OrderFilters } from './OrderFilters.tsx'
import { OrderTable } from './OrderTable.tsx'
import { UnmatchedPayments } from './UnmatchedPayments.tsx'
import { printQuery, toListQuery, type Filter } from './orders-view.ts'

const DEBOUNCE_MS = 250

export function OrderList({ query, filter }: { query: string; filter: Filter }) {
  const orders = useOrders(query, filter)

  return (
    <div className="grid gap-4">
      <UnmatchedPayments />
      <OrderFilters query={query} filter={filter} />
      {filter.user !== '' && (
        <p>
          Showing orders of one customer only.{' '}
          <ButtonLink look="link" label="Show all orders" {...viewLink(changeQuery(query, { user: '' }))} />
        </p>
      )}
      <Loaded state={orders} label="orders" onRetry={() => void loadOrders(toListQuery(filter, Date.now()))}>
        {list => (
          <>
            <SelectableOrders list={list} filter={filter} />
            <Pagination
              page={filter.page}
              pages={list.pages}
              toQuery={page => changeQuery(query, { page: String(page) })}
            />
          </>
        )}
      </Loaded>
    </div>
  )
}

function SelectableOrders({ list: { orders, count }, filter }: { list: Orders; filter: Filter }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  useReturnFocus()
  const selectedOrders = orders.filter(({ _id }) => selected.has(_id))
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-sm text-ink/70">
          {count === 0 ? ADMIN_MESSAGES.ordersNone : formatOrderCount(count)}
        </p>
        {orders.length > 0 && (
          <ListActions filter={filter} orders={selectedOrders.length > 0 ? selectedOrders : orders} />
        )}
      </div>
      <SelectionBar orders={selectedOrders} onDone={() => setSelected(new Set())} />
      {orders.length > 0 && <OrderTable orders={orders} selected={selected} onSelect={setSelected} />}
    </>
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

interface ListActionsProps {
  filter: Filter
  /** The selected orders, or all orders on the page if none is selected. */
  orders: readonly AdminOrder[]
}

/** Prints the `orders` that have a parcel. Exports the orders of all pages. */
function ListActions({ filter, orders }: ListActionsProps) {
  const ids = orders.filter(hasParcel).map(({ _id }) => _id)
  return (
    <div className="flex flex-wrap gap-3">
      {ids.length > 0 && (
        <>
          <ButtonLink label="Packing list" {...viewLink(printQuery('packing', ids))} />
          <ButtonLink label="Labels" {...viewLink(printQuery('labels', ids))} />
        </>
      )}
      <ExportButton read={() => exportOrders(toListQuery(filter, Date.now()))} fileName="orders.csv" />
    </div>
  )
}

function SelectionBar({ orders, onDone }: { orders: readonly AdminOrder[]; onDone: () => void }) {
  if (orders.length === 0) return null
  return (
    <div className="card sticky top-20 z-10 flex flex-wrap items-center gap-3 p-3">
      <p role="status" className="grow font-semibold">
        {formatOrderCount(orders.length)} selected
      </p>
      {FULFILMENT_STATUSES.map(from => {
        const to = nextStatus(from)
        const matching = orders.filter(({ status }) => status === from)
        if (to === undefined || matching.length === 0) return null
        const update = () => setOrderStatuses(matching, from, to).then(onDone)
        return (
          <Button
            look="primary"
            label={`Mark ${matching.length} as ${STATUS_LABELS[to].toLowerCase()}`}
            key={from}
            onClick={() => void toastErrors(update, ADMIN_MESSAGES.ordersFailed, 'selected orders')}
          />
        )
      })}
      <IconButton icon="close" label="Clear selection" onClick={onDone} />
    </div>
  )
}
