import type { FastifyInstance } from 'fastify'
import type { PaymentStatus } from '#lib/constants.ts'
import type { Order, OrderChange } from '#lib/contract/orders.ts'
import type { Picture } from '#lib/contract/values.ts'
import { toFallbackFile } from '#lib/images.ts'
import { formatReason } from '#lib/admin/refunds.ts'
import { sumPaise, toPaise, toRupees } from '#lib/money.ts'
import { formatSerialNumber } from '#lib/tax/invoice.ts'
import { creditPacks } from '#lib/tax/taxes.ts'
import { toDayInIndia } from '#lib/time.ts'
import type {
  CreditLineRow,
  OrderLineRow,
  OrderPaymentState,
  OrderRow
} from '../platform/db/order-tables.ts'
import { readSection } from '../settings/settings.ts'
import { type Balance, dueNow, readBalancesOf } from './payment/refunds.ts'
import {
  addressOf,
  customerOf,
  detailsOf,
  findChanges,
  findLines,
  giftOf,
  groupByOrder,
  lineName,
  listOrdersOf,
  requireOwnOrder,
  statusOf,
  type StoredChange
} from './queries.ts'
import { toDeliveryTax, toInvoice, toItemTax, toOtherTax } from './tax/invoices.ts'

const PAYMENT_STATUS: Record<OrderPaymentState, PaymentStatus> = {
  awaiting: 'pending',
  paid: 'completed',
  expired: 'failed',
  cancelled: 'failed',
  refund_due: 'refunding',
  refunded: 'refunded'
}

export interface OrderParts {
  lines: readonly OrderLineRow[]
  changes: readonly StoredChange[]
  balance: Balance | undefined
  rules: CancellationRules
}

export function toOrder(row: OrderRow, { lines, changes, balance, rules }: OrderParts): Order {
  const creditNote = formatSerialNumber('CN', row.credit_year, row.credit_no)
  const credits = changes.flatMap(change => change.credits)
  return {
    _id: row.id,
    orderNumber: row.order_no,
    language: row.language,
    createdAt: row.created_at,
    status: statusOf(row),
    items: lines.map(line => ({ ...toItem(line, row), ...toRefundedPacks(line, credits) })),
    totalAmount: toRupees(row.total),
    ...(changes.length > 0 && { changes: changes.map(change => toChange(change, lines, row)) }),
    ...(credits.length > 0 && {
      refundedAmount: toRupees(sumPaise(credits.map(({ total }) => total)))
    }),
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
    paymentStatus: toPaymentStatus(row, balance),
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

/** An order that has left keeps its state when everything is refunded. */
function toPaymentStatus(
  { payment_state, total }: OrderRow,
  balance: Balance | undefined
): PaymentStatus {
  if (payment_state !== 'paid' || total > 0 || !balance) return PAYMENT_STATUS[payment_state]
  return balance.processed < balance.paid ? 'refunding' : 'refunded'
}

function toRefundedPacks(
  { n }: OrderLineRow,
  credits: readonly CreditLineRow[]
): Pick<Order['items'][number], 'refundedPacks'> {
  const packs = credits.reduce((sum, each) => sum + (each.n === n ? each.quantity : 0), 0)
  return packs > 0 ? { refundedPacks: packs } : {}
}

function toRefunds(balance: Balance): Pick<Order, 'refunds'> {
  const { toRefund, processed, open } = balance
  const due = dueNow(balance)
  if (processed + open + due === 0) return {}
  return {
    refunds: {
      processed: toRupees(toPaise(processed)),
      open: toRupees(toPaise(open)),
      due: toRupees(due),
      surplus: toRupees(toPaise(Math.max(0, processed + open - toRefund)))
    }
  }
}

function toDelivery(
  row: OrderRow
): Pick<Order, 'deliveryFee' | 'deliveryMethod' | 'shipment' | keyof Wishes> {
  const { delivery_fee, delivery_method, courier, tracking_number, tracking_link } = row
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
    ...toWishes(row)
  }
}

type Wishes = Pick<Order, 'note' | 'eventAt' | 'gift'>

export function toWishes(row: OrderRow): Wishes {
  const { note, event_at } = row
  const gift = giftOf(row)
  return {
    ...(note !== '' && { note }),
    ...(event_at !== null && { eventAt: event_at }),
    ...(gift && { gift })
  }
}

function toChange(
  { removed, credits, ...change }: StoredChange,
  lines: readonly OrderLineRow[],
  order: OrderRow
): OrderChange {
  const { deliveryDate, phone, address, refund } = detailsOf(change)
  const kept = credits.flatMap(credit => {
    const line = lines.find(({ n }) => n === credit.n)
    if (!line || credit.quantity === 0) return []
    const { coupon_discount } = creditPacks(line, credit.quantity)
    return [{ ...line, coupon_discount, ...credit }]
  })
  const others = credits.filter(({ quantity }) => quantity === 0)
  const reason = refund && formatReason(refund)
  const creditNote = formatSerialNumber('CN', change.credit_year, change.credit_no)
  return {
    at: change.changed_at,
    items: [...removed, ...kept].map(line => toItem(line, order)),
    ...(kept.length > 0 && { keepsItems: true }),
    ...toOtherTax(others),
    ...(reason && { reason }),
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

function toItem(line: OrderLineRow, order: OrderRow): Order['items'][number] {
  const picture = line.picture === null ? undefined : (JSON.parse(line.picture) as Picture)
  return {
    line: line.n,
    product: {
      _id: line.product_id,
      name: lineName(order, line),
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

export async function readMyOrders(deps: ReadDeps, userId: string): Promise<Order[]> {
  return toOrders(deps, await listOrdersOf(deps.database.kysely, userId, 'visible'))
}

export async function readAllOrders(deps: ReadDeps, userId: string): Promise<Order[]> {
  return toOrders(deps, await listOrdersOf(deps.database.kysely, userId, 'all'))
}

async function toOrders(deps: ReadDeps, rows: readonly OrderRow[]): Promise<Order[]> {
  const partsOf = await readParts(deps, rows)
  return rows.map(row => toOrder(row, partsOf(row)))
}

export async function readParts(
  deps: ReadDeps,
  orders: readonly OrderRow[],
  knownLines?: readonly OrderLineRow[]
): Promise<(order: OrderRow) => OrderParts> {
  const db = deps.database.kysely
  const ids = orders.map(({ id }) => id)
  const lines = knownLines ? groupByOrder(knownLines) : await findLines(db, ids)
  const changes = await findChanges(db, orders)
  const balances = await readBalancesOf(db, ids)
  const rules = await readCancellationRules(deps)
  return ({ id }) => ({
    lines: lines.get(id) ?? [],
    changes: changes.get(id) ?? [],
    balance: balances.get(id),
    rules
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
  const partsOf = await readParts(deps, [order], knownLines)
  return toOrder(order, partsOf(order))
}

interface CancellationRules {
  now: number
  cancellable: readonly string[]
}

export async function readCancellationRules({
  database,
  clock
}: ReadDeps): Promise<CancellationRules> {
  const { cancellable } = await readSection(database.kysely, 'orders')
  return { now: clock(), cancellable }
}

/** On the day of payment (India time), before packing, and only if all items are cancellable. */
export function toCancelState(
  order: OrderRow,
  lines: readonly Pick<OrderLineRow, 'category'>[],
  { now, cancellable }: CancellationRules
): Pick<Order, 'canCancel' | 'cancelBlock'> {
  const { payment_state, paid_at } = order
  const status = statusOf(order)
  if (payment_state !== 'paid' || paid_at === null) return { canCancel: false }
  if (status === 'shipped') return { canCancel: false, cancelBlock: 'shipped' }
  if (status === 'packed' || status === 'ready') return { canCancel: false, cancelBlock: 'packed' }
  if (status !== 'pending') return { canCancel: false }
  if (!lines.every(({ category }) => cancellable.includes(category)))
    return { canCancel: false, cancelBlock: 'perishable' }
  const isToday = toDayInIndia(Date.parse(paid_at)) === toDayInIndia(now)
  return isToday ? { canCancel: true } : { canCancel: false, cancelBlock: 'later_day' }
}
