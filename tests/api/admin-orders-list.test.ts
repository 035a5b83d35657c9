import { describe, expect, test } from 'vitest'
import type { AdminOrderList } from '#lib/contract/desk.ts'
import { SECOND } from '#lib/time.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  LADDUS,
  LEMONS,
  openAdminOrdersShop,
  type AdminOrdersShop
} from '../support/admin-orders.ts'
import { ADDRESS, buy, CUSTOMER, addShopper, openPayment } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

interface ShopWithOrders {
  shop: AdminOrdersShop
  monday: string
  friday: string
  undated: string
}

async function openShopWithOrders(engine: (typeof ENGINES)[number]): Promise<ShopWithOrders> {
  const shop = await openAdminOrdersShop(engine)
  const ravi = await addShopper(shop, 'ravi')
  const friday = await buy(shop, shop.anita, LEMONS, { deliveryDate: '2026-11-27' })
  shop.clock.advance(SECOND)
  const customerDetails = {
    name: 'Ravi "100%" Das',
    email: 'ravi@example.com',
    phone: '9123456780'
  }
  const shippingAddress = { ...ADDRESS, city: 'Madurai', pincode: '625001' }
  const monday = await buy(shop, ravi, LADDUS, {
    deliveryDate: '2026-11-23',
    customerDetails,
    shippingAddress
  })
  shop.clock.advance(SECOND)
  const undated = await buy(shop, ravi, LADDUS, {
    customerDetails: { ...CUSTOMER, name: '=Ravi' },
    shippingAddress
  })
  return {
    shop,
    monday: monday.orderNumber,
    friday: friday.orderNumber,
    undated: undated.orderNumber
  }
}

describe.each(ENGINES)('GET /admin/orders on %s', engine => {
  test('finds orders that contain all searched words in number, customer, address or products', async () => {
    const { shop, monday, friday, undated } = await openShopWithOrders(engine)
    const find = (query: string) => shop.listOrders(`?q=${encodeURIComponent(query)}`)
    expect(await find('')).toEqual([undated, monday, friday])
    expect(await find(friday.toLowerCase())).toEqual([friday])
    expect(await find('+91 91234 56780')).toEqual([monday])
    expect(await find('RAVI madurai')).toEqual([undated, monday])
    expect(await find('ravi@example.com')).toEqual([monday])
    expect(await find('lemon')).toEqual([friday])
    expect(await find('100%')).toEqual([monday])
    expect(await find('landmark')).toEqual([])
    expect(await find('email')).toEqual([])
    expect(await find('_')).toEqual([])
  })

  test('filters by status, due date and shopper, and sorts pending orders by delivery date', async () => {
    const { shop, monday, friday, undated } = await openShopWithOrders(engine)
    await openPayment(shop, shop.anita, { items: LEMONS })
    expect(await shop.listOrders('?status=pending')).toEqual([undated, monday, friday])
    expect(await shop.listOrders('?status=pending&until=2026-11-24')).toEqual([undated, monday])
    expect(await shop.listOrders('?status=pending&from=2026-11-23&until=2026-11-24')).toEqual([
      undated,
      monday
    ])
    expect(await shop.listOrders('?status=pending&until=2026-11-22')).toEqual([])
    expect(await shop.listOrders('?status=pending&from=2026-11-24')).toEqual([friday])
    expect(await shop.listOrders(`?user=${shop.anita.id}&status=paid`)).toEqual([friday])
    expect(await shop.listOrders('?status=unpaid')).toHaveLength(1)
    expect(await shop.listOrders('?status=packed')).toEqual([])
    expect(statusAndCode(await shop.callAsAdmin('GET /admin/orders?status=lost'))).toBe(
      '400 INVALID_INPUT'
    )
  })

  test('returns one page of the orders, or the orders with the given ids', async () => {
    const { shop, friday } = await openShopWithOrders(engine)
    const reply = await shop.callAsAdmin('GET /admin/orders')
    const list = reply.body as AdminOrderList
    expect(list).toMatchObject({ count: 3, pages: 1 })
    expect(await shop.listOrders('?page=2')).toEqual([])
    const ids = list.orders.map(({ _id }) => _id)
    expect(await shop.listOrders(`?ids=${ids.join(',')}`)).toHaveLength(3)
    expect(await shop.listOrders(`?ids=${ids[2]},nobody`)).toEqual([friday])
  })

  test('exports the filtered orders as CSV and escapes formulas', async () => {
    const { shop, monday, undated } = await openShopWithOrders(engine)
    const reply = await shop.callAsAdmin('GET /admin/orders/export?q=madurai')
    expect(reply.headers['content-disposition']).toContain('orders-2026-11-21.csv')
    expect(reply.raw.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const rows = reply.text.trim().split('\r\n')
    expect(rows).toHaveLength(3)
    expect(rows[0]).toContain('"Order","Ordered on","Status","Delivery date","Name"')
    expect(rows[1]).toContain(`"${undated}","2026-11-21","Pending","","'=Ravi`)
    expect(rows[2]).toContain(
      `"${monday}","2026-11-21","Pending","2026-11-23","Ravi ""100%"" Das","9123456780"`
    )
    expect(rows[2]).toContain('180.50')
  })
})
