import {
  sql,
  type Expression,
  type ExpressionBuilder,
  type SelectQueryBuilder,
  type SqlBool
} from 'kysely'
import type { OrderFilter } from '#lib/contract/names.ts'
import { normalizePhone } from '#lib/contract/formats.ts'
import { DELIVERY_DAYS_AHEAD } from '#lib/constants.ts'
import type { OrderQuery } from '#lib/contract/orders.ts'
import { addDays, toStartOfDay } from '#lib/time.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import { lowerCaseContains, wordsOf } from '../../platform/db/search.ts'
import type { Db, Tables } from '../../platform/db/tables.ts'
import { hasFulfilmentStatus } from './transitions.ts'

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
  // `cancelled` also means orders that were paid after their reservation had ended and are therefore refunded.
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

/** Returns the time (ISO) from which orders without a delivery date are due on `day` or later. */
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
