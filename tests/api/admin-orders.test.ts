import { describe, expect, test } from 'vitest'
import type { AdminOrderList, OrderStatusReport } from '#lib/contract/desk.ts'
import { HOUR, SECOND, STATUS_MAIL_DELAY, UNDO_WINDOW } from '#lib/time.ts'
import {
  ADMIN,
  expectBody,
  expectOutcome,
  requestCode,
  statusAndCode
} from '../support/accounts.ts'
import { LADDUS, openCheckedShop, type AdminOrdersShop } from '../support/admin-orders.ts'
import {
  ADDRESS,
  addShopper,
  buy,
  callAs,
  CUSTOMER,
  LEMONS,
  myOrders,
  openPayment
} from '../support/checkout.ts'
import { MIGRATIONS } from '#server/platform/db/migrate.ts'
import { BOTH_ENGINES, ENGINES, type Engine } from '../support/database.ts'

async function openOrder(engine: Engine = 'sqlite', items = LEMONS) {
  const shop = await openCheckedShop(engine)
  const { _id: id, orderNumber } = await buy(shop, shop.anita, items, {
    deliveryDate: '2026-11-24'
  })
  return { shop, id, orderNumber }
}

describe('Fulfilment status change', () => {
  test('is mailed to the shopper after the undo window and recorded in history and audit log', async () => {
    const { shop, id, orderNumber } = await openOrder()
    shop.clock.advance(HOUR)
    await expectBody(shop.changeStatus(id, 'pending', 'packed'), {
      status: 'packed',
      canCancel: false
    })
    shop.clock.advance(UNDO_WINDOW)
    expect(await shop.statusMails()).toEqual([])
    shop.clock.advance(STATUS_MAIL_DELAY - UNDO_WINDOW)
    expect(await shop.statusMails()).toEqual([`Your order ${orderNumber} is packed`])
    expect(shop.mails.at(-1)?.text).toContain('24 November 2026')
    await shop.changeStatus(id, 'packed', 'delivered')
    shop.clock.advance(STATUS_MAIL_DELAY)
    expect(await shop.statusMails()).toContain(`Your order ${orderNumber} has been delivered`)
    const [order] = await myOrders(shop, shop.anita)
    expect(order).toMatchObject({
      status: 'delivered',
      history: [
        { status: 'pending', at: '2026-11-21T04:00:00.000Z' },
        { status: 'packed', at: '2026-11-21T05:00:00.000Z' },
        { status: 'delivered' }
      ]
    })
    expect(await shop.auditLog(id)).toEqual([
      expect.stringMatching(/moved \{"status":"packed"\} \{"status":"delivered"\}$/),
      expect.stringMatching(/moved \{"status":"pending"\} \{"status":"packed"\}$/)
    ])
  })

  test('can be undone before the mail is sent, and then no mail is sent', async () => {
    const { shop, id } = await openOrder()
    await shop.changeStatus(id, 'pending', 'packed')
    shop.clock.advance(UNDO_WINDOW)
    const undone = await shop.changeStatus(id, 'packed', 'pending')
    expect(undone.body).toMatchObject({ status: 'pending', history: [{ status: 'pending' }] })
    shop.clock.advance(STATUS_MAIL_DELAY)
    expect(await shop.statusMails()).toEqual([])
    expect(await shop.auditLog(id)).toHaveLength(2)
  })

  test('goes only one step at a time and is refused after a cancellation', async () => {
    const { shop, id } = await openOrder()
    const move = async (to: string, order = id) =>
      statusAndCode(await shop.changeStatus(order, 'pending', to))
    expect(await move('delivered')).toBe('400 INVALID_INPUT')
    expect(await move('cancelled')).toBe('400 INVALID_INPUT')
    expect(await move('packed', 'nobody')).toBe('404 ORDER_NOT_FOUND')
    await callAs(shop.anita, shop, `POST /orders/${id}/cancel`)
    expect(await move('packed')).toBe('409 EDIT_CONFLICT')
  })
})

test.for(BOTH_ENGINES)(
  'A change of the status succeeds if it is sent twice, and is refused if the order no longer has the expected status on %s',
  async engine => {
    const { shop, id } = await openOrder(engine)
    const pack = () => shop.changeStatus(id, 'pending', 'packed')
    const replies = await Promise.all([pack(), pack()])
    expect(replies.map(statusAndCode)).toEqual(['200', '200'])
    expect(await shop.auditLog(id)).toHaveLength(1)
    await shop.changeStatus(id, 'packed', 'delivered')
    const outdated = await pack()
    await expectOutcome(outdated, '409 EDIT_CONFLICT')
    expect(outdated.text).toContain('changed this order to delivered')
    expect(await shop.fetchOrder(id)).toMatchObject({ status: 'delivered' })
  }
)

test.for(ENGINES)(
  'A change of the status can be made for many orders at once and skips orders that no longer have the expected status on %s',
  async engine => {
    const { shop, id: first } = await openOrder(engine)
    const [second, third] = [await buy(shop, shop.anita), await buy(shop, shop.anita)]
    await shop.changeStatus(third._id, 'pending', 'packed')
    await shop.changeStatus(third._id, 'packed', 'delivered')
    const ids = [first, second._id, third._id, 'nobody']
    const { body } = await shop.callAsAdmin('POST /admin/orders/move', {
      ids,
      from: 'pending',
      to: 'packed'
    })
    const { moved, left } = body as OrderStatusReport
    expect(moved.map(({ _id }) => _id).toSorted()).toEqual([first, second._id].toSorted())
    expect(left).toMatchObject([{ _id: third._id, status: 'delivered' }])
    shop.clock.advance(STATUS_MAIL_DELAY)
    const mails = await shop.statusMails()
    expect(mails.filter(subject => subject.includes('packed'))).toHaveLength(3)
  }
)

const proof = { password: ADMIN.password }
const reason = 'The ghee was not delivered.'

const cancel = (shop: AdminOrdersShop, id: string, body: object = {}) =>
  shop.callAsAdmin(`POST /admin/orders/${id}/cancel`, { proof, from: 'pending', reason, ...body })

test("POST /admin/orders/{id}/cancel requires the administrator's password or a code, a reason and the current status", async () => {
  const { shop, id } = await openOrder()
  const refuse = async (body: object, order = id) => statusAndCode(await cancel(shop, order, body))
  expect(await refuse({ proof: {} })).toBe('400 INVALID_INPUT')
  expect(await refuse({ proof: { password: 'halwa-12' } })).toBe('400 INVALID_CREDENTIALS')
  expect(await refuse({ proof: { otp: '000000' } })).toBe('400 INVALID_OTP')
  expect(await refuse({ from: 'packed' })).toBe('409 EDIT_CONFLICT')
  expect(await refuse({}, 'nobody')).toBe('404 ORDER_NOT_FOUND')
  const noReason = await cancel(shop, id, { reason: ' ' })
  expect(noReason.text).toContain('Please enter a reason for the customer')
  expect(await shop.fetchOrder(id)).toMatchObject({ status: 'pending', refund: null })
  const otp = await requestCode(shop, ADMIN.email)
  const { body } = await cancel(shop, id, { proof: { otp } })
  expect(body).toMatchObject({ status: 'cancelled' })
})

describe.each(ENGINES)('POST /admin/orders/{id}/cancel on %s', engine => {
  test.each(['pending', 'packed'] as const)(
    'restores the stock, refunds the %s order and mails the reason, once if it is sent twice',
    async from => {
      const { shop, id } = await openOrder(engine, LADDUS)
      if (from === 'packed') await shop.changeStatus(id, 'pending', 'packed')
      shop.clock.advance(SECOND)
      const { body } = await cancel(shop, id, { from })
      expect(body).toMatchObject({ status: 'cancelled', paymentStatus: 'refunding' })
      expect(await cancel(shop, id, { from })).toMatchObject({ status: 200, body })
      expect(await shop.stockOf('laddu')).toBe(20)
      shop.clock.advance(STATUS_MAIL_DELAY)
      await shop.reconcile()
      expect(await shop.fetchOrder(id)).toMatchObject({ paymentStatus: 'refunded' })
      expect(await shop.statusMails()).toEqual([expect.stringContaining('is cancelled')])
      const mail = shop.mails.find(({ subject }) => subject.includes('is cancelled'))
      expect(mail?.text).toContain(reason)
      const log = await shop.auditLog(id)
      expect(log.filter(entry => entry.includes(reason))).toHaveLength(1)
    }
  )
})

/** The delivery dates of the orders are in the names. */
async function openShopWithOrders(engine: Engine) {
  const shop = await openCheckedShop(engine)
  const ravi = await addShopper(shop, 'ravi')
  const friday = await buy(shop, shop.anita, LEMONS, { deliveryDate: '2026-11-27' })
  shop.clock.advance(SECOND)
  const customerDetails = {
    name: 'Ravi "100%" Das',
    email: 'ravi@example.com',
    phone: '\u202a+91 (0) 91234\u00a056780\u202c'
  }
  const shippingAddress = { ...ADDRESS, city: 'Madurai', pincode: '625-001\u200b' }
  const delivery = { deliveryDate: '2026-11-23', customerDetails, shippingAddress }
  const monday = await buy(shop, ravi, LADDUS, delivery)
  shop.clock.advance(SECOND)
  const other = {
    customerDetails: { ...CUSTOMER, name: `=Ravi ${'மௌலி'.normalize('NFD')} க்\u200cஷ` },
    shippingAddress
  }
  const undated = await buy(shop, ravi, LADDUS, other)
  return {
    shop,
    monday: monday.orderNumber,
    friday: friday.orderNumber,
    undated: undated.orderNumber
  }
}

test.for(BOTH_ENGINES)(
  'GET /admin/orders finds orders that contain all searched words in number, customer, address or products on %s',
  async engine => {
    const { shop, monday, friday, undated } = await openShopWithOrders(engine)
    for (const [query, ...found] of [
      ['', undated, monday, friday],
      [friday.toLowerCase(), friday],
      ['+91 (0) 91234–56780', monday],
      ['மௌலி', undated],
      ['மௌலி'.normalize('NFD'), undated],
      ['க்ஷ\u200b', undated],
      ['“100%” das', monday],
      [friday.replace('-', '\u2011'), friday],
      ['RAVI madurai', undated, monday],
      ['ravi@example.com', monday],
      ['lemon', friday],
      ['100%', monday],
      ['email'],
      ['_']
    ] as const)
      expect(await shop.listOrders(`?q=${encodeURIComponent(query)}`), query).toEqual(found)
    const { kysely } = shop.database
    await kysely
      .updateTable('order_texts')
      .set({ text: 'ma\u00a0மௌலி'.normalize('NFD') })
      .execute()
    await MIGRATIONS['036-clean-texts']?.up(kysely)
    const query = encodeURIComponent('மௌலி')
    expect(await shop.listOrders(`?q=${query}`)).toEqual([undated, monday, friday])
  }
)

describe.each(ENGINES)('GET /admin/orders on %s', engine => {
  test('filters by ids, status, due date and shopper, and sorts pending orders by delivery date', async () => {
    const { shop, monday, friday, undated } = await openShopWithOrders(engine)
    await openPayment(shop, shop.anita)
    for (const [query, ...found] of [
      ['status=pending', undated, monday, friday],
      ['status=pending&until=2026-11-24', undated, monday],
      ['status=pending&until=2026-11-22'],
      ['status=pending&from=2026-11-24', friday],
      [`user=${shop.anita.id}&status=paid`, friday],
      ['status=packed'],
      ['page=2']
    ] as const)
      expect(await shop.listOrders(`?${query}`), query).toEqual(found)
    expect(await shop.listOrders('?status=unpaid')).toHaveLength(1)
    const { body } = await shop.callAsAdmin('GET /admin/orders')
    const { orders, ...pages } = body as AdminOrderList
    expect(pages).toMatchObject({ count: 4, pages: 1 })
    expect(await shop.listOrders(`?ids=${orders[3]?._id},nobody`)).toEqual([friday])
  })

  test('exports the filtered orders as CSV and escapes formulas', async () => {
    const { shop, monday, undated } = await openShopWithOrders(engine)
    const reply = await shop.callAsAdmin('GET /admin/orders/export?q=madurai')
    expect(reply.headers['content-disposition']).toContain('orders-2026-11-21.csv')
    expect(reply.raw.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const rows = reply.text.trim().split('\r\n')
    expect(rows[0]).toContain('"Order","Ordered on","Status","Delivery date","Name"')
    expect(rows[1]).toContain(`"${undated}","2026-11-21","Pending","","' =Ravi`)
    expect(rows[2]).toContain(
      `"${monday}","2026-11-21","Pending","2026-11-23","Ravi ""100%"" Das","9123456780"`
    )
    expect(rows[2]).toContain('180.50')
  })
})
