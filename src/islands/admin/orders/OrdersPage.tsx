import { useStore } from '@nanostores/react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { DELIVERY_FILTERS, deliveryRange, hasParcel } from '#lib/admin/orders.ts'
import { KITCHEN_FILTERS, ORDER_FILTERS, type OrderFilter } from '#lib/contract/names.ts'
import type { Seller } from '#lib/contract/orders.ts'
import { t, texts } from '#lib/contract/texts.ts'
import { STATUS_LABELS } from '#lib/order.ts'
import {
  $orders,
  exportOrders,
  loadOrders,
  type OrderListQuery,
  type StaffOrder
} from '#lib/stores/admin/orders.ts'
import { type EpochMs, formatShortDay, toDayInIndia } from '#lib/time.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Loading } from '../../ui/States.tsx'
import { pushQuery, replaceQuery, useQuery } from '../../ui/history.ts'
import { useDebounced } from '../../ui/hooks.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import {
  changeQuery,
  ExportButton,
  FilterSelect,
  ListCount,
  MoreMenu,
  Pagination,
  parsePage,
  SEARCH_DEBOUNCE_MS,
  SearchBox,
  StickyBar
} from '../ui/FilterBar.tsx'
import { Loaded, useMay, viewLink } from '../ui/views.tsx'
import { SelectionBar } from './MoveOrders.tsx'
import { OrderDetail, printLink, type PrintTemplate } from './OrderDetail.tsx'
import { OrderTable, UnmatchedPayments } from './OrderTables.tsx'

// Most visits to the orders print nothing.
const PrintPage = lazy(() =>
  import('./PrintPage.tsx').then(({ PrintPage }) => ({ default: PrintPage }))
)

export function OrdersPage(shop: { sender: Seller; taxText: string }) {
  const query = useQuery()
  const view = parseView(query)
  const lastListQuery = useRef('')
  if (view.kind === 'list') lastListQuery.current = query
  if (view.kind === 'print') {
    return (
      <Suspense fallback={<Loading />}>
        <PrintPage
          template={view.template}
          ids={view.ids}
          {...shop}
          onClose={() => pushQuery(lastListQuery.current)}
        />
      </Suspense>
    )
  }
  return (
    <AdminFrame section="orders">
      {view.kind === 'order' ? (
        <OrderDetail key={view.id} id={view.id} listQuery={lastListQuery.current} />
      ) : (
        <OrderList query={query} filter={view.filter} />
      )}
    </AdminFrame>
  )
}

interface Filter {
  status: OrderFilter
  /** A key of `DELIVERY_FILTERS`, or an ISO date. */
  day: string
  q: string
  user: string
  page: number
}

const PRINT_TEMPLATES: readonly PrintTemplate[] = ['packing', 'labels', 'invoices']

type View =
  | { kind: 'list'; filter: Filter }
  | { kind: 'order'; id: string }
  | { kind: 'print'; template: PrintTemplate; ids: readonly string[] }

function parseView(query: string): View {
  const params = new URLSearchParams(query)
  const id = params.get('order')
  if (id) return { kind: 'order', id }
  const template = PRINT_TEMPLATES.find(name => name === params.get('print'))
  if (!template) return { kind: 'list', filter: parseFilter(params) }
  return { kind: 'print', template, ids: (params.get('ids') ?? '').split(',').filter(Boolean) }
}

function parseFilter(params: URLSearchParams): Filter {
  const [q, user] = [params.get('q') ?? '', params.get('user') ?? '']
  // A search or the list of one customer shows all paid orders, others only pending ones.
  const defaultStatus = q !== '' || user !== '' ? 'paid' : 'pending'
  const status = ORDER_FILTERS.find(filter => filter === params.get('status')) ?? defaultStatus
  return { status, day: params.get('day') ?? 'any', q, user, page: parsePage(params) }
}

function toListQuery({ status, day, q, user, page }: Filter, now: EpochMs): OrderListQuery {
  return {
    status,
    ...deliveryRange(day, now),
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(user !== '' && { user }),
    ...(page > 1 && { page: String(page) })
  }
}

export function OrderList({ query, filter }: { query: string; filter: Filter }) {
  const may = useMay()
  const orders = useStore($orders)
  const isTyping = useDebounced(filter.q, SEARCH_DEBOUNCE_MS) !== filter.q
  const load = () => loadOrders(toListQuery(filter, Date.now()))
  useEffect(() => {
    if (!isTyping) void load()
  }, [query, isTyping])
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const listed = orders.state === 'ready' ? orders.value.orders : []
  const selectedOrders = listed.filter(({ _id }) => selected.has(_id))
  // Others may have been selected since.
  const unselect = (done: readonly StaffOrder[]) =>
    setSelected(current => new Set([...current].filter(id => !done.some(({ _id }) => _id === id))))
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
        <SelectionBar orders={selectedOrders} onUnselect={unselect}>
          {tools}
        </SelectionBar>
      ) : (
        <OrderFilters query={query} filter={filter}>
          {tools}
        </OrderFilters>
      )}
      {filter.user !== '' && (
        <p>
          {t('Showing orders of one customer only.')}{' '}
          <ButtonLink
            look="link"
            label={t('Show all orders')}
            {...viewLink(changeQuery(query, { user: '' }))}
          />
        </p>
      )}
      <Loaded state={orders} label={t('orders')} onRetry={load}>
        {list => (
          <>
            <div className="flex flex-wrap items-center gap-x-3">
              <ListCount count={list.count} noun="order" noneText={toNoneText(filter)} />
              {list.count === 0 && isToPack(filter) && may('GET /admin/orders') && (
                <ButtonLink
                  look="link"
                  label={t('Show all orders')}
                  {...viewLink({ status: 'paid' })}
                />
              )}
            </div>
            {listed.length > 0 && (
              <OrderTable orders={listed} selected={selected} onSelect={setSelected} />
            )}
            <Pagination page={filter.page} pages={list.pages} />
          </>
        )}
      </Loaded>
    </div>
  )
}

function isToPack({ status, q, user }: Filter) {
  return status === 'pending' && q === '' && user === ''
}

function toNoneText(filter: Filter) {
  if (!isToPack(filter)) return undefined
  const { from, until } = deliveryRange(filter.day, Date.now())
  if (until === undefined) return t('Nothing to pack.')
  const last = formatShortDay(until)
  if (from === undefined) return t('Nothing to pack until {day}.', { day: last })
  return from === until
    ? t('Nothing to pack for {day}.', { day: last })
    : t('Nothing to pack for {from} to {until}.', { from: formatShortDay(from), until: last })
}

interface ListActionsProps {
  filter: Filter
  isLoading: boolean
  orders: readonly StaffOrder[]
}

function ListActions({ filter, isLoading, orders }: ListActionsProps) {
  const may = useMay()
  const ids = orders.filter(hasParcel).map(({ _id }) => _id)
  return (
    <MoreMenu>
      {(ids.length > 0 || isLoading) && (
        <>
          <ButtonLink label={t('Packing list')} {...printLink('packing', ids)} />
          <ButtonLink label={t('Labels')} {...printLink('labels', ids)} />
        </>
      )}
      {ids.length > 0 && may('GET /admin/orders') && (
        <ButtonLink label={t('Invoices')} {...printLink('invoices', ids)} />
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

const FILTER_LABELS: Record<OrderFilter, string> = texts({
  ...STATUS_LABELS,
  // A longer word would leave no room for the search.
  ready: 'Ready',
  paid: 'All orders',
  unpaid: 'Unpaid'
})
const CHOOSE_DATE = 'day'

interface OrderFiltersProps {
  query: string
  filter: Filter
  children: ReactNode
}

function OrderFilters({ query, filter: { status, day, q }, children }: OrderFiltersProps) {
  const { from = '', until = '', cooked } = deliveryRange(day, Date.now())
  const days = {
    ...DELIVERY_FILTERS,
    ...(cooked && {
      [day]: t('{from} to {until}', { from: formatShortDay(from), until: formatShortDay(until) })
    })
  }
  const isPreset = day in days
  // The kitchen's list has no search: it would find email addresses.
  const isFull = useMay()('GET /admin/orders')
  const statuses: readonly OrderFilter[] = isFull ? ORDER_FILTERS : KITCHEN_FILTERS
  const setFilter = (change: Record<string, string>) => pushQuery(changeQuery(query, change))
  return (
    <StickyBar>
      {isFull && (
        <SearchBox
          label={t('Search {things}', { things: t('orders') })}
          value={q}
          onSearch={text => replaceQuery(changeQuery(query, { q: text }))}
        />
      )}
      <FilterSelect
        label={t('Status')}
        choices={statuses.map(id => [id, FILTER_LABELS[id]])}
        value={statuses.includes(status) ? status : 'pending'}
        onChange={id => setFilter({ status: id })}
      />
      <FilterSelect
        label={t('Delivery')}
        choices={[...Object.entries(days), [CHOOSE_DATE, t('Choose a date')]]}
        value={isPreset ? day : CHOOSE_DATE}
        onChange={id => setFilter({ day: id === CHOOSE_DATE ? toDayInIndia(Date.now()) : id })}
      />
      {!isPreset && (
        <input
          type="date"
          aria-label={t('Delivery date')}
          className="field w-auto"
          value={day}
          onChange={({ target: { value } }) => value !== '' && setFilter({ day: value })}
        />
      )}
      {children}
    </StickyBar>
  )
}
