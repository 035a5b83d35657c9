import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { isOnHold, lastDayToPack, lastDueDate } from '#lib/admin/orders.ts'
import {
  DELIVERY_DAYS_AHEAD,
  LOW_STOCK_THRESHOLD,
  SALES_CHART_DAYS,
  SETTING_LIMITS
} from '#lib/constants.ts'
import type { Dashboard, KitchenDashboard } from '#lib/contract/admin.ts'
import { KITCHEN_FILTERS, type OrderFilter } from '#lib/contract/names.ts'
import type { AdminOrder, AdminOrderList, OrderQuery } from '#lib/contract/desk.ts'
import { ShopError } from '#lib/errors.ts'
import { toPaise, toRupees } from '#lib/money.ts'
import { addDays, DAY, type EpochMs, toDayInIndia, toStartOfDay, toIso } from '#lib/time.ts'
import type { OrderRow, ReversalRow } from '../../platform/db/order-tables.ts'
import { containsAll, countRows, readPage } from '../../platform/db/search.ts'
import type { Db, Tables } from '../../platform/db/tables.ts'
import { dueNow, listReversalsByOrder } from '../payment/refunds.ts'
import { hasFulfilmentStatus, requireOrder } from '../queries.ts'
import { type OrderParts, type ReadDeps, readParts, toOrder } from '../view.ts'

const MAX_LOW_STOCK_ROWS = 20

type Where = ExpressionBuilder<Tables, 'orders'>

export function findOrders(db: Db, { status, from, until, cooked, q, user, ids }: OrderQuery) {
  let query = db.selectFrom('orders').selectAll('orders')
  if (status) query = query.where(row => hasStatus(row, status))
  if (from || until) query = query.where(row => (cooked ? isCooked : isDue)(row, { from, until }))
  if (user) query = query.where('user_id', '=', user)
  if (ids !== undefined) query = query.where('orders.id', 'in', ids.split(','))
  if (!q) return query
  const texts = db
    .selectFrom('order_texts')
    .select('order_id')
    .where(containsAll(db, sql.ref('order_texts.text'), q))
  return query.where('orders.id', 'in', texts)
}

/** Ids of the products sold most often in the last 90 days, best first. */
export async function listBestsellers(db: Db, now: EpochMs): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .innerJoin('order_lines', 'order_lines.order_id', 'orders.id')
    .select('product_id')
    .where('created_at', '>=', toIso(now - 90 * DAY))
    .where('payment_state', '=', 'paid')
    .where(row => row.or([row('payment_mode', '=', 'live'), row('payment_mode', 'is', null)]))
    .groupBy('product_id')
    .orderBy(({ fn }) => fn.sum('quantity'), 'desc')
    .orderBy('product_id')
    .limit(SETTING_LIMITS.bestsellers)
    .execute()
  return rows.map(row => row.product_id)
}

function hasStatus(row: Where, status: OrderFilter): Expression<SqlBool> {
  if (status === 'paid') return row('paid_at', 'is not', null)
  if (status === 'unpaid') return row('paid_at', 'is', null)
  if (status !== 'cancelled') return hasFulfilmentStatus(row, status)
  return row.or([
    row('fulfilment_status', '=', 'cancelled'),
    row.and([
      row('fulfilment_status', 'is', null),
      row('payment_state', 'in', ['refund_due', 'refunded'])
    ])
  ])
}

/** An order without a delivery date is due on the first day on which it could be delivered. */
export function isDue(
  row: Where,
  { from, until }: Pick<OrderQuery, 'from' | 'until'>
): Expression<SqlBool> {
  const firstOrderTime = (day: string) => toStartOfDay(addDays(day, -DELIVERY_DAYS_AHEAD.earliest))
  const dated = []
  const undated = [row('delivery_date', 'is', null)]
  if (from) {
    dated.push(row('delivery_date', '>=', from))
    undated.push(row('orders.created_at', '>=', firstOrderTime(from)))
  }
  if (until) {
    dated.push(row('delivery_date', '<=', until))
    undated.push(row('orders.created_at', '<', firstOrderTime(addDays(until, 1))))
  }
  return row.or([row.and(dated), row.and(undated)])
}

/** Old orders have no kitchen day: they are cooked for the day on which they are due. */
export function isCooked(
  row: Where,
  { from = '', until = '9' }: Pick<OrderQuery, 'from' | 'until'>
): Expression<SqlBool> {
  return row.or([
    row.and([row('kitchen_day', '>=', from), row('kitchen_day', '<=', until)]),
    row.and([row('kitchen_day', 'is', null), isDue(row, { from, until })])
  ])
}

export async function readAdminOrders(
  deps: ReadDeps,
  query: OrderQuery,
  size: number
): Promise<AdminOrderList> {
  const found = findOrders(deps.database.kysely, query)
  const isForKitchen = KITCHEN_FILTERS.some(status => status === query.status)
  const sorted = isForKitchen
    ? found.orderBy(sql`coalesce(delivery_date, substr(created_at, 1, 10))`).orderBy('created_at')
    : found.orderBy('created_at', 'desc')
  const { rows, ...counts } = await readPage('orders', sorted.orderBy('id'), { ...query, size })
  return { orders: await toAdminOrders(deps, rows), ...counts }
}

export async function readAdminOrder(deps: ReadDeps, id: string): Promise<AdminOrder> {
  const [order] = await toAdminOrders(deps, [await requireOrder(deps.database.kysely, id)])
  if (!order) throw new ShopError('ORDER_NOT_FOUND')
  return order
}

async function toAdminOrders(deps: ReadDeps, rows: readonly OrderRow[]): Promise<AdminOrder[]> {
  const ids = rows.map(({ id }) => id)
  const reversals = await listReversalsByOrder(deps.database.kysely, ids)
  const partsOf = await readParts(deps, rows)
  return rows.map(row => toAdminOrder(row, partsOf(row), reversals.get(row.id)))
}

function toAdminOrder(
  row: OrderRow,
  parts: OrderParts,
  reversals: readonly ReversalRow[] | undefined
): AdminOrder {
  const { balance } = parts
  const order = toOrder(row, parts)
  const shownReversals = toShownReversals(reversals)
  const refunds: Partial<Record<string, AdminOrder['refund']>> = {
    refund_due: 'due',
    refunded: 'processed'
  }
  return {
    ...order,
    userId: row.user_id,
    isAnonymised: row.anonymised_at !== null,
    ...(row.delivery_zone && { deliveryZone: row.delivery_zone }),
    isTest: row.payment_mode === 'test',
    isOnHold: isOnHold({ status: order.status, reversals: shownReversals }),
    refund: refunds[row.payment_state] ?? null,
    reversals: shownReversals,
    version: row.changes,
    refundable: toRupees(balance ? dueNow({ ...balance, toRefund: balance.paid }) : row.total)
  }
}

export function toShownReversals(reversals: readonly ReversalRow[] = []): AdminOrder['reversals'] {
  return reversals.map(({ id, kind, amount, state, acknowledged_at }) => ({
    id,
    kind,
    amount: toRupees(amount),
    state,
    isAcknowledged: acknowledged_at !== null
  }))
}

export async function readDashboard(deps: ReadDeps): Promise<Dashboard> {
  const now = deps.clock()
  const db = deps.database.kysely
  const days = Array.from({ length: SALES_CHART_DAYS }, (_, index) =>
    toDayInIndia(now - (SALES_CHART_DAYS - 1 - index) * DAY)
  )
  const paidOrders = db
    .selectFrom('orders')
    .select(['paid_at', 'total', 'payment_mode'])
    .where('paid_at', '>=', toStartOfDay(days[0] ?? toDayInIndia(now)))
    .where('payment_state', '=', 'paid')
  const [kitchen, products, orders, users, deals, unread, paid] = await Promise.all([
    readKitchenDashboard(deps),
    countRows(db.selectFrom('products')),
    countRows(findOrders(db, { status: 'paid' })),
    countRows(db.selectFrom('users').where('deleted_at', 'is', null)),
    countRows(db.selectFrom('deals').where('ends_at', '>', toIso(now))),
    countRows(db.selectFrom('contact_messages').where('read_at', 'is', null)),
    paidOrders.execute()
  ])
  const sales = days.map(day => ({ day, orders: 0, total: 0 }))
  const salesByDay = new Map(sales.map(each => [each.day, each]))
  const isTest = ({ payment_mode }: (typeof paid)[number]) => payment_mode === 'test'
  for (const { paid_at, total } of paid.filter(order => !isTest(order))) {
    const each = salesByDay.get(toDayInIndia(Date.parse(paid_at ?? '')))
    if (!each) continue
    each.orders++
    each.total += total
  }
  return {
    ...kitchen,
    counts: { products, orders, users, deals },
    unread,
    sales: sales.map(each => ({ ...each, total: toRupees(toPaise(each.total)) })),
    testOrders: paid.filter(isTest).length
  }
}

/** Reads only the last number of each year. */
export async function countInvoices(db: Db): Promise<number> {
  const { orders } = await db
    .selectFrom('counters')
    .select(({ fn }) => fn.sum<number>('value').as('orders'))
    .where('name', '>', 'invoices ')
    .where('name', '<', 'invoices!')
    .executeTakeFirstOrThrow()
  return Number(orders)
}

export async function readKitchenDashboard({
  database: { kysely: db },
  clock
}: ReadDeps): Promise<KitchenDashboard> {
  const now = clock()
  const dueBy = lastDueDate(now)
  const lowStock = db
    .selectFrom('products')
    .select(['id', 'name', 'stock', 'pack_value', 'pack_unit', 'pack_type'])
    .where('hidden_at', 'is', null)
    .where('cooked_to_order', '=', 0)
    .where('stock', '<=', LOW_STOCK_THRESHOLD)
    .orderBy('stock')
    .orderBy('name')
    .limit(MAX_LOW_STOCK_ROWS)
  const count = (query: OrderQuery) => countRows(findOrders(db, query))
  const [pending, toPack, toPackToday, packed, ready, products] = await Promise.all([
    count({ status: 'pending' }),
    count({ status: 'pending', until: dueBy }),
    count({ status: 'pending', until: lastDayToPack(now) }),
    count({ status: 'packed' }),
    count({ status: 'ready' }),
    lowStock.execute()
  ])
  return {
    ...{ pending, toPack, toPackToday, packed, ready, dueBy },
    lowStock: products.map(
      ({ pack_value: value, pack_unit: unit, pack_type: type, ...product }) => ({
        ...product,
        packSize: { value, unit, type }
      })
    )
  }
}
