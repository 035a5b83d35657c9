import {
  type Expression,
  type ExpressionBuilder,
  type SqlBool,
  sql,
  type SelectQueryBuilder
} from 'kysely'
import { type OrderStatus, DELIVERY_DAYS_AHEAD } from '#lib/constants.ts'
import { toPaise, type Paise } from '#lib/money.ts'
import type { FulfilmentStatus, OrderFilter } from '#lib/contract/names.ts'
import type {
  OrderRow,
  OrderChangeRow,
  OrderLineRow,
  RemovedLineRow
} from '../../platform/db/order-tables.ts'
import type { Tables, Trx, Db } from '../../platform/db/tables.ts'
import { updateOrder } from '../payment/transitions.ts'
import { normalizePhone } from '#lib/contract/formats.ts'
import type { OrderQuery } from '#lib/contract/orders.ts'
import { addDays, toStartOfDay } from '#lib/time.ts'
import { lowerCaseContains, wordsOf, readInBatches } from '../../platform/db/search.ts'
import { creditPacks, shareOf } from '#lib/tax/taxes.ts'
import { groupByOrder } from '../queries.ts'

// Changes of paid orders. As for payments, each is one conditional UPDATE.

export function markCancelled(
  trx: Trx,
  order: Pick<OrderRow, 'id' | 'user_id'>,
  from: FulfilmentStatus,
  changes: Pick<OrderRow, 'payment_state' | 'ended_at'>
): Promise<OrderRow | undefined> {
  return updateOrder(trx, order.id, { ...changes, fulfilment_status: 'cancelled' })
    .where('user_id', '=', order.user_id)
    .where('payment_state', '=', 'paid')
    .where(row => hasFulfilmentStatus(row, from))
    .executeTakeFirst()
}

export type FulfilmentColumns = Pick<
  OrderRow,
  | 'fulfilment_status'
  | 'packed_at'
  | 'dispatched_at'
  | 'delivered_at'
  | 'courier'
  | 'tracking_number'
  | 'tracking_link'
>

export function setFulfilmentStatus(
  trx: Trx,
  id: string,
  from: FulfilmentStatus,
  changes: Partial<FulfilmentColumns>
): Promise<OrderRow | undefined> {
  return updateOrder(trx, id, changes)
    .where('payment_state', '=', 'paid')
    .where(row => hasFulfilmentStatus(row, from))
    .where('anonymised_at', 'is', null)
    .executeTakeFirst()
}

export function markChanged(
  trx: Trx,
  { id, changes, total }: Pick<OrderRow, 'id' | 'changes' | 'total'>,
  { credit, ...fields }: { credit: Paise } & Partial<Pick<OrderRow, 'customer' | 'address'>>
): Promise<OrderRow | undefined> {
  return updateOrder(trx, id, {
    ...fields,
    changes: changes + 1,
    total: toPaise(total - credit)
  })
    .where('changes', '=', changes)
    .where('payment_state', '=', 'paid')
    .where('fulfilment_status', 'in', ['pending', 'packed'])
    .where('dispatched_at', 'is', null)
    .where('anonymised_at', 'is', null)
    .executeTakeFirst()
}

export function statusOf({
  payment_state,
  fulfilment_status,
  dispatched_at,
  delivery_method
}: OrderRow): OrderStatus {
  if (fulfilment_status === 'packed' && dispatched_at !== null)
    return delivery_method === 'pickup' ? 'ready' : 'shipped'
  if (fulfilment_status !== null) return fulfilment_status
  if (payment_state === 'awaiting') return 'checking'
  return payment_state === 'expired' ? 'expired' : 'cancelled'
}

/** The same rule as `statusOf`, in SQL. */
function hasFulfilmentStatus(
  row: ExpressionBuilder<Tables, 'orders'>,
  status: FulfilmentStatus | 'cancelled'
): Expression<SqlBool> {
  const isPacked = row('fulfilment_status', '=', 'packed')
  if (status === 'packed') return row.and([isPacked, row('dispatched_at', 'is', null)])
  if (status !== 'shipped' && status !== 'ready') return row('fulfilment_status', '=', status)
  const isPickup = row('delivery_method', '=', 'pickup')
  return row.and([
    isPacked,
    row('dispatched_at', 'is not', null),
    status === 'ready' ? isPickup : row.not(isPickup)
  ])
}

type Where = ExpressionBuilder<Tables, 'orders'>

export function findOrders(
  db: Db,
  { status, from, until, q, user, ids }: OrderQuery
): SelectQueryBuilder<Tables, 'orders', OrderRow> {
  const words = parseSearch(q ?? '')
  let query = db.selectFrom('orders').selectAll('orders')
  if (status) query = query.where(row => hasStatus(row, status))
  if (from || until) query = query.where(row => isDue(row, { from, until }))
  if (user) query = query.where('user_id', '=', user)
  if (ids !== undefined) query = query.where('orders.id', 'in', ids.split(','))
  if (words.length > 0) query = query.where('orders.id', 'in', row => findTexts(db, row, words))
  return query
}

function hasStatus(row: Where, status: OrderFilter): Expression<SqlBool> {
  if (status === 'paid') return row('paid_at', 'is not', null)
  if (status === 'unpaid') return row('paid_at', 'is', null)
  if (status !== 'cancelled') return hasFulfilmentStatus(row, status)
  // Also orders that were paid after their reservation had ended, and are refunded.
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
  const dated = [
    ...(from ? [row('delivery_date', '>=', from)] : []),
    ...(until ? [row('delivery_date', '<=', until)] : [])
  ]
  const undated = [row('delivery_date', 'is', null)]
  if (from) undated.push(row('orders.created_at', '>=', firstOrderTime(from)))
  if (until) undated.push(row('orders.created_at', '<', firstOrderTime(addDays(until, 1))))
  return row.or([row.and(dated), row.and(undated)])
}

function firstOrderTime(day: string): string {
  return toStartOfDay(addDays(day, -DELIVERY_DAYS_AHEAD.earliest))
}

function parseSearch(typed: string): string[] {
  const digits = normalizePhone(typed)
  return /^\d{10}$/.test(digits) ? [digits] : wordsOf(typed)
}

function findTexts(db: Db, { selectFrom }: Where, words: readonly string[]) {
  const texts = selectFrom('order_texts').select('order_id')
  return texts.where(row =>
    row.and(words.map(word => lowerCaseContains(db, sql.ref('order_texts.text'), word)))
  )
}

/** Contents of `order_changes.details`. Personal data are not stored, only that they changed. */
export interface ChangedDetails {
  deliveryDate?: string
  phone?: true
  address?: true
}

export interface StoredChange extends OrderChangeRow {
  removed: readonly RemovedLineRow[]
}

export async function findChanges(
  db: Db,
  orders: readonly OrderRow[]
): Promise<Map<string, StoredChange[]>> {
  const ids = orders.filter(order => order.changes > 0).map(({ id }) => id)
  const lines = await readInBatches(ids, batch =>
    db.selectFrom('removed_lines').selectAll().where('order_id', 'in', batch).orderBy('n').execute()
  )
  const rows = await readInBatches(ids, batch =>
    db
      .selectFrom('order_changes')
      .selectAll()
      .where('order_id', 'in', batch)
      .orderBy('seq')
      .execute()
  )
  return groupByOrder(
    rows.map(row => ({
      ...row,
      removed: lines.filter(({ order_id, seq }) => order_id === row.order_id && seq === row.seq)
    }))
  )
}

/** The last packs get the rest of all amounts. */
export function splitLine(
  // The column `removed` is left from versions before migration 031.
  { removed: _, ...line }: OrderLineRow & { removed?: number },
  packs: number
): { removed: OrderLineRow; rest: OrderLineRow } {
  const { quantity } = line
  const share = (amount: Paise | null): Paise | null => amount && shareOf(amount, packs, quantity)
  const taxes = { cgst: share(line.cgst), sgst: share(line.sgst), igst: share(line.igst) }
  const credit = creditPacks(line, packs)
  const sum = (taxes.cgst ?? 0) + (taxes.sgst ?? 0) + (taxes.igst ?? 0)
  const taxable = line.taxable === null ? null : toPaise(credit.total - sum)
  const removed = { ...line, quantity: packs, ...credit, ...taxes, taxable }
  const rest = { ...line, quantity: quantity - packs }
  for (const name of ['coupon_discount', 'total'] as const)
    rest[name] = toPaise(line[name] - removed[name])
  for (const name of ['taxable', 'cgst', 'sgst', 'igst'] as const)
    rest[name] = line[name] === null ? null : toPaise(line[name] - (removed[name] ?? 0))
  return { removed, rest }
}

export async function insertChange(
  trx: Trx,
  { removed, ...change }: StoredChange,
  rests: readonly OrderLineRow[]
): Promise<void> {
  await trx.insertInto('order_changes').values(change).execute()
  if (removed.length > 0) await trx.insertInto('removed_lines').values(removed).execute()
  for (const {
    order_id,
    n,
    quantity,
    coupon_discount,
    total,
    taxable,
    cgst,
    sgst,
    igst
  } of rests) {
    const amounts = { quantity, coupon_discount, total, taxable, cgst, sgst, igst }
    const isLine = sql<SqlBool>`order_id = ${order_id} and n = ${n}`
    if (quantity === 0) await trx.deleteFrom('order_lines').where(isLine).execute()
    else await trx.updateTable('order_lines').set(amounts).where(isLine).execute()
  }
}
