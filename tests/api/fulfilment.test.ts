import { describe, expect, test } from 'vitest'
import type { Order } from '#lib/contract/orders.ts'
import type { OrderStatusReport } from '#lib/contract/desk.ts'
import { STATUS_MAIL_DELAY } from '#lib/time.ts'
import type { OrderRow } from '#server/platform/db/order-tables.ts'
import { ADMIN, call, expectBody, expectOk, expectOutcome } from '../support/accounts.ts'
import { LEMONS, openAdminOrdersShop, type AdminOrdersShop } from '../support/admin-orders.ts'
import { anonymiseOrders } from '#server/orders/clean-up.ts'
import {
  addShopper,
  buy,
  callAs,
  expectInvariants,
  myOrders,
  openPayment,
  orderOf
} from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { setSettings } from '../support/places.ts'

const SHIPMENT = {
  courier: 'ST Courier',
  trackingNumber: 'ST 4711',
  trackingLink: 'https://stcourier.com/track'
}

const move = (shop: AdminOrdersShop, id: string, from: string, to: string, shipment?: object) =>
  shop.callAsAdmin(`POST /admin/orders/${id}/move`, { from, to, shipment })

async function placeOrder(shop: AdminOrdersShop, columns: Partial<OrderRow>) {
  const order = await buy(shop, shop.anita, LEMONS)
  await shop.write(trx =>
    trx.updateTable('orders').set(columns).where('id', '=', order._id).execute()
  )
  return order
}

/** Packs an order that is sent by courier. */
async function openParcel(columns: Partial<OrderRow> = {}, engine: Engine = 'sqlite') {
  const shop = await openAdminOrdersShop(engine)
  expectInvariants(shop)
  const order = await placeOrder(shop, { delivery_method: 'courier', ...columns })
  await move(shop, order._id, 'pending', 'packed')
  return { ...order, shop }
}

const ship = (shop: AdminOrdersShop, id: string) => move(shop, id, 'packed', 'shipped', SHIPMENT)

async function mailsOf(shop: AdminOrdersShop) {
  shop.clock.advance(STATUS_MAIL_DELAY)
  await shop.deliverMails()
  return shop.mails
}

test.for(ENGINES)(
  'Orders by courier are shipped by the kitchen, which reads note and gift, with courier, number and link before they are delivered on %s',
  async engine => {
    const gift = { name: 'Lakshmi', message: 'Happy Pongal' }
    const wishes = { note: 'No onions', event_at: '2026-12-24T18:30', gift: JSON.stringify(gift) }
    const { shop, _id, orderNumber } = await openParcel(wishes, engine)
    const shipped = { status: 'shipped', deliveryMethod: 'courier', shipment: SHIPMENT }
    const { token } = await addShopper(shop, 'kumar', 'kitchen')
    const body = { from: 'packed', to: 'shipped', shipment: SHIPMENT }
    const reply = await call(shop, `POST /admin/kitchen/orders/${_id}/move`, { token, body })
    expect(reply.body).toMatchObject({ ...shipped, note: 'No onions', gift })
    const day = await call(shop, 'GET /admin/kitchen/day?date=2026-11-23', { token })
    expect(day.body).toMatchObject({ orders: [{ orderNumber, gift }] })
    expect(await myOrders(shop, shop.anita)).toMatchObject([shipped])
    expect(await shop.listOrders('?status=shipped')).toEqual([orderNumber])
    expect(await shop.listOrders('?status=packed')).toEqual([])
    const { text: csv } = await shop.callAsAdmin('GET /admin/orders/export?status=shipped')
    const sentWith = '"Courier","ST Courier","ST 4711","2026-12-24 18:30","No onions"'
    const asGift = '"Gift for Lakshmi: no prices in the parcel\nHappy Pongal"'
    expect(csv).toContain(`${sentWith},${asGift}`)
    const mail = (await mailsOf(shop)).find(
      ({ subject }) => subject === `Your order ${orderNumber} is on its way`
    )
    for (const text of Object.values(SHIPMENT)) {
      expect(mail?.text).toContain(text)
      expect(mail?.html).toContain(text)
    }
    const delivered = await move(shop, _id, 'shipped', 'delivered')
    expect(delivered.body).toMatchObject({
      status: 'delivered',
      shipment: SHIPMENT,
      history: ['pending', 'packed', 'shipped', 'delivered'].map(status => ({ status }))
    })
  }
)

describe('Orders by courier', () => {
  test('go back one step at a time, and no mail tells of the step that was undone', async () => {
    const { shop, _id } = await openParcel()
    await ship(shop, _id)
    await move(shop, _id, 'shipped', 'delivered')
    await expectBody(move(shop, _id, 'delivered', 'shipped'), {
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
    const { shop, _id } = await openParcel()
    const { history } = (await ship(shop, _id)).body as Order
    await expectOk(ship(shop, _id))
    for (const trackingNumber of ['ST 5000', 'ST 6000']) {
      const shipment = { ...SHIPMENT, trackingNumber }
      await expectOutcome(move(shop, _id, 'packed', 'shipped', shipment), '409 EDIT_CONFLICT')
      const corrected = await move(shop, _id, 'shipped', 'shipped', shipment)
      expect(corrected.body).toMatchObject({ status: 'shipped', shipment, history })
      const mails = (await mailsOf(shop)).filter(({ subject }) => subject.includes('on its way'))
      expect(mails.map(({ text }) => /ST \d+/.exec(text)?.[0])).toEqual(['ST 5000'])
    }
    await expectOutcome(move(shop, _id, 'shipped', 'shipped'), '400 INVALID_INPUT')
  })

  test('cannot be cancelled online once they are shipped, but the shop can cancel a lost parcel', async () => {
    const { shop, _id } = await openParcel()
    await ship(shop, _id)
    await expectOutcome(
      callAs(shop.anita, shop, `POST /orders/${_id}/cancel`),
      '409 ORDER_NOT_CANCELLABLE'
    )
    expect(await myOrders(shop, shop.anita)).toMatchObject([
      { canCancel: false, cancelBlock: 'shipped' }
    ])
    const cancellation = { reason: 'The courier lost it', proof: { password: ADMIN.password } }
    const cancel = (from: string) =>
      shop.callAsAdmin(`POST /admin/orders/${_id}/cancel`, { ...cancellation, from })
    await expectOutcome(cancel('packed'), '409 EDIT_CONFLICT')
    await expectBody(cancel('shipped'), { status: 'cancelled', refund: 'due' })
    const subjects = (await mailsOf(shop)).map(({ subject }) => subject)
    expect(subjects.filter(subject => /on its way|is packed/.test(subject))).toEqual([])
  })
})

test('The mails about a new order say day, way, fee, event, note and gift, and those of a deleted account forget them', async () => {
  const shop = await openAdminOrdersShop('sqlite')
  const zone = {
    name: 'Tamil Nadu',
    pincodes: '6',
    method: 'courier',
    fee: 40,
    freeAbove: 0
  } as const
  await setSettings(shop, {
    delivery: { zones: [{ ...zone, transitMin: 1, transitMax: 2, active: true }] },
    calendar: { orderNote: true, eventCategories: ['pickles'] }
  })
  const wishes = { note: 'Mild, please', eventAt: '2026-11-27T18:30' }
  const gift = { name: 'Lakshmi', message: 'Happy Pongal!\n<b>Yours</b>' }
  const extra = { deliveryDate: '2026-11-26', ...wishes, gift }
  const { id } = await openPayment(shop, shop.anita, { items: LEMONS, amount: 280, extra })
  const order = orderOf(await callAs(shop.anita, shop, 'POST /orders', await shop.sandbox.pay(id)))
  const { note, eventAt } = extra
  expect(order).toMatchObject({ deliveryFee: 40, deliveryMethod: 'courier', note, eventAt, gift })
  const [mail, ownerMail] = (await mailsOf(shop)).filter(({ id: mailId }) =>
    mailId.includes('placed')
  )
  for (const text of [
    'Delivery: ₹40.00',
    'Event: Fri, 27 Nov, 6:30 pm',
    'Note: Mild, please',
    `Gift for Lakshmi: no prices in the parcel\n${gift.message}`
  ]) {
    expect(mail?.text).toContain(text)
    expect(ownerMail?.text).toContain(text)
  }
  expect(mail?.html).toContain('Happy Pongal!<br>&#60;b&#62;Yours&#60;/b&#62;')
  expect(mail?.text).toContain('We’ll send it by courier. It should reach you on 26 November 2026.')
  expect(ownerMail?.text).toContain('Send by courier (Tamil Nadu), to arrive on 26 November 2026.')
  await move(shop, order._id, 'pending', 'packed')
  await ship(shop, order._id)
  await move(shop, order._id, 'shipped', 'delivered')
  await mailsOf(shop)
  const deleted_at = new Date(shop.clock()).toISOString()
  await shop.write(async trx => {
    await trx.updateTable('users').set({ deleted_at }).where('id', '=', shop.anita.id).execute()
    await anonymiseOrders(trx, deleted_at)
  })
  const anonymous = await shop.fetchOrder(order._id)
  expect(await shop.listOrders()).toEqual([order.orderNumber])
  expect(anonymous).toMatchObject({
    isAnonymised: true,
    shipment: { courier: 'ST Courier', trackingNumber: '' }
  })
  for (const secret of [note, eventAt, 'Lakshmi', 'Pongal', SHIPMENT.trackingNumber])
    expect(JSON.stringify(anonymous)).not.toContain(secret)
  expect((await shop.auditLog(order._id)).join()).not.toContain(SHIPMENT.trackingNumber)
})

test('Orders for pickup are ready before they are picked up, and the mail says where and when', async () => {
  const shop = await openAdminOrdersShop('sqlite')
  const pickupText = 'Daily 10 am to 6 pm, ring the bell'
  await setSettings(shop, { delivery: { pickup: true, pickupText } })
  const { _id, orderNumber } = await placeOrder(shop, { delivery_method: 'pickup' })
  const own = await placeOrder(shop, { delivery_method: 'own' })
  const moveBoth = (from: string, to: string) =>
    shop.callAsAdmin('POST /admin/orders/move', { ids: [own._id, _id], from, to })
  await moveBoth('pending', 'packed')
  const { moved, left } = (await moveBoth('packed', 'ready')).body as OrderStatusReport
  expect(moved).toMatchObject([{ _id, status: 'ready' }])
  expect(left).toMatchObject([{ _id: own._id, status: 'packed' }])
  expect(await shop.listOrders('?status=ready')).toEqual([orderNumber])
  const mail = (await mailsOf(shop)).find(
    ({ subject }) => subject === `Your order ${orderNumber} is ready for pickup`
  )
  expect(mail?.text).toMatch(/Pickup at:\n(.+\n)+Daily 10 am to 6 pm, ring the bell/)
  await move(shop, _id, 'ready', 'delivered')
  expect((await mailsOf(shop)).at(-1)?.subject).toBe(`Your order ${orderNumber} has been picked up`)
})

describe('Texts for WhatsApp', () => {
  type Text = { kind: string; text: string }
  const readTexts = async (shop: AdminOrdersShop, id: string) =>
    (await shop.callAsAdmin(`POST /admin/orders/${id}/messages`)).body as Text[]
  const kindsOf = (texts: Text[]) => texts.map(({ kind }) => kind)

  test('begin with the status, suit the delivery, and name shop, order and the link of the mails', async () => {
    const { shop, _id, orderNumber } = await openParcel({ delivery_date: '2026-11-26' })
    const texts = await readTexts(shop, _id)
    expect(kindsOf(texts)).toEqual(['packed', 'shipped', 'delayed'])
    expect(texts[0]?.text).toContain(
      'Your order is packed. It should reach you on 26 November 2026.'
    )
    await ship(shop, _id)
    const [shipped, delayed, ...others] = await readTexts(shop, _id)
    expect(others).toEqual([])
    const link = /http\S+\/orders\/link#\S+/.exec((await mailsOf(shop)).at(-1)?.text ?? '')?.[0]
    expect(shipped?.text.split('\n\n')).toEqual([
      `Vanakkam Anita Kumar, this is Palagaram about your order ${orderNumber}.`,
      'Your order is on its way. It should reach you on 26 November 2026.',
      'Courier: ST Courier\nTracking number: ST 4711',
      `Track it: ${SHIPMENT.trackingLink}`,
      `See your order: ${link}`
    ])
    expect(delayed?.text).toContain('is delayed. We’ll tell you the new day soon.')
    for (const text of [...texts, shipped, delayed].map(each => each?.text))
      expect(text).not.toMatch(/Rockfort|98765/)
    await move(shop, _id, 'shipped', 'delivered')
    expect(kindsOf(await readTexts(shop, _id))).toEqual(['delivered'])
  })

  test('are in the language of the order, name the place of a pickup, and the new day of a changed one', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    await setSettings(shop, { delivery: { pickup: true, pickupText: 'Ring the bell' } })
    const own = await placeOrder(shop, { language: 'ta', delivery_method: 'own' })
    const [confirmed, ...rest] = await readTexts(shop, own._id)
    expect(kindsOf(rest)).toEqual(['packed', 'delayed'])
    expect(confirmed?.text).toMatch(
      /^வணக்கம் Anita Kumar, பலகாரம் .+\n\nஉங்கள் ஆர்டர் .+\/ta\/orders\/link#/s
    )
    const { _id } = await placeOrder(shop, { delivery_method: 'pickup' })
    const body = { version: 0, deliveryDate: '2026-12-01', confirmDay: true }
    await expectOk(shop.callAsAdmin(`POST /admin/orders/${_id}/change`, body))
    const texts = await readTexts(shop, _id)
    expect(kindsOf(texts)).toEqual(['pending', 'packed', 'ready', 'delayed'])
    expect(texts[2]?.text).toMatch(/ready[^]+Pickup at:\n(.+\n)*Ring the bell\n\nSee/)
    expect(texts[3]?.text).toContain('You can pick it up on 1 December 2026.')
    await move(shop, _id, 'pending', 'packed')
    await move(shop, _id, 'packed', 'ready')
    expect(kindsOf(await readTexts(shop, _id))).toEqual(['ready'])
  })

  test('are not for the kitchen, and not about an order that is cancelled or anonymised', async () => {
    const { shop, _id } = await openParcel()
    const { token } = await addShopper(shop, 'kumar', 'kitchen')
    const reply = call(shop, `POST /admin/orders/${_id}/messages`, { token, body: {} })
    await expectOutcome(reply, '403 FORBIDDEN')
    const cancellation = { from: 'packed', reason: 'Sold out', proof: { password: ADMIN.password } }
    await expectOk(shop.callAsAdmin(`POST /admin/orders/${_id}/cancel`, cancellation))
    const forgotten = await placeOrder(shop, { anonymised_at: '2026-11-26T00:00:00.000Z' })
    for (const id of [_id, forgotten._id]) expect(await readTexts(shop, id)).toEqual([])
  })
})

describe('Steps', () => {
  test('that the delivery method does not have are refused', async () => {
    const shop = await openAdminOrdersShop('sqlite')
    for (const [delivery_method, to] of [
      ['courier', 'delivered'],
      ['pickup', 'shipped'],
      ['own', 'shipped'],
      [null, 'ready']
    ] as const) {
      const { _id } = await placeOrder(shop, { delivery_method })
      await move(shop, _id, 'pending', 'packed')
      await expectOutcome(move(shop, _id, 'packed', to, SHIPMENT), '400 INVALID_INPUT')
      expect(await shop.fetchOrder(_id)).toMatchObject({ status: 'packed' })
    }
  })

  test('to shipped need a courier, and a tracking link that is a web address', async () => {
    const { shop, _id } = await openParcel()
    expect((await move(shop, _id, 'packed', 'shipped')).text).toContain('Please enter the courier')
    const unsafe = { ...SHIPMENT, trackingLink: 'javascript:alert(1)' }
    const batch = { ids: [_id], from: 'packed', to: 'shipped' }
    for (const reply of [
      await move(shop, _id, 'packed', 'shipped', unsafe),
      await shop.callAsAdmin('POST /admin/orders/move', batch)
    ])
      await expectOutcome(reply, '400 INVALID_INPUT')
  })
})
