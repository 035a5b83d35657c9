import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { DELIVERY_FILTERS, groupByNextStatus, hasParcel } from '#lib/admin/orders.ts'
import { KITCHEN_FILTERS, ORDER_FILTERS, type OrderFilter } from '#lib/contract/names.ts'
import type { Seller } from '#lib/contract/orders.ts'
import { STATUS_LABELS } from '#lib/order.ts'
import { $may } from '#lib/stores/admin/access.ts'
import {
  $orders,
  exportOrders,
  loadOrders,
  setOrderStatuses,
  type StaffOrder
} from '#lib/stores/admin/orders.ts'
import { toDayInIndia } from '#lib/time.ts'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { pushQuery, replaceQuery, toQuery, useQuery } from '../../ui/history.ts'
import { useDebounced } from '../../ui/hooks.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import {
  ExportButton,
  FilterSelect,
  ListCount,
  Pagination,
  SearchBox,
  StickyBar
} from '../ui/FilterBar.tsx'
import { changeQuery, viewLink } from '../ui/views.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { toastErrors } from '#lib/stores/admin/notices.ts'
import { OrderDetail } from './OrderDetail.tsx'
import { type Filter, parseView, printQuery, toListQuery } from './orders-view.ts'
import { OrderTable } from './OrderTable.tsx'
import { PrintPage } from './PrintPage.tsx'
import { ShipOrders } from './ShipOrders.tsx'
import { UnmatchedPayments } from './UnmatchedPayments.tsx'
import { formatCount } from '#lib/messages.ts'

const texts = {
  none: 'No orders found.',
  ordersPacked: 'Nothing to pack.',
  ordersPackedThen: 'Nothing to pack for these delivery dates.'
}

export function OrdersPage(shop: { sender: Seller; taxText: string }) {
  const query = useQuery()
  const view = parseView(query)
  const lastListQuery = useRef('')
  if (view.kind === 'list') lastListQuery.current = query
  if (view.kind === 'print') {
    return (
      <PrintPage
        template={view.template}
        ids={view.ids}
        {...shop}
        onClose={() => pushQuery(lastListQuery.current)}
      />
    )
  }
  return (
    <AdminFrame section="orders">
      {() =>
        view.kind === 'order' ? (
          <OrderDetail key={view.id} id={view.id} listQuery={lastListQuery.current} />
        ) : (
          <OrderList query={query} filter={view.filter} />
        )
      }
    </AdminFrame>
  )
}

const SEARCH_DEBOUNCE_MS = 250

export function OrderList({ query, filter }: { query: string; filter: Filter }) {
  const may = useStore($may)
  const orders = useOrders(query, filter)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const listed = orders.state === 'ready' ? orders.value.orders : []
  const selectedOrders = listed.filter(({ _id }) => selected.has(_id))
  const tools = (
    <ListActions
      filter={filter}
      isLoading={orders.state === 'loading'}
      orders={selectedOrders.length > 0 ? selectedOrders : listed}
    />
  )

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
          <ButtonLink
            look="link"
            label="Show all orders"
            {...viewLink(changeQuery(query, { user: '' }))}
          />
        </p>
      )}
      <Loaded
        state={orders}
        label="orders"
        onRetry={() => loadOrders(toListQuery(filter, Date.now()))}
      >
        {list => (
          <>
            <div className="flex flex-wrap items-center gap-x-3">
              <ListCount count={list.count} noun="order" noneText={toNoneText(filter)} />
              {list.count === 0 && isToPack(filter) && may('GET /admin/orders') && (
                <ButtonLink
                  look="link"
                  label="Show all orders"
                  {...viewLink(toQuery({ status: 'paid' }))}
                />
              )}
            </div>
            {listed.length > 0 && (
              <OrderTable orders={listed} selected={selected} onSelect={setSelected} />
            )}
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

function isToPack({ status, q, user }: Filter): boolean {
  return status === 'pending' && q === '' && user === ''
}

function toNoneText(filter: Filter): string {
  if (!isToPack(filter)) return texts.none
  return filter.day === 'any' ? texts.ordersPacked : texts.ordersPackedThen
}

function useOrders(query: string, filter: Filter) {
  const isTyping = useDebounced(filter.q, SEARCH_DEBOUNCE_MS) !== filter.q
  useEffect(() => {
    if (!isTyping) void loadOrders(toListQuery(filter, Date.now()))
  }, [query, isTyping])
  return useStore($orders)
}

interface ListActionsProps {
  filter: Filter
  isLoading: boolean
  /** The selected orders, or all orders on the page if none is selected. */
  orders: readonly StaffOrder[]
}

function ListActions({ filter, isLoading, orders }: ListActionsProps) {
  const may = useStore($may)
  const ids = orders.filter(hasParcel).map(({ _id }) => _id)
  return (
    <MoreMenu>
      {(ids.length > 0 || isLoading) && (
        <>
          <ButtonLink label="Packing list" {...viewLink(printQuery('packing', ids))} />
          <ButtonLink label="Labels" {...viewLink(printQuery('labels', ids))} />
        </>
      )}
      {ids.length > 0 && may('GET /admin/orders') && (
        <ButtonLink label="Invoices" {...viewLink(printQuery('invoices', ids))} />
      )}
      {may('GET /admin/orders/export') && (
        <ExportButton
          read={() => exportOrders(toListQuery(filter, Date.now()))}
          fileName="orders.csv"
        />
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
        {formatCount(orders.length, 'order')} selected
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
      {shipping && (
        <ShipOrders orders={shipping} onClose={() => setShipping(undefined)} onDone={onDone} />
      )}
      {children}
      <IconButton icon="close" label="Clear selection" onClick={onDone} />
    </StickyBar>
  )
}

const FILTER_LABELS: Record<OrderFilter, string> = {
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

function OrderFilters({ query, filter: { status, day, q }, children }: OrderFiltersProps) {
  const isPreset = day in DELIVERY_FILTERS
  // The kitchen's list has no search: it would find email addresses.
  const isFull = useStore($may)('GET /admin/orders')
  const statuses: readonly OrderFilter[] = isFull ? ORDER_FILTERS : KITCHEN_FILTERS
  const setFilter = (change: Record<string, string>) => pushQuery(changeQuery(query, change))
  return (
    <StickyBar>
      {isFull && (
        <SearchBox
          label="Search orders"
          value={q}
          onSearch={text => replaceQuery(changeQuery(query, { q: text }))}
        />
      )}
      <FilterSelect
        label="Status"
        choices={statuses.map(id => [id, FILTER_LABELS[id]])}
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
