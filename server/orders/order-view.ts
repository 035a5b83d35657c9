import type { FastifyInstance } from 'fastify'
import { sql, type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { normalizePhone } from '#lib/account/forms.ts'
import { isOnHold, KITCHEN_FILTERS, type OrderFilter } from '#lib/admin/orders.ts'
import { DELIVERY_DAYS_AHEAD, type PaymentStatus } from '#lib/constants.ts'
import type { AdminOrder, Order, OrderList, OrderQuery } from '#lib/contract/orders.ts'
import type { Picture } from '#lib/contract/values.ts'
import { toFallbackFile } from '#lib/images.ts'
import { sumPaise, toRupees } from '#lib/money.ts'
import { formatSerialNumber } from '#lib/tax/documents.ts'
import { DAY, toDayInIndia, toStartOfDay } from '#lib/time.ts'
import type { OrderLineRow, OrderPaymentState, OrderRow, ReversalRow } from '../platform/db/order-tables.ts'
import { containsWord, readPage, wordsOf } from '../platform/db/search.ts'
import type { Db, Tables } from '../platform/db/tables.ts'
import { readCancellationRules, toCancelState, type CancellationRules } from './cancellation.ts'
import {
  addressOf,
  customerOf,
  findLines,
  findLinesOf,
  findOwnOrder,
  listOrdersPage,
  listVisibleOrdersOf,
  requireOrder
} from './order-queries.ts'
import { findReversals } from './reversals/reversal-queries.ts'
import { toDeliveryTax, toInvoice, toItemTax } from './tax/invoice-view.ts'
import { hasFulfilmentStatus, statusOf } from './transitions.ts'

const PAYMENT_STATUS: Record<OrderPaymentState, PaymentStatus> = {
  awaiting: 'pending',
  paid: 'completed',
  expired: 'failed',
  cancelled: 'failed',
  refund_due: 'refunding',
  refunded: 'refunded'
}

function toOrder(row: OrderRow, lines: readonly OrderLineRow[], rules: CancellationRules): Order {
  const creditNote = formatSerialNumber('CN', row.credit_year, row.credit_no)
  return {
    _id: row.id,
    orderNumber: row.order_no,
    createdAt: row.created_at,
    status: statusOf(row),
    items: lines.map(toItem),
    totalAmount: toRupees(row.total),
    ...(row.coupon_code !== null && {
      coupon: { code: row.coupon_code, discount: toRupees(sumPaise(lines.map(line => line.coupon_discount))) }
    }),
    shippingAddress: addressOf(row),
    customerDetails: customerOf(row),
    deliveryDate: row.delivery_date,
    ...toDelivery(row),
    paymentMethod: 'razorpay',
    paymentStatus: PAYMENT_STATUS[row.payment_state],
    razorpay_payment_id: row.paid_payment_id,
    razorpay_order_id: row.provider_order_id,
    razorpay_signature: row.signature,
    history: historyOf(row),
    ...(creditNote !== null && { creditNoteNumber: creditNote }),
    invoiceNumber: formatSerialNumber('PG', row.invoice_year, row.invoice_no),
    ...toInvoice(row),
    ...toDeliveryTax(row),
    paidAt: row.paid_at,
    ...toCancelState(row, lines, rules)
  }
}

function toDelivery(row: OrderRow): Pick<Order, 'deliveryFee' | 'deliveryMethod' | 'shipment' | 'note' | 'eventAt'> {
  const { delivery_fee, delivery_method, courier, tracking_number, tracking_link, note, event_at } = row
  return {
    ...(delivery_fee > 0 && { deliveryFee: toRupees(delivery_fee) }),
    ...(delivery_method !== null && { deliveryMethod: delivery_method }),
    ...(courier !== null && {
      shipment: { courier, trackingNumber: tracking_number ?? '', trackingLink: tracking_link ?? '' }
    }),
    ...(note !== '' && { note }),
    ...(event_at !== null && { eventAt: event_at })
  }
}

function historyOf(row: OrderRow): Order['history'] {
  const { created_at, paid_at, packed_at, dispatched_at, delivery_method, delivered_at, ended_at } = row
  const steps = [
    { status: 'checking', at: paid_at === null ? created_at : null },
    { status: 'pending', at: paid_at },
    { status: 'packed', at: packed_at },
    { status: delivery_method === 'pickup' ? 'ready' : 'shipped', at: dispatched_at },
    { status: 'delivered', at: delivered_at },
    { status: row.payment_state === 'expired' ? 'expired' : 'cancelled', at: ended_at }
  ] as const
  return steps.flatMap(({ status, at }) => (at === null ? [] : [{ status, at }]))
}

function toItem(line: OrderLineRow): Order['items'][number] {
  const picture = line.picture === null ? undefined : (JSON.parse(line.picture) as Picture)
  return {
    product: {
      _id: line.product_id,
      name: line.name,
      image: picture ? toFallbackFile(picture) : '',
      ...(picture && { picture })
    },
    quantity: line.quantity,
    price: toRupees(line.price),
    listPrice: toRupees(line.list_price),
    ...(line.percent !== null && { discount: line.percent }),
    ...(line.coupon_discount > 0 && { couponDiscount: toRupees(line.coupon_discount) }),
    total: toRupees(line.total),
    ...toItemTax(line),
    packSize: { value: line.pack_value, unit: line.pack_unit, type: line.pack_type }
  }
}

export type ReadDeps = Pick<FastifyInstance, 'database' | 'clock'>

/** Leaves out orders for which no payment was attempted. */
export async function readMyOrders(deps: ReadDeps, userId: string): Promise<Order[]> {
  return mapWithLines(deps, await listVisibleOrdersOf(deps.database.kysely, userId), toOrder)
}

/** Reads page by page, because an account can have thousands of orders. */
export async function* readAllOrders(deps: ReadDeps, userId: string): AsyncGenerator<Order[]> {
  let last: OrderRow | undefined
  do {
    const page = await listOrdersPage(deps.database.kysely, userId, last)
    yield await mapWithLines(deps, page, toOrder)
    last = page.at(-1)
  } while (last)
}

async function mapWithLines<View>(
  deps: ReadDeps,
  orders: readonly OrderRow[],
  toView: (order: OrderRow, lines: readonly OrderLineRow[], rules: CancellationRules) => View
): Promise<View[]> {
  const ids = orders.map(({ id }) => id)
  const lines = await findLines(deps.database.kysely, ids)
  const rules = await readCancellationRules(deps)
  return orders.map(order => toView(order, lines.get(order.id) ?? [], rules))
}

export async function readOrder(deps: ReadDeps, userId: string, id: string): Promise<Order> {
  return withLines(deps, await findOwnOrder(deps.database.kysely, userId, id))
}

export async function withLines(deps: ReadDeps, order: OrderRow): Promise<Order> {
  const lines = await findLinesOf(deps.database.kysely, order.id)
  return toOrder(order, lines, await readCancellationRules(deps))
}

export async function readAdminOrders(deps: ReadDeps, query: OrderQuery, size: number): Promise<OrderList> {
  const sortsByDeliveryDate = KITCHEN_FILTERS.some(status => status === query.status)
  // An order without a delivery date is sorted by the day of ordering.
  const sorted = sortsByDeliveryDate
    ? findOrders(deps.database.kysely, query)
        .orderBy(sql`coalesce(delivery_date, substr(created_at, 1, 10))`)
        .orderBy('created_at')
    : findOrders(deps.database.kysely, query).orderBy('created_at', 'desc')
  const { rows, ...counts } = await readPage(sorted.orderBy('id'), query.page, size)
  const reversals = await findReversals(
    deps.database.kysely,
    rows.map(({ id }) => id)
  )
  const toView = (row: OrderRow, lines: readonly OrderLineRow[], rules: CancellationRules): AdminOrder =>
    toAdminOrder(row, lines, rules, reversals.get(row.id))
  return { orders: await mapWithLines(deps, rows, toView), ...counts }
}

export async function readAdminOrder(deps: ReadDeps, id: string): Promise<AdminOrder> {
  const db = deps.database.kysely
  const [reversals, rules] = [await findReversals(db, [id]), await readCancellationRules(deps)]
  return toAdminOrder(await requireOrder(db, id), await findLinesOf(db, id), rules, reversals.get(id))
}

function toAdminOrder(
  row: OrderRow,
  lines: readonly OrderLineRow[],
  rules: CancellationRules,
  reversals?: readonly ReversalRow[]
): AdminOrder {
  const refund = row.payment_state === 'refund_due' ? 'due' : row.payment_state === 'refunded' ? 'processed' : null
  const order = toOrder(row, lines, rules)
  const shownReversals = toShownReversals(reversals)
  return {
    ...order,
    userId: row.user_id,
    isAnonymised: row.anonymised_at !== null,
    ...(row.delivery_zone && { deliveryZone: row.delivery_zone }),
    isTest: row.payment_mode === 'test',
    isOnHold: isOnHold({ status: order.status, reversals: shownReversals }),
    refund,
    reversals: shownReversals
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

type Where = ExpressionBuilder<Tables, 'orders'>

export function findOrders(
  db: Db,
  { status, from, until, q, user, ids }: OrderQuery
): SelectQueryBuilder<Tables, 'orders', OrderRow> {
  return db
    .selectFrom('orders')
    .selectAll('orders')
    .$if(status !== undefined, query => query.where(row => hasStatus(row, status ?? 'paid')))
    .$if(from !== undefined, query => query.where(row => isDueFrom(row, from ?? '')))
    .$if(until !== undefined, query => query.where(row => isDueBy(row, until ?? '')))
    .$if(user !== undefined, query => query.where('user_id', '=', user ?? ''))
    .$if(ids !== undefined, query => query.where('orders.id', 'in', (ids ?? '').split(',')))
    .where(row => row.and(parseSearch(q ?? '').map(word => matchesWord(row, word))))
}

function hasStatus(row: Where, status: OrderFilter): Expression<SqlBool> {
  if (status === 'paid') return row('paid_at', 'is not', null)
  if (status === 'unpaid') return row('paid_at', 'is', null)
  if (status !== 'cancelled') return hasFulfilmentStatus(row, status)
  // `cancelled` also means orders that were paid after their reservation had ended and are therefore refunded.
  return row.or([
    row('fulfilment_status', '=', 'cancelled'),
    row.and([row('fulfilment_status', 'is', null), row('payment_state', 'in', ['refund_due', 'refunded'])])
  ])
}

// The same rule as `toDueDate`.
export function isDueFrom(row: Where, day: string): Expression<SqlBool> {
  const undated = row.and([row('delivery_date', 'is', null), row('orders.created_at', '>=', firstOrderTime(day))])
  return row.or([row('delivery_date', '>=', day), undated])
}

export function isDueBy(row: Where, day: string): Expression<SqlBool> {
  const endOfDay = toDayInIndia(Date.parse(day) + DAY)
  const undated = row.and([row('delivery_date', 'is', null), row('orders.created_at', '<', firstOrderTime(endOfDay))])
  return row.or([row('delivery_date', '<=', day), undated])
}

/** Returns the time (ISO) from which orders without a delivery date are due on `day` or later. */
function firstOrderTime(day: string): string {
  return toStartOfDay(toDayInIndia(Date.parse(day) - DELIVERY_DAYS_AHEAD.earliest * DAY))
}

function parseSearch(typed: string): string[] {
  const digits = normalizePhone(typed)
  return /^\d{10}$/.test(digits) ? [digits] : wordsOf(typed)
}

function matchesWord(row: Where, word: string): Expression<SqlBool> {
  const searchText = sql<string>`order_no || ' ' || ${valuesOf('customer')} || ' ' || ${valuesOf('address')}`
  const line = row
    .selectFrom('order_lines')
    .select('order_lines.n')
    .whereRef('order_lines.order_id', '=', 'orders.id')
    .where(containsWord(sql.ref('order_lines.name'), word))
  return row.or([containsWord(searchText, word), row.exists(line)])
}

const JSON_FIELDS = {
  customer: ['name', 'email', 'phone'],
  address: ['apartmentOrSuite', 'street', 'landmark', 'city', 'district', 'state', 'pincode', 'country']
} as const

/**
 * Returns the JSON text without field names, so that a search does not find them. Uses `replace`, because SQLite and
 * PostgreSQL have different JSON functions.
 */
function valuesOf(column: 'customer' | 'address'): Expression<string> {
  return JSON_FIELDS[column].reduce<Expression<string>>(
    (text, name) => sql<string>`replace(${text}, ${`"${name}":`}, ' ')`,
    sql.ref<string>(`orders.${column}`)
  )
}
