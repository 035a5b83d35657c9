import { describe, expect, test } from 'vitest'
import type { Order } from '#lib/contract/orders.ts'
import type { OrderStatusReport } from '#lib/contract/desk.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { STATUS_MAIL_DELAY } from '#lib/time.ts'
import type { OrderRow } from '#server/platform/db/order-tables.ts'
import { ADMIN, call, statusAndCode } from '../support/accounts.ts'
import { LEMONS, openAdminOrdersShop, type AdminOrdersShop } from '../support/admin-orders.ts'
import { anonymiseOrders } from '#server/orders/clean-up.ts'
import { addShopper, buy, callAs, myOrders, openPayment, orderOf } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import type { Reply } from '../support/shop.ts'

const SHIPMENT = {
  courier: 'ST Courier',
  trackingNumber: 'ST 4711',
  trackingLink: 'https://stcourier.com/track'
}

async function placeOrder(shop: AdminOrdersShop, columns: Partial<OrderRow>): Promise<Order> {
  const order = await buy(shop, shop.anita, LEMONS)
  await shop.write(trx =>
    trx.updateTable('orders').set(columns).where('id', '=', order._id).execute()
  )
  return order
}

const move = (
  shop: AdminOrdersShop,
  id: string,
  from: string,
  to: string,
  shipment?: object
): Promise<Reply> =>
  shop.callAsAdmin(`POST /admin/orders/${id}/move`, { from, to, ...(shipment && { shipment }) })

async function ship(shop: AdminOrdersShop, id: string): Promise<Reply> {
  await move(shop, id, 'pending', 'packed')
  return move(shop, id, 'packed', 'shipped', SHIPMENT)
}

async function saveSettings(shop: AdminOrdersShop, section: string, value: object): Promise<void> {
  const reply = await shop.callAsAdmin(`PUT /admin/settings/${section}`, { value, version: 0 })
  expect(reply.status).toBe(200)
}

async function mailsOf(shop: AdminOrdersShop) {
  shop.clock.advance(STATUS_MAIL_DELAY)
  await shop.deliverMails()
  return shop.mails
}

describe.each(ENGINES)('Orders by courier on %s', engine => {
  test('are shipped with courier, number and link before they are delivered', async () => {
    const shop = await openAdminOrdersShop(engine)
    const { _id, orderNumber } = await placeOrder(shop, { delivery_method: 'courier' })
    const shipped = await ship(shop, _id)
    expect(shipped.body).toMatchObject({
      status: 'shipped',
      deliveryMethod: 'courier',
      shipment: SHIPMENT
    })
    expect(await myOrders(shop, shop.anita)).toMatchObject([
      { status: 'shipped', shipment: SHIPMENT }
    ])
    expect(await shop.listOrders('?status=shipped')).toEqual([orderNumber])
    expect(await shop.listOrders('?status=packed')).toEqual([])
    expect(await shop.listOrders('?status=ready')).toEqual([])
    const mail = (await mailsOf(shop)).find(
      ({ subject }) => subject === `Your order ${orderNumber} is on its way`
    )
    for (const text of Object.values(SHIPMENT)) {
      expect(mail?.text).toContain(text)
      expect(mail?.html).toContain(text)
    }
    const delivered = await move(shop, _id, 'shipped', 'delivered')
    const history = [
      { status: 'pending' },
      { status: 'packed' },
      { status: 'shipped' },
      { status: 'delivered' }
    ]
    expect(delivered.body).toMatchObject({ status: 'delivered', history, shipment: SHIPMENT })
    expect(await shop.violations()).toEqual([])
  })

  test('are changed by only one of two administrators at once', async () => {
    const shop = await openAdminOrdersShop(engine)
    const { _id } = await placeOrder(shop, { delivery_method: 'courier' })
    await move(shop, _id, 'pending', 'packed')
    const proof = { password: ADMIN.password }
    const replies = await Promise.all([
      move(shop, _id, 'packed', 'shipped', SHIPMENT),
      shop.callAsAdmin(`POST /admin/orders/${_id}/cancel`, {
        from: 'packed',
        reason: 'No ghee',
        proof
      })
    ])
    expect(replies.map(statusAndCode).toSorted()).toEqual(['200', '409 EDIT_CONFLICT'])
    expect(await shop.violations()).toEqual([])
  })
})

describe('Orders by courier', () => {
  test('go back one step at a time, and no mail tells of the step that was undone', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const { _id } = await placeOrder(shop, { delivery_method: 'courier' })
    await ship(shop, _id)
    await move(shop, _id, 'shipped', 'delivered')
    expect((await move(shop, _id, 'delivered', 'shipped')).body).toMatchObject({
      status: 'shipped',
      shipment: SHIPMENT
    })
    const back = (await move(shop, _id, 'shipped', 'packed')).body as Order
    expect(back).toMatchObject({
      status: 'packed',
      history: [{ status: 'pending' }, { status: 'packed' }]
    })
    expect(back).not.toHaveProperty('shipment')
    const subjects = (await mailsOf(shop)).map(({ subject }) => subject)
    expect(subjects.filter(subject => /on its way|delivered/.test(subject))).toEqual([])
  })

  test('can get another tracking number, which the one mail names if it was not sent before', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const { _id } = await placeOrder(shop, { delivery_method: 'courier' })
    const shipped = (await ship(shop, _id)).body as Order
    for (const trackingNumber of ['ST 5000', 'ST 6000']) {
      const shipment = { ...SHIPMENT, trackingNumber }
      const corrected = await move(shop, _id, 'shipped', 'shipped', shipment)
      expect(corrected.body).toMatchObject({
        status: 'shipped',
        shipment,
        history: shipped.history
      })
      const mails = (await mailsOf(shop)).filter(({ subject }) => subject.includes('on its way'))
      expect(mails.map(({ text }) => /ST \d+/.exec(text)?.[0])).toEqual(['ST 5000'])
    }
    expect(statusAndCode(await move(shop, _id, 'shipped', 'shipped'))).toBe('400 INVALID_INPUT')
  })
})

test('A parcel that is sent twice with different tracking numbers is shipped once, and the second is refused', async () => {
  const shop = await openAdminOrdersShop('sqlite')
  const { _id } = await placeOrder(shop, { delivery_method: 'courier' })
  await ship(shop, _id)
  expect(statusAndCode(await move(shop, _id, 'packed', 'shipped', SHIPMENT))).toBe('200')
  const other = { ...SHIPMENT, trackingNumber: 'ST 5000' }
  expect(statusAndCode(await move(shop, _id, 'packed', 'shipped', other))).toBe('409 EDIT_CONFLICT')
  expect((await move(shop, _id, 'shipped', 'shipped', other)).body).toMatchObject({
    shipment: other
  })
})

const ZONE = { name: 'Tamil Nadu', pincodes: '6', method: 'courier', fee: 40, freeAbove: 0 }

test('The mails about a new order say day, way, fee, event and note, and those of a deleted account forget them', async () => {
  const shop = await openAdminOrdersShop('sqlite')
  const zones = [{ ...ZONE, transitMin: 1, transitMax: 2, active: true }]
  await saveSettings(shop, 'delivery', { ...EMPTY_SETTINGS.delivery, zones, elsewhere: 'none' })
  await saveSettings(shop, 'calendar', {
    ...EMPTY_SETTINGS.calendar,
    orderNote: true,
    eventCategories: ['pickles']
  })
  const extra = { deliveryDate: '2026-11-26', note: 'Mild, please', eventAt: '2026-11-27T18:30' }
  const { id } = await openPayment(shop, shop.anita, { items: LEMONS, amount: 280, extra })
  const order = orderOf(await callAs(shop.anita, shop, 'POST /orders', await shop.sandbox.pay(id)))
  expect(order).toMatchObject({
    deliveryFee: 40,
    deliveryMethod: 'courier',
    note: extra.note,
    eventAt: extra.eventAt
  })
  const [mail, ownerMail] = (await mailsOf(shop)).filter(({ id: mailId }) =>
    mailId.includes('placed')
  )
  for (const text of ['Delivery: ₹40.00', 'Event: Fri, 27 Nov, 6:30 pm', 'Note: Mild, please']) {
    expect(mail?.text).toContain(text)
    expect(ownerMail?.text).toContain(text)
  }
  expect(mail?.text).toContain('We’ll send it by courier. It should reach you on 26 November 2026.')
  expect(ownerMail?.text).toContain('Send by courier (Tamil Nadu), to arrive on 26 November 2026.')
  await ship(shop, order._id)
  await move(shop, order._id, 'shipped', 'delivered')
  await mailsOf(shop)
  await shop.write(async trx => {
    const deletedAt = new Date(shop.clock()).toISOString()
    await trx
      .updateTable('users')
      .set({ deleted_at: deletedAt })
      .where('id', '=', shop.anita.id)
      .execute()
    await anonymiseOrders(trx, deletedAt)
  })
  const anonymous = await shop.fetchOrder(order._id)
  expect(await shop.listOrders()).toEqual([order.orderNumber])
  expect(anonymous).toMatchObject({
    isAnonymised: true,
    shipment: { courier: 'ST Courier', trackingNumber: '' }
  })
  for (const secret of [extra.note, extra.eventAt, SHIPMENT.trackingNumber])
    expect(JSON.stringify(anonymous)).not.toContain(secret)
  expect((await shop.auditLog(order._id)).join()).not.toContain(SHIPMENT.trackingNumber)
})

describe('Orders for pickup', () => {
  test('are ready before they are picked up, and the mail says where and when', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const delivery = {
      ...EMPTY_SETTINGS.delivery,
      pickup: true,
      pickupText: 'Daily 10 am to 6 pm, ring the bell'
    }
    await saveSettings(shop, 'delivery', delivery)
    const { _id, orderNumber } = await placeOrder(shop, { delivery_method: 'pickup' })
    await move(shop, _id, 'pending', 'packed')
    expect((await move(shop, _id, 'packed', 'ready')).body).toMatchObject({ status: 'ready' })
    expect(await shop.listOrders('?status=ready')).toEqual([orderNumber])
    const mail = (await mailsOf(shop)).find(
      ({ subject }) => subject === `Your order ${orderNumber} is ready for pickup`
    )
    expect(mail?.text).toMatch(/Pickup at:\n(.+\n)+Daily 10 am to 6 pm, ring the bell/)
    await move(shop, _id, 'ready', 'delivered')
    expect((await mailsOf(shop)).at(-1)?.subject).toBe(
      `Your order ${orderNumber} has been picked up`
    )
  })
})

describe('Steps', () => {
  test.for([
    ['courier', 'delivered'],
    ['pickup', 'shipped'],
    ['own', 'shipped'],
    [null, 'ready']
  ] as const)(
    'of an order with the method %s do not lead from packed to %s',
    async ([delivery_method, to]) => {
      const shop = await openAdminOrdersShop('sqlite')
      const { _id } = await placeOrder(shop, { delivery_method })
      await move(shop, _id, 'pending', 'packed')
      expect(statusAndCode(await move(shop, _id, 'packed', to, SHIPMENT))).toBe('400 INVALID_INPUT')
      expect(await shop.fetchOrder(_id)).toMatchObject({ status: 'packed' })
    }
  )

  test('to shipped need a courier, and a tracking link that is a web address', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const { _id } = await placeOrder(shop, { delivery_method: 'courier' })
    await move(shop, _id, 'pending', 'packed')
    expect((await move(shop, _id, 'packed', 'shipped')).text).toContain('Please enter the courier')
    const unsafe = { ...SHIPMENT, trackingLink: 'javascript:alert(1)' }
    expect(statusAndCode(await move(shop, _id, 'packed', 'shipped', unsafe))).toBe(
      '400 INVALID_INPUT'
    )
    const batch = { ids: [_id], from: 'packed', to: 'shipped' }
    expect(statusAndCode(await shop.callAsAdmin('POST /admin/orders/move', batch))).toBe(
      '400 INVALID_INPUT'
    )
  })

  test('of many orders leave out those with another delivery method', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const own = await placeOrder(shop, { delivery_method: 'own' })
    const pickup = await placeOrder(shop, { delivery_method: 'pickup' })
    const ids = [own._id, pickup._id]
    await shop.callAsAdmin('POST /admin/orders/move', { ids, from: 'pending', to: 'packed' })
    const reply = await shop.callAsAdmin('POST /admin/orders/move', {
      ids,
      from: 'packed',
      to: 'ready'
    })
    const { moved, left } = reply.body as OrderStatusReport
    expect(moved).toMatchObject([{ _id: pickup._id, status: 'ready' }])
    expect(left).toMatchObject([{ _id: own._id, status: 'packed' }])
  })

  test('can be taken by the kitchen', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const { token } = await addShopper(shop, 'kumar', 'kitchen')
    const { _id } = await placeOrder(shop, { delivery_method: 'courier', note: 'No onions' })
    await move(shop, _id, 'pending', 'packed')
    const body = { from: 'packed', to: 'shipped', shipment: SHIPMENT }
    const shipped = await call(shop, `POST /admin/kitchen/orders/${_id}/move`, { token, body })
    expect(shipped.body).toMatchObject({ status: 'shipped', shipment: SHIPMENT, note: 'No onions' })
    const list = await call(shop, 'GET /admin/kitchen/orders?status=shipped', { token })
    expect(list.body).toMatchObject({ orders: [{ _id }] })
  })
})

describe('A shipped order', () => {
  test('cannot be cancelled online, but the shop can cancel a lost parcel', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const { _id } = await placeOrder(shop, { delivery_method: 'courier' })
    await ship(shop, _id)
    expect(statusAndCode(await callAs(shop.anita, shop, `POST /orders/${_id}/cancel`))).toBe(
      '409 ORDER_NOT_CANCELLABLE'
    )
    expect(await myOrders(shop, shop.anita)).toMatchObject([
      { canCancel: false, cancelBlock: 'shipped' }
    ])
    const cancellation = { reason: 'The courier lost it', proof: { password: ADMIN.password } }
    const cancel = (from: string): Promise<Reply> =>
      shop.callAsAdmin(`POST /admin/orders/${_id}/cancel`, { ...cancellation, from })
    expect(statusAndCode(await cancel('packed'))).toBe('409 EDIT_CONFLICT')
    expect((await cancel('shipped')).body).toMatchObject({ status: 'cancelled', refund: 'due' })
    const subjects = (await mailsOf(shop)).map(({ subject }) => subject)
    expect(subjects.filter(subject => /on its way|is packed/.test(subject))).toEqual([])
    expect(await shop.violations()).toEqual([])
  })

  test('is in the CSV export with method, courier, number, fee, event and note', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    const wishes = { note: 'No onions', event_at: '2026-12-24T18:30' }
    const { _id } = await placeOrder(shop, { delivery_method: 'courier', ...wishes })
    await ship(shop, _id)
    const { text } = await shop.callAsAdmin('GET /admin/orders/export?status=shipped')
    expect(text).toContain('"Courier","ST Courier","ST 4711","2026-12-24 18:30","No onions"')
  })
})
