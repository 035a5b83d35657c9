import { SALES_CHART_DAYS } from '#lib/admin/limits.ts'
import { lastDayToPack } from '#lib/admin/orders.ts'
import type { Dashboard } from '#lib/contract/admin.ts'
import { toPaise, toRupees } from '#lib/money.ts'
import { DAY, toDayInIndia, toStartOfDay } from '#lib/time.ts'
import type { Clock } from '../platform/process/clock.ts'
import type { Database } from '../platform/db/connect.ts'
import { countDashboard, listLowStock, listSales } from './dashboard-queries.ts'
import { countOrders } from './admin-queries.ts'

export async function readDashboard({ database, clock }: { database: Database; clock: Clock }): Promise<Dashboard> {
  const now = clock()
  const db = database.kysely
  const days = Array.from({ length: SALES_CHART_DAYS }, (_, index) =>
    toDayInIndia(now - (SALES_CHART_DAYS - 1 - index) * DAY)
  )
  const [{ unread, ...counts }, toPack, lowStock, paidOrders] = await Promise.all([
    countDashboard(db, new Date(now).toISOString()),
    countOrders(db, { status: 'pending', until: lastDayToPack(now) }),
    listLowStock(db),
    listSales(db, toStartOfDay(days[0] ?? toDayInIndia(now)))
  ])
  const sales = days.map(day => {
    const orders = paidOrders.filter(({ paid_at }) => paid_at !== null && toDayInIndia(Date.parse(paid_at)) === day)
    const total = orders.reduce((sum, order) => sum + order.total, 0)
    return { day, orders: orders.length, total: toRupees(toPaise(total)) }
  })
  return { counts, toPack, unread, lowStock, sales }
}
