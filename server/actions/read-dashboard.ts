import { SALES_CHART_DAYS } from '#lib/admin/limits.ts'
import { lastDayToPack } from '#lib/admin/orders.ts'
import type { Dashboard } from '#lib/contract/admin/dashboard.ts'
import { paise, toRupees } from '#lib/money.ts'
import { DAY, dayInIndia, startOfDay } from '#lib/time.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/connect.ts'
import { countAll, listLowStock, listSales } from '../queries/admin/dashboard.ts'
import { countOrders } from '../queries/admin/orders.ts'

export async function readDashboard({ database, clock }: { database: Database; clock: Clock }): Promise<Dashboard> {
  const now = clock()
  const db = database.kysely
  const days = Array.from({ length: SALES_CHART_DAYS }, (_, at) => dayInIndia(now - (SALES_CHART_DAYS - 1 - at) * DAY))
  const [{ unread, ...counts }, toPack, lowStock, sold] = await Promise.all([
    countAll(db, new Date(now).toISOString()),
    countOrders(db, { status: 'pending', until: lastDayToPack(now) }),
    listLowStock(db),
    listSales(db, startOfDay(days[0] ?? dayInIndia(now)))
  ])
  const sales = days.map(day => {
    const orders = sold.filter(({ paid_at }) => paid_at !== null && dayInIndia(Date.parse(paid_at)) === day)
    const total = orders.reduce((sum, order) => sum + order.total, 0)
    return { day, orders: orders.length, total: toRupees(paise(total)) }
  })
  return { counts, toPack, unread, lowStock, sales }
}
