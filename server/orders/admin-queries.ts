import { sql, type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { OrderFilter } from '#lib/admin/orders.ts'
import type { OrderQuery } from '#lib/contract/admin/orders.ts'
import { normalizePhone } from '#lib/phone.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import type { Db, Tables } from '../platform/db/tables.ts'
import { containsWord, wordsOf } from '../platform/db/like.ts'

type Where = ExpressionBuilder<Tables, 'orders'>
type Selected<Row> = SelectQueryBuilder<Tables, 'orders', Row>

export function listOrders(
  db: Db,
  query: OrderQuery,
  { limit, offset }: { limit: number; offset: number }
): Promise<OrderRow[]> {
  const filtered = filterOrders(db.selectFrom('orders').selectAll('orders'), query)
  const sortsByDeliveryDate = query.status === 'pending' || query.status === 'packed'
  // An order without a delivery date is sorted by the day of ordering.
  const sorted = sortsByDeliveryDate
    ? filtered.orderBy(sql`coalesce(delivery_date, substr(created_at, 1, 10))`).orderBy('created_at')
    : filtered.orderBy('created_at', 'desc')
  return sorted.orderBy('id').limit(limit).offset(offset).execute()
}

export async function countOrders(db: Db, query: OrderQuery): Promise<number> {
  const counted = db.selectFrom('orders').select(({ fn }) => fn.countAll<number>().as('count'))
  const { count } = await filterOrders(counted, query).executeTakeFirstOrThrow()
  return Number(count)
}

function filterOrders<Row>(orders: Selected<Row>, { status, from, until, q, user, ids }: OrderQuery): Selected<Row> {
  return orders
    .$if(status !== undefined, query => query.where(row => hasStatus(row, status ?? 'paid')))
    .$if(from !== undefined, query => query.where('delivery_date', '>=', from ?? ''))
    .$if(until !== undefined, query => query.where(row => isDueBy(row, until ?? '', from === undefined)))
    .$if(user !== undefined, query => query.where('user_id', '=', user ?? ''))
    .$if(ids !== undefined, query => query.where('orders.id', 'in', (ids ?? '').split(',')))
    .where(row => row.and(parseSearch(q ?? '').map(word => matchesWord(row, word))))
}

function hasStatus(row: Where, status: OrderFilter): Expression<SqlBool> {
  if (status === 'paid') return row('paid_at', 'is not', null)
  if (status === 'unpaid') return row('paid_at', 'is', null)
  if (status !== 'cancelled') return row('fulfilment_status', '=', status)
  // `cancelled` also means orders that were paid after their reservation had ended and are therefore refunded.
  return row.or([
    row('fulfilment_status', '=', 'cancelled'),
    row.and([row('fulfilment_status', 'is', null), row('payment_state', 'in', ['refund_due', 'refunded'])])
  ])
}

function isDueBy(row: Where, until: string, withUndated: boolean): Expression<SqlBool> {
  const before = row('delivery_date', '<=', until)
  return withUndated ? row.or([before, row('delivery_date', 'is', null)]) : before
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
