import { lastDayToPack, lastDueDate } from '#lib/admin/orders.ts'
import { LOW_STOCK_THRESHOLD, SALES_CHART_DAYS } from '#lib/constants.ts'
import type { Dashboard, KitchenDashboard } from '#lib/contract/admin.ts'
import { toPaise, toRupees } from '#lib/money.ts'
import { DAY, toDayInIndia, toStartOfDay, type IsoTime } from '#lib/time.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import { countRows } from '../../platform/db/search.ts'
import type { Db } from '../../platform/db/tables.ts'
import { toIso } from '../../platform/process/clock.ts'
import type { ReadDeps } from '../view.ts'
import { findOrders } from './orders.ts'

const MAX_LOW_STOCK_ROWS = 20

export async function readDashboard({ database, clock }: ReadDeps): Promise<Dashboard> {
  const now = clock()
  const db = database.kysely
  const days = Array.from({ length: SALES_CHART_DAYS }, (_, index) =>
    toDayInIndia(now - (SALES_CHART_DAYS - 1 - index) * DAY)
  )
  const [kitchen, products, orders, users, deals, unread, paidOrders] = await Promise.all([
    readKitchenDashboard({ database, clock }),
    countRows(db.selectFrom('products').where('hidden_at', 'is', null)),
    countRows(findOrders(db, { status: 'paid' })),
    countRows(db.selectFrom('users').where('deleted_at', 'is', null)),
    countRows(db.selectFrom('deals').where('ends_at', '>', toIso(now))),
    countRows(db.selectFrom('contact_messages').where('read_at', 'is', null)),
    listSales(db, toStartOfDay(days[0] ?? toDayInIndia(now)))
  ])
  const sales = days.map(day => ({ day, orders: 0, total: 0 }))
  const salesByDay = new Map(sales.map(each => [each.day, each]))
  for (const { paid_at, total } of paidOrders) {
    const each = salesByDay.get(toDayInIndia(Date.parse(paid_at ?? '')))
    if (!each) continue
    each.orders++
    each.total += total
  }
  return {
    ...kitchen,
    counts: { products, orders, users, deals },
    unread,
    sales: sales.map(each => ({ ...each, total: toRupees(toPaise(each.total)) }))
  }
}

export async function readKitchenDashboard({
  database,
  clock
}: ReadDeps): Promise<KitchenDashboard> {
  const now = clock()
  const db = database.kysely
  const dueBy = lastDueDate(now)
  const [toPack, toPackToday, lowStock] = await Promise.all([
    countRows(findOrders(db, { status: 'pending', until: dueBy })),
    countRows(findOrders(db, { status: 'pending', until: lastDayToPack(now) })),
    listLowStock(db)
  ])
  return { toPack, toPackToday, dueBy, lowStock }
}

async function listLowStock(db: Db): Promise<KitchenDashboard['lowStock']> {
  const products = await db
    .selectFrom('products')
    .select(['id', 'name', 'stock', 'pack_value', 'pack_unit', 'pack_type'])
    .where('hidden_at', 'is', null)
    .where('stock', '<=', LOW_STOCK_THRESHOLD)
    .orderBy('stock')
    .orderBy('name')
    .limit(MAX_LOW_STOCK_ROWS)
    .execute()
  return products.map(({ pack_value: value, pack_unit: unit, pack_type: type, ...product }) => ({
    ...product,
    packSize: { value, unit, type }
  }))
}

function listSales(db: Db, since: IsoTime): Promise<Pick<OrderRow, 'paid_at' | 'total'>[]> {
  return db
    .selectFrom('orders')
    .select(['paid_at', 'total'])
    .where('paid_at', '>=', since)
    .where('payment_state', '=', 'paid')
    .execute()
}
