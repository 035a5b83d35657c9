import { describe, expect, test } from 'vitest'
import type { KitchenDashboard } from '#lib/contract/admin.ts'
import type { KitchenProduct } from '#lib/contract/catalog.ts'
import type { KitchenOrderList } from '#lib/contract/kitchen.ts'
import { call, expectBody, expectOutcome, statusAndCode } from '../support/accounts.ts'
import { LADDUS, openAdminOrdersShop } from '../support/admin-orders.ts'
import { ADDRESS, addShopper, buy, callAs, CUSTOMER } from '../support/checkout.ts'

async function openKitchen() {
  const shop = await openAdminOrdersShop()
  const { token } = await addShopper(shop, 'kumar', 'kitchen')
  const callAsKitchen = (line: string, body?: unknown) => call(shop, line, { token, body })
  return {
    ...shop,
    callAsKitchen,
    listForKitchen: async (query = '') =>
      ((await callAsKitchen(`GET /admin/kitchen/orders${query}`)).body as KitchenOrderList).orders
  }
}

describe('Orders in the kitchen', () => {
  test('have name, address, phone and packs, but no email address, price, payment or invoice', async () => {
    const shop = await openKitchen()
    const order = await buy(shop, shop.anita)
    const full = await shop.fetchOrder(order._id)
    for (const path of ['', `?ids=${order._id}`, `/${order._id}`]) {
      const { text } = await shop.callAsKitchen(`GET /admin/kitchen/orders${path}`)
      expect(text).toContain(CUSTOMER.name)
      for (const secret of [
        CUSTOMER.email,
        'rice":120',
        'totalAmount',
        full.invoiceNumber,
        full.razorpay_payment_id,
        full.userId,
        'payment'
      ])
        expect(text).not.toContain(secret)
    }
    const customerDetails = { name: CUSTOMER.name, phone: CUSTOMER.phone }
    expect(await shop.listForKitchen()).toMatchObject([
      { customerDetails, shippingAddress: ADDRESS, items: [{ quantity: 2 }] }
    ])
  })

  test('are listed while they are to be packed or delivered, and can be moved forward and back', async () => {
    const shop = await openKitchen()
    const first = await buy(shop, shop.anita)
    const second = await buy(shop, shop.anita, LADDUS)
    const move = (id: string, from: string, to: string) =>
      shop.callAsKitchen(`POST /admin/kitchen/orders/${id}/move`, { from, to })
    await expectBody(move(first._id, 'pending', 'packed'), { status: 'packed' })
    expect(await shop.listForKitchen()).toMatchObject([{ _id: second._id }])
    expect(await shop.listForKitchen('?status=packed')).toMatchObject([{ _id: first._id }])
    const report = await shop.callAsKitchen('POST /admin/kitchen/orders/move', {
      ids: [first._id, second._id],
      from: 'packed',
      to: 'delivered'
    })
    expect(report.body).toMatchObject({
      moved: [{ _id: first._id }],
      left: [{ _id: second._id, status: 'pending' }]
    })
    expect(report.text).not.toContain(CUSTOMER.email)
    await expectBody(move(first._id, 'delivered', 'packed'), { status: 'packed' })
    expect(await shop.auditLog(first._id)).toContain(
      'kumar moved {"status":"pending"} {"status":"packed"}'
    )
  })

  test('that were not paid or are cancelled are not found', async () => {
    const shop = await openKitchen()
    const order = await buy(shop, shop.anita)
    await callAs(shop.anita, shop, `POST /orders/${order._id}/cancel`)
    await expectOutcome(
      shop.callAsKitchen(`GET /admin/kitchen/orders/${order._id}`),
      '404 ORDER_NOT_FOUND'
    )
    expect(await shop.listForKitchen(`?ids=${order._id}`)).toEqual([])
    const cancelled = await shop.callAsKitchen('GET /admin/kitchen/orders?status=cancelled')
    await expectOutcome(cancelled, '400 INVALID_INPUT')
  })

  test('cannot be searched for, because a search would find email addresses', async () => {
    const shop = await openKitchen()
    const { _id } = await buy(shop, shop.anita)
    expect(await shop.listForKitchen('?q=nobody@example.com')).toMatchObject([{ _id }])
  })
})

test('Stock in the kitchen can be read and changed without prices or any other field', async () => {
  const shop = await openKitchen()
  const change = (body: object) =>
    shop.callAsKitchen('POST /admin/kitchen/products/lemon/stock', body)
  const { text, body } = await shop.callAsKitchen('GET /admin/kitchen/products')
  expect(body as KitchenProduct[]).toMatchObject([{ id: 'laddu' }, { id: 'lemon', stock: 50 }])
  expect(text).not.toContain('price')
  expect(statusAndCode(await change({ from: 50, to: 3, price: 1 }))).toMatch(/^400/)
  await expectOutcome(change({ from: 49, to: 3 }), '409 EDIT_CONFLICT')
  await expectBody(change({ from: 50, to: 3 }), { id: 'lemon', stock: 3 })
  expect(await shop.history('lemon')).toEqual(['changed {"stock":50} {"stock":3}'])
  expect(await shop.fetchProduct('lemon')).toMatchObject({ stock: 3, price: 120 })
  const dashboard = (await shop.callAsKitchen('GET /admin/kitchen')).body as KitchenDashboard
  expect(dashboard).toMatchObject({ toPack: 0, lowStock: [{ id: 'lemon', stock: 3 }] })
  expect(Object.keys(dashboard)).toEqual([
    ...['pending', 'toPack', 'toPackToday', 'packed', 'ready'],
    ...['dueBy', 'lowStock']
  ])
})
