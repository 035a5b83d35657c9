import { describe, expect, test } from 'vitest'
import { SALES_CHART_DAYS } from '#lib/constants.ts'
import type { Dashboard } from '#lib/contract/admin.ts'
import { DAY } from '#lib/time.ts'
import {
  LADDUS,
  LEMONS,
  openAdminOrdersShop,
  type AdminOrdersShop
} from '../support/admin-orders.ts'
import { buy, callAs } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

async function fetchDashboard(shop: AdminOrdersShop) {
  return (await shop.callAsAdmin('GET /admin/dashboard')).body as Dashboard
}

describe.each(ENGINES)('GET /admin/dashboard on %s', engine => {
  test('has the numbers of the lists that its links open', async () => {
    const shop = await openAdminOrdersShop(engine)
    const ids: string[] = []
    for (const day of ['23', '23', '24', '27', '28'])
      ids.push((await buy(shop, shop.anita, LEMONS, { deliveryDate: `2026-11-${day}` }))._id)
    for (const id of ids.slice(0, 3)) await shop.changeStatus(id, 'pending', 'packed')
    const [first = ''] = ids
    await shop.write(async trx => {
      const pickup = trx.updateTable('orders').set({ delivery_method: 'pickup' })
      await pickup.where('id', '=', first).execute()
    })
    await shop.changeStatus(first, 'packed', 'ready')
    await shop.changeProduct('laddu', { version: 1, hidden: true })
    await shop.post('/contact', { name: 'Ravi', email: 'ravi@example.com', message: 'Vanakkam' })
    const { counts, dueBy, ...tasks } = await fetchDashboard(shop)
    const count = async (path: string) => {
      const { body } = await shop.callAsAdmin(`GET /admin/${path}`)
      return Array.isArray(body) ? body.length : (body as { count: number }).count
    }
    expect({ ...tasks, ...counts }).toMatchObject({
      pending: await count('orders?status=pending'),
      toPack: await count(`orders?status=pending&until=${dueBy}`),
      packed: await count('orders?status=packed'),
      ready: await count('orders?status=ready'),
      unread: await count('messages?show=unread'),
      products: await count('products'),
      users: await count('users')
    })
    expect(tasks).toMatchObject({ pending: 2, packed: 2, ready: 1, unread: 1 })
    expect(counts.products).toBe(2)
  })

  test('counts orders, deals and tasks of today', async () => {
    const shop = await openAdminOrdersShop(engine)
    await buy(shop, shop.anita, LADDUS)
    const monday = await buy(shop, shop.anita, LEMONS, { deliveryDate: '2026-11-23' })
    await buy(shop, shop.anita, LEMONS, { deliveryDate: '2026-11-27' })
    await shop.changeProduct('laddu', { version: 1, stock: { from: 19, to: 2 } })
    const first = await fetchDashboard(shop)
    expect(first.counts).toEqual({ products: 2, orders: 3, users: 2, deals: 0 })
    expect(first).toMatchObject({
      toPack: 2,
      toPackToday: 0,
      dueBy: '2026-11-23',
      lowStock: [{ id: 'laddu', name: 'laddu', stock: 2 }]
    })
    await shop.changeProduct('laddu', { version: 1, stock: { from: 2, to: null } })
    shop.clock.advance(DAY)
    expect(await fetchDashboard(shop)).toMatchObject({
      lowStock: [],
      toPack: 2,
      toPackToday: 2,
      dueBy: '2026-11-24'
    })
    await shop.changeStatus(monday._id, 'pending', 'packed')
    expect(await fetchDashboard(shop)).toMatchObject({ toPack: 1 })
  })

  test('sums the sales of the last 30 days by India time, without cancelled and test orders', async () => {
    const shop = await openAdminOrdersShop(engine)
    await buy(shop, shop.anita, LEMONS)
    shop.clock.advance(DAY)
    await buy(shop, shop.anita, LADDUS)
    const cancelled = await buy(shop, shop.anita, LEMONS)
    await callAs(shop.anita, shop, `POST /orders/${cancelled._id}/cancel`)
    await shop.write(trx => trx.updateTable('orders').set({ payment_mode: 'live' }).execute())
    await buy(shop, shop.anita, LADDUS)
    const { sales, testOrders } = await fetchDashboard(shop)
    expect(testOrders).toBe(1)
    expect(sales).toHaveLength(SALES_CHART_DAYS)
    expect(sales.slice(-2)).toEqual([
      { day: '2026-11-21', orders: 1, total: 240 },
      { day: '2026-11-22', orders: 1, total: 180.5 }
    ])
    expect(sales[0]).toEqual({ day: '2026-10-24', orders: 0, total: 0 })
    shop.clock.advance((SALES_CHART_DAYS - 1) * DAY)
    expect((await fetchDashboard(shop)).sales[0]).toEqual({
      day: '2026-11-22',
      orders: 1,
      total: 180.5
    })
  })
})
