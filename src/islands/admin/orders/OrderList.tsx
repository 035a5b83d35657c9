import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ADMIN_MESSAGES, formatOrderCount } from '#lib/admin/messages.ts'
import { groupByNextStatus, hasParcel } from '#lib/admin/orders.ts'
import { STATUS_LABELS } from '#lib/order.ts'
import { $may } from '#lib/stores/admin/access.ts'
import { $orders, exportOrders, loadOrders, setOrderStatuses, type StaffOrder } from '#lib/stores/admin/orders.ts'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { ExportButton } from '../ui/ExportButton.tsx'
import { Pagination, StickyBar } from '../ui/FilterBar.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { changeQuery } from '../ui/list-query.ts'
import { toastErrors } from '../ui/toast-errors.ts'
import { viewLink } from '../ui/view-link.ts'
import { OrderFilters } from './OrderFilters.tsx'
import { OrderTable } from './OrderTable.tsx'
import { ShipOrders } from './ShipOrders.tsx'
import { UnmatchedPayments } from './UnmatchedPayments.tsx'
import { printQuery, toListQuery, type Filter } from './orders-view.ts'

const DEBOUNCE_MS = 250

export function OrderList({ query, filter }: { query: string; filter: Filter }) {
  const may = useStore($may)
  const orders = useOrders(query, filter)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const listed = orders.state === 'ready' ? orders.value.orders : []
  const selectedOrders = listed.filter(({ _id }) => selected.has(_id))
  const tools = <ListActions filter={filter} orders={selectedOrders.length > 0 ? selectedOrders : listed} />

  return (
    <div className="flex flex-col gap-3">
      {may('GET /admin/unmatched-payments') && <UnmatchedPayments />}
      {selectedOrders.length > 0 ? (
        <SelectionBar orders={selectedOrders} onDone={() => setSelected(new Set())}>
          {tools}
        </SelectionBar>
      ) : (
        <OrderFilters query={query} filter={filter}>
          {tools}
        </OrderFilters>
      )}
      {filter.user !== '' && (
        <p>
          Showing orders of one customer only.{' '}
          <ButtonLink look="link" label="Show all orders" {...viewLink(changeQuery(query, { user: '' }))} />
        </p>
      )}
      <Loaded state={orders} label="orders" onRetry={() => void loadOrders(toListQuery(filter, Date.now()))}>
        {list => (
          <>
            <p role="status" className="text-sm text-ink/70">
              {list.count === 0 ? ADMIN_MESSAGES.ordersNone : formatOrderCount(list.count)}
            </p>
            {listed.length > 0 && <OrderTable orders={listed} selected={selected} onSelect={setSelected} />}
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
  orders: readonly StaffOrder[]
}

/** Prints the `orders` that have a parcel. Exports the orders of all pages. Nothing moves when the orders arrive. */
function ListActions({ filter, orders }: ListActionsProps) {
  const may = useStore($may)
  const ids = orders.filter(hasParcel).map(({ _id }) => _id)
  return (
    <MoreMenu label="More tools">
      {(ids.length > 0 || orders.length === 0) && (
        <>
          <ButtonLink label="Packing list" {...viewLink(printQuery('packing', ids))} />
          <ButtonLink label="Labels" {...viewLink(printQuery('labels', ids))} />
        </>
      )}
      {ids.length > 0 && may('GET /admin/orders') && (
        <ButtonLink label="Invoices" {...viewLink(printQuery('invoices', ids))} />
      )}
      {may('GET /admin/orders/export') && (
        <ExportButton read={() => exportOrders(toListQuery(filter, Date.now()))} fileName="orders.csv" />
      )}
    </MoreMenu>
  )
}

interface SelectionBarProps {
  orders: readonly StaffOrder[]
  onDone: () => void
  children: ReactNode
}

function SelectionBar({ orders, onDone, children }: SelectionBarProps) {
  const [shipping, setShipping] = useState<readonly StaffOrder[]>()
  return (
    <StickyBar>
      <p role="status" className="grow font-semibold">
        {formatOrderCount(orders.length)} selected
      </p>
      {groupByNextStatus(orders).map(({ from, to, orders: matching }) => {
        const update = () => setOrderStatuses(matching, from, to).then(onDone)
        const move = () => void toastErrors(update, ADMIN_MESSAGES.ordersFailed, 'selected orders')
        return (
          <Button
            look="primary"
            label={`Mark ${matching.length} as ${STATUS_LABELS[to].toLowerCase()}`}
            key={`${from} ${to}`}
            onClick={() => (to === 'shipped' ? setShipping(matching) : move())}
          />
        )
      })}
      {shipping && <ShipOrders orders={shipping} onClose={() => setShipping(undefined)} onDone={onDone} />}
      {children}
      <IconButton icon="close" label="Clear selection" onClick={onDone} />
    </StickyBar>
  )
}
