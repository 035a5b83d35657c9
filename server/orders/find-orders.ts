import { sql, type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { normalizePhone } from '#lib/account/forms.ts'
import type { OrderFilter } from '#lib/admin/orders.ts'
import { DELIVERY_DAYS_AHEAD } from '#lib/constants.ts'
import type { OrderQuery } from '#lib/contract/orders.ts'
import { DAY, toDayInIndia, toStartOfDay } from '#lib/time.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import { containsWord, wordsOf } from '../platform/db/search.ts'
import type { Db, Tables } from '../platform/db/tables.ts'
import { hasFulfilmentStatus } from './transitions.ts'

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

/** Leaves out the field names of the JSON text. `replace` works the same on SQLite and PostgreSQL. */
function valuesOf(column: 'customer' | 'address'): Expression<string> {
  return JSON_FIELDS[column].reduce<Expression<string>>(
    (text, name) => sql<string>`replace(${text}, ${`"${name}":`}, ' ')`,
    sql.ref<string>(`orders.${column}`)
  )
}
