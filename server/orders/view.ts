import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { isOnHold } from '#lib/admin/orders.ts'
import { KITCHEN_FILTERS } from '#lib/contract/names.ts'
import type { PaymentStatus } from '#lib/constants.ts'
import type { AdminOrder, Order, OrderChange, OrderList, OrderQuery } from '#lib/contract/orders.ts'
import type { Picture } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { toFallbackFile } from '#lib/images.ts'
import { type Paise, sumPaise, toPaise, toRupees } from '#lib/money.ts'
import { formatSerialNumber } from '#lib/tax/documents.ts'
import type { OrderLineRow, OrderPaymentState, OrderRow } from '../platform/db/order-tables.ts'
import type { ReversalRow } from '../platform/db/payment-tables.ts'
import { readPage } from '../platform/db/search.ts'
import { readCancellationRules, toCancelState, type CancellationRules } from './desk/cancel.ts'
import {
  addressOf,
  customerOf,
  findLines,
  findLinesOf,
  requireOwnOrder,
  listAllOrders,
  listVisibleOrdersOf,
  requireOrder
} from './queries.ts'
import { toDeliveryTax, toInvoice, toItemTax } from './tax/invoices.ts'
import {
  statusOf,
  findOrders,
  findChanges,
  type ChangedDetails,
  type StoredChange
} from './desk/orders.ts'
import { type Balance, dueNow, listReversalsByOrder, readBalancesOf } from './payment/refunds.ts'

const PAYMENT_STATUS: Record<OrderPaymentState, PaymentStatus> = {
  awaiting: 'pending',
  paid: 'completed',
  expired: 'failed',
  cancelled: 'failed',
  refund_due: 'refunding',
  refunded: 'refunded'
}

interface OrderParts {
  lines: readonly OrderLineRow[]
  changes: readonly StoredChange[]
  balance: Balance | undefined
  rules: CancellationRules
}

function toOrder(row: OrderRow, { lines, changes, balance, rules }: OrderParts): Order {
  const creditNote = formatSerialNumber('CN', row.credit_year, row.credit_no)
  return {
    _id: row.id,
    orderNumber: row.order_no,
    createdAt: row.created_at,
    status: statusOf(row),
    items: lines.map(toItem),
    totalAmount: toRupees(row.total),
    ...(changes.length > 0 && { changes: changes.map(toChange) }),
    ...(row.coupon_code !== null && {
      coupon: {
        code: row.coupon_code,
        discount: toRupees(sumPaise(lines.map(line => line.coupon_discount)))
      }
    }),
    shippingAddress: addressOf(row),
    customerDetails: customerOf(row),
    deliveryDate: row.delivery_date,
    ...toDelivery(row),
    paymentMethod: 'razorpay',
    paymentStatus: PAYMENT_STATUS[row.payment_state],
    ...(balance && toRefunds(balance)),
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

function toRefunds(balance: Balance): Pick<Order, 'refunds'> {
  const { toRefund, processed, open } = balance
  const [due, surplus] = [dueNow(balance), Math.max(0, processed + open - toRefund)]
  if (processed + open + due === 0) return {}
  const inRupees = (paise: number): number => toRupees(toPaise(paise))
  return {
    refunds: {
      processed: inRupees(processed),
      open: inRupees(open),
      due: inRupees(due),
      surplus: inRupees(surplus)
    }
  }
}

function toDelivery(
  row: OrderRow
): Pick<Order, 'deliveryFee' | 'deliveryMethod' | 'shipment' | 'note' | 'eventAt'> {
  const { delivery_fee, delivery_method, courier, tracking_number, tracking_link, note, event_at } =
    row
  return {
    ...(delivery_fee > 0 && { deliveryFee: toRupees(delivery_fee) }),
    ...(delivery_method !== null && { deliveryMethod: delivery_method }),
    ...(courier !== null && {
      shipment: {
        courier,
        trackingNumber: tracking_number ?? '',
        trackingLink: tracking_link ?? ''
      }
    }),
    ...(note !== '' && { note }),
    ...(event_at !== null && { eventAt: event_at })
  }
}

function toChange({ removed, ...change }: StoredChange): OrderChange {
  const { deliveryDate, phone, address } = JSON.parse(change.details) as ChangedDetails
  const creditNote = formatSerialNumber('CN', change.credit_year, change.credit_no)
  return {
    at: change.changed_at,
    items: removed.map(toItem),
    credited: toRupees(change.credited),
    refunded: toRupees(change.refunded),
    ...(creditNote !== null && { creditNoteNumber: creditNote }),
    ...(deliveryDate !== undefined && { deliveryDate }),
    hasNewPhone: phone === true,
    hasNewAddress: address === true
  }
}

function historyOf(row: OrderRow): Order['history'] {
  const { created_at, paid_at, packed_at, dispatched_at, delivery_method, delivered_at, ended_at } =
    row
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
    line: line.n,
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

/** Leaves out unpaid orders, except while an attempted payment is checked. */
export async function readMyOrders(deps: ReadDeps, userId: string): Promise<Order[]> {
  return mapWithLines(deps, await listVisibleOrdersOf(deps.database.kysely, userId), toOrder)
}

/** Reads page by page, because an account can have thousands of orders. */
export async function readAllOrders(deps: ReadDeps, userId: string): Promise<Order[]> {
  return mapWithLines(deps, await listAllOrders(deps.database.kysely, userId), toOrder)
}

async function mapWithLines<View>(
  deps: ReadDeps,
  orders: readonly OrderRow[],
  toView: (order: OrderRow, parts: OrderParts) => View
): Promise<View[]> {
  const db = deps.database.kysely
  const ids = orders.map(({ id }) => id)
  const lines = await findLines(db, ids)
  const changes = await findChanges(db, orders)
  const balances = await readBalancesOf(db, ids)
  const rules = await readCancellationRules(deps)
  return orders.map(order => {
    const { id } = order
    return toView(order, {
      lines: lines.get(id) ?? [],
      changes: changes.get(id) ?? [],
      balance: balances.get(id),
      rules
    })
  })
}

export async function readOrder(deps: ReadDeps, userId: string, id: string): Promise<Order> {
  return readOrderView(deps, await requireOwnOrder(deps.database.kysely, userId, id))
}

export async function readOrderView(
  deps: ReadDeps,
  order: OrderRow,
  knownLines?: readonly OrderLineRow[]
): Promise<Order> {
  const db = deps.database.kysely
  const lines = knownLines ?? (await findLinesOf(db, order.id))
  const changes = (await findChanges(db, [order])).get(order.id) ?? []
  const balance = (await readBalancesOf(db, [order.id])).get(order.id)
  return toOrder(order, { lines, changes, balance, rules: await readCancellationRules(deps) })
}

export async function readAdminOrders(
  deps: ReadDeps,
  query: OrderQuery,
  size: number
): Promise<OrderList> {
  const sortsByDeliveryDate = KITCHEN_FILTERS.some(status => status === query.status)
  // An order without a delivery date is sorted by the day of ordering.
  const sorted = sortsByDeliveryDate
    ? findOrders(deps.database.kysely, query)
        .orderBy(sql`coalesce(delivery_date, substr(created_at, 1, 10))`)
        .orderBy('created_at')
    : findOrders(deps.database.kysely, query).orderBy('created_at', 'desc')
  const { rows, ...counts } = await readPage('orders', sorted.orderBy('id'), { ...query, size })
  return { orders: await toAdminOrders(deps, rows), ...counts }
}

export async function readAdminOrder(deps: ReadDeps, id: string): Promise<AdminOrder> {
  const [order] = await toAdminOrders(deps, [await requireOrder(deps.database.kysely, id)])
  if (!order) throw new ShopError('ORDER_NOT_FOUND')
  return order
}

async function toAdminOrders(deps: ReadDeps, rows: readonly OrderRow[]): Promise<AdminOrder[]> {
  const db = deps.database.kysely
  const reversals = await listReversalsByOrder(
    db,
    rows.map(({ id }) => id)
  )
  return mapWithLines(deps, rows, (row, parts) => toAdminOrder(row, parts, reversals.get(row.id)))
}

function toAdminOrder(
  row: OrderRow,
  parts: OrderParts,
  reversals: readonly ReversalRow[] | undefined
): AdminOrder {
  const refund =
    row.payment_state === 'refund_due'
      ? 'due'
      : row.payment_state === 'refunded'
        ? 'processed'
        : null
  const order = toOrder(row, parts)
  const shownReversals = toShownReversals(reversals)
  return {
    ...order,
    userId: row.user_id,
    isAnonymised: row.anonymised_at !== null,
    ...(row.delivery_zone && { deliveryZone: row.delivery_zone }),
    isTest: row.payment_mode === 'test',
    isOnHold: isOnHold({ status: order.status, reversals: shownReversals }),
    refund,
    reversals: shownReversals,
    version: row.changes,
    refundable: toRupees(parts.balance ? leftOf(parts.balance) : row.total)
  }
}

function leftOf(balance: Balance): Paise {
  return dueNow({ ...balance, toRefund: balance.paid })
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
