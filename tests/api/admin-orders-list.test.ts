import { describe, expect, test } from 'vitest'
import type { AdminOrderList } from '#lib/contract/desk.ts'
import { SECOND } from '#lib/time.ts'
import { statusAndCode } from '../support/accounts.ts'
import { LADDUS, openCheckedShop } from '../support/admin-orders.ts'
import { ADDRESS, addShopper, buy, CUSTOMER, LEMONS, openPayment } from '../support/checkout.ts'
import { BOTH_ENGINES, ENGINES, type Engine } from '../support/database.ts'

/** The delivery dates of the orders are in the names. */
async function openShopWithOrders(engine: Engine) {
  const shop = await openCheckedShop(engine)
  const ravi = await addShopper(shop, 'ravi')
  const friday = await buy(shop, shop.anita, LEMONS, { deliveryDate: '2026-11-27' })
  shop.clock.advance(SECOND)
  const customerDetails = {
    name: 'Ravi "100%" Das',
    email: 'ravi@example.com',
    phone: '9123456780'
  }
  const shippingAddress = { ...ADDRESS, city: 'Madurai', pincode: '625001' }
  const delivery = { deliveryDate: '2026-11-23', customerDetails, shippingAddress }
  const monday = await buy(shop, ravi, LADDUS, delivery)
  shop.clock.advance(SECOND)
  const other = { customerDetails: { ...CUSTOMER, name: '=Ravi' }, shippingAddress }
  const undated = await buy(shop, ravi, LADDUS, other)
  return {
    shop,
    monday: monday.orderNumber,
    friday: friday.orderNumber,
    undated: undated.orderNumber
  }
}

describe.each(BOTH_ENGINES)('GET /admin/orders on %s', engine => {
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
})

describe.each(ENGINES)('GET /admin/orders on %s', engine => {
  test('filters by ids, status, due date and shopper, and sorts pending orders by delivery date', async () => {
    const { shop, monday, friday, undated } = await openShopWithOrders(engine)
    await openPayment(shop, shop.anita)
    expect(await shop.listOrders('?status=pending')).toEqual([undated, monday, friday])
    expect(await shop.listOrders('?status=pending&until=2026-11-24')).toEqual([undated, monday])
    expect(await shop.listOrders('?status=pending&until=2026-11-22')).toEqual([])
    expect(await shop.listOrders('?status=pending&from=2026-11-24')).toEqual([friday])
    expect(await shop.listOrders(`?user=${shop.anita.id}&status=paid`)).toEqual([friday])
    expect(await shop.listOrders('?status=unpaid')).toHaveLength(1)
    expect(await shop.listOrders('?status=packed')).toEqual([])
    expect(statusAndCode(await shop.callAsAdmin('GET /admin/orders?status=lost'))).toBe(
      '400 INVALID_INPUT'
    )
    const { body } = await shop.callAsAdmin('GET /admin/orders')
    const { orders, ...pages } = body as AdminOrderList
    expect(pages).toMatchObject({ count: 4, pages: 1 })
    expect(await shop.listOrders('?page=2')).toEqual([])
    expect(await shop.listOrders(`?ids=${orders[3]?._id},nobody`)).toEqual([friday])
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
