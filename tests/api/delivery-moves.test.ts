import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  ADDRESS,
  addShopper,
  advanceAndReconcile,
  attemptPayment,
  buy,
  callAs,
  CUSTOMER,
  myOrders,
  openPayment,
  orderOf,
  requestPayment,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import {
  CITY,
  FIRST,
  LEMONS,
  mailOf,
  ONE_PER_DAY,
  openPlacesShop,
  payLate,
  readPlaces,
  requestLemons,
  SECOND,
  THIRD
} from '../support/places.ts'

const EVENT = { deliveryDate: FIRST, eventAt: '2026-11-26T18:30' }

async function payUnitemised(shop: CheckoutShop, shopper: Shopper, extra: object, amount = 240) {
  const { id } = (await callAs(shopper, shop, 'POST /payments/razorpay-order', { amount }))
    .body as { id: string }
  const proof = await shop.sandbox.pay(id)
  const contact = { customerDetails: CUSTOMER, shippingAddress: ADDRESS }
  return callAs(shopper, shop, 'POST /orders', { ...proof, items: LEMONS, ...contact, ...extra })
}

describe.each(ENGINES)('A late payment on %s', engine => {
  test('gets its place again, or its order moves to the next open day and the mails say so', async () => {
    const shop = await openPlacesShop(ONE_PER_DAY, engine)
    const { anita, bala } = shop
    const chandra = await addShopper(shop)
    const opened = [
      await openPayment(shop, anita, { items: LEMONS, extra: { deliveryDate: FIRST } }),
      await openPayment(shop, bala, { items: LEMONS, extra: { deliveryDate: SECOND } }),
      await openPayment(shop, chandra, { items: LEMONS, extra: { deliveryDate: THIRD } })
    ]
    const late = await Promise.all(opened.map(({ id }) => attemptPayment(shop, id, 'failed')))
    await advanceAndReconcile(shop, 40 * MINUTE)
    await buy(shop, await addShopper(shop), LEMONS, { deliveryDate: SECOND })
    await buy(shop, await addShopper(shop), LEMONS, { deliveryDate: THIRD })
    for (const [index, id] of late.entries())
      await payLate(shop, id, index === 2 ? 'authorized' : 'captured')
    await advanceAndReconcile(shop, 20 * MINUTE)
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending', deliveryDate: FIRST }])
    const [order] = await myOrders(shop, bala)
    expect(order).toMatchObject({ status: 'pending', deliveryDate: '2026-11-26' })
    const text = await mailOf(shop, order?.orderNumber)
    expect(text).toContain('24 November 2026 was no longer free when the payment arrived.')
    expect(text).toContain('We’ll deliver it on 26 November 2026.')
    expect(await myOrders(shop, chandra)).toMatchObject([
      { status: 'pending', deliveryDate: '2026-11-27' }
    ])
    expect(await shop.violations()).toEqual([])
  })

  test('moves if another one that arrives at the same time takes the last place', async () => {
    const shop = await openPlacesShop({ calendar: { ordersPerDay: 2 } }, engine)
    const shoppers = [shop.anita, shop.bala]
    const opened = await Promise.all(
      shoppers.map(shopper =>
        openPayment(shop, shopper, { items: LEMONS, extra: { deliveryDate: FIRST } })
      )
    )
    const payments = await Promise.all(opened.map(({ id }) => attemptPayment(shop, id, 'failed')))
    await advanceAndReconcile(shop, 40 * MINUTE)
    await buy(shop, await addShopper(shop), LEMONS, { deliveryDate: FIRST })
    for (const payment_id of payments)
      await shop.sandbox.control('POST', '/late', { payment_id, outcome: 'captured' })
    const report = (shopper: Shopper, index: number) =>
      callAs(shopper, shop, `POST /payments/${opened[index]?.orderId}/sync`)
    await Promise.all([
      ...shoppers.map(report),
      ...shoppers.map(report),
      shop.deliverWebhooks(),
      shop.reconcile()
    ])
    const orders = await Promise.all(shoppers.map(shopper => myOrders(shop, shopper)))
    expect(
      orders
        .flat()
        .map(({ deliveryDate }) => deliveryDate)
        .toSorted()
    ).toEqual([FIRST, SECOND])
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [2, 4], [SECOND]: [1, 2] })
    expect(await shop.violations()).toEqual([])
  })
})

test('A late payment moves its order if its day has closed', async () => {
  const shop = await openPlacesShop({ calendar: { cutOff: '09:35' } })
  const { id } = await openPayment(shop, shop.anita, { items: LEMONS })
  const payment = await attemptPayment(shop, id, 'failed')
  await advanceAndReconcile(shop, 40 * MINUTE)
  await payLate(shop, payment)
  expect(await myOrders(shop, shop.anita)).toMatchObject([
    { status: 'pending', deliveryDate: SECOND }
  ])
  expect(await shop.violations()).toEqual([])
})

describe('An event', () => {
  const rules = { calendar: { ordersPerDay: 1, eventCategories: ['pickles'], orderNote: true } }

  test('is stored with the note, and both belong to the checkout key', async () => {
    const shop = await openPlacesShop(rules)
    const extra = { ...EVENT, note: '  Less chilli,\nplease. ' }
    const key = '1ee15f50-8f0a-4f5c-9d87-4e34cd7d2c2e'
    await openPayment(shop, shop.anita, { items: LEMONS, key, extra })
    expect(await shop.database.kysely.selectFrom('orders').selectAll().execute()).toMatchObject([
      { note: 'Less chilli,\nplease.', event_at: EVENT.eventAt, delivery_method: 'own' }
    ])
    const other = { ...extra, note: 'More chilli' }
    expect(
      statusAndCode(await requestPayment(shop, shop.anita, { items: LEMONS, key, extra: other }))
    ).toBe('409 CHECKOUT_CHANGED')
  })

  test.for([
    ['before the delivery', { deliveryDate: THIRD, eventAt: '2026-11-24T18:30' }, 'eventAt'],
    ['on 30 February', { eventAt: '2027-02-30T18:30' }, 'eventAt'],
    ['that is no time', { eventAt: 'soon' }, 'eventAt']
  ] as const)('%s is refused', async ([, extra, field]) => {
    const shop = await openPlacesShop(rules)
    const reply = await requestLemons(shop, shop.anita, extra)
    expect(statusAndCode(reply)).toBe('400 INVALID_INPUT')
    expect((reply.body as { fields: object }).fields).toHaveProperty(field)
  })

  test('is refused for categories without events, and so is a note if the shop takes none', async () => {
    const shop = await openPlacesShop()
    expect((await requestLemons(shop, shop.anita, EVENT)).body).toMatchObject({
      fields: { eventAt: expect.any(String) }
    })
    expect((await requestLemons(shop, shop.anita, { note: 'Hi' })).body).toMatchObject({
      fields: { note: expect.any(String) }
    })
  })

  test('on a full day gets an earlier day instead of one after the event', async () => {
    const shop = await openPlacesShop(rules)
    await buy(shop, shop.bala, LEMONS, { deliveryDate: SECOND })
    const extra = { deliveryDate: SECOND, eventAt: `${SECOND}T18:30` }
    const { body } = await requestLemons(shop, shop.anita, extra)
    expect(body).toMatchObject({ code: 'DAY_FULL', nextDay: FIRST })
  })

  test('makes the shop refund a late payment if the day is full, and take it if the place is still there', async () => {
    const shop = await openPlacesShop(rules)
    const { anita, bala } = shop
    const opened = [
      await openPayment(shop, anita, { items: LEMONS, extra: EVENT }),
      await openPayment(shop, bala, { items: LEMONS, extra: { ...EVENT, deliveryDate: SECOND } })
    ]
    const late = await Promise.all(opened.map(({ id }) => attemptPayment(shop, id, 'failed')))
    await advanceAndReconcile(shop, 40 * MINUTE)
    await buy(shop, await addShopper(shop), LEMONS, { deliveryDate: FIRST })
    for (const id of late) await payLate(shop, id)
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'cancelled', paymentStatus: 'refunding' }
    ])
    expect(await myOrders(shop, bala)).toMatchObject([{ status: 'pending', deliveryDate: SECOND }])
    expect(await shop.violations()).toEqual([])
  })
})

describe('An unitemised payment', () => {
  test('moves to the next open day if its day is full, and the mail says so', async () => {
    const shop = await openPlacesShop()
    await buy(shop, shop.bala, LEMONS, { deliveryDate: FIRST })
    const order = orderOf(await payUnitemised(shop, shop.anita, { deliveryDate: FIRST }))
    expect(order).toMatchObject({ status: 'pending', deliveryDate: SECOND })
    expect(await mailOf(shop, order.orderNumber)).toContain(
      '23 November 2026 was no longer free when the payment arrived.'
    )
    expect(await shop.violations()).toEqual([])
  })

  test.for([
    [
      'is today',
      '2026-11-21',
      FIRST,
      '21 November 2026 is earlier than we can have the order ready.'
    ],
    [
      'is past',
      '2020-02-29',
      FIRST,
      '29 February 2020 is earlier than we can have the order ready.'
    ],
    ['is closed', SECOND, THIRD, '24 November 2026 is not open for orders.']
  ] as const)(
    'moves to the first open day if its day %s, and both mails say why',
    async ([, date, day, reason]) => {
      const shop = await openPlacesShop({ calendar: { closedDates: [SECOND] } })
      const order = orderOf(await payUnitemised(shop, shop.anita, { deliveryDate: date }))
      expect(order).toMatchObject({ status: 'pending', deliveryDate: day })
      await shop.deliverMails()
      expect(shop.mails.filter(({ text }) => text.includes(reason))).toHaveLength(2)
      expect(await shop.violations()).toEqual([])
    }
  )

  test.for([
    ['is full', FIRST],
    ['is today', '2026-11-21']
  ] as const)(
    'is refunded if its day %s and the shopper has named an event',
    async ([, deliveryDate]) => {
      const shop = await openPlacesShop({
        calendar: { ordersPerDay: 1, eventCategories: ['pickles'] }
      })
      await buy(shop, shop.bala, LEMONS, { deliveryDate: FIRST })
      const extra = { ...EVENT, deliveryDate, eventAt: `${FIRST}T18:30` }
      expect(statusAndCode(await payUnitemised(shop, shop.anita, extra))).toBe(
        '409 PAYMENT_REFUNDED'
      )
      await shop.reconcile()
      expect(await shop.violations()).toEqual([])
    }
  )

  test('is refunded at once if its day is later than the last day that can be ordered', async () => {
    const shop = await openPlacesShop()
    expect(await payUnitemised(shop, shop.anita, { deliveryDate: '2030-01-01' })).toMatchObject({
      status: 409,
      body: {
        code: 'PAYMENT_REFUNDED',
        message: 'Please choose one of the delivery dates. Your payment will be refunded in full.'
      }
    })
    await shop.reconcile()
    const refunds = await shop.database.kysely
      .selectFrom('refunds')
      .select(['reason', 'state'])
      .execute()
    expect(refunds).toEqual([{ reason: 'unclaimed', state: 'processed' }])
    expect(await shop.violations()).toEqual([])
  })

  test('gets the first day if the form has sent an empty date', async () => {
    const shop = await openPlacesShop()
    const order = orderOf(await payUnitemised(shop, shop.anita, { deliveryDate: '', eventAt: '' }))
    expect(order).toMatchObject({ deliveryDate: FIRST })
  })

  test.for([
    '21/11/2026',
    '2026-02-30',
    'tomorrow',
    20_261_123,
    '2026-11-23T00:00:00.000Z',
    ['2026-11-23']
  ])('can be sent again with a valid date after %j', async deliveryDate => {
    const shop = await openPlacesShop()
    const { id } = (
      await callAs(shop.anita, shop, 'POST /payments/razorpay-order', { amount: 240 })
    ).body as {
      id: string
    }
    const order = {
      ...(await shop.sandbox.pay(id)),
      items: LEMONS,
      customerDetails: CUSTOMER,
      shippingAddress: ADDRESS
    }
    const refused = await callAs(shop.anita, shop, 'POST /orders', { ...order, deliveryDate })
    expect(refused).toMatchObject({
      status: 400,
      body: { fields: { deliveryDate: expect.any(String) } }
    })
    expect(refused.text).toContain('Otherwise your payment is refunded in full.')
    expect(
      (await callAs(shop.anita, shop, 'POST /orders', { ...order, deliveryDate: SECOND })).status
    ).toBe(201)
    expect(await shop.violations()).toEqual([])
  })

  test('is refused before it is paid if nothing can be delivered on its day', async () => {
    const shop = await openPlacesShop()
    const open = (deliveryDate: string | null) =>
      callAs(shop.anita, shop, 'POST /payments/razorpay-order', { amount: 240, deliveryDate })
    for (const date of ['2026-11-21', '2020-01-01', '2030-01-01'])
      expect(await open(date)).toMatchObject({
        status: 400,
        body: { fields: { deliveryDate: expect.any(String) } }
      })
    for (const date of [FIRST, null]) expect((await open(date)).status).toBe(200)
  })

  test('must include the delivery fee of the address, and is refunded where the shop does not deliver', async () => {
    const shop = await openPlacesShop({ delivery: { zones: [CITY], elsewhere: 'none' } })
    const { anita } = shop
    expect((await payUnitemised(shop, anita, {})).body).toMatchObject({
      code: 'PAYMENT_REFUNDED',
      quote: { deliveryFee: 40, total: 280 }
    })
    const order = orderOf(await payUnitemised(shop, anita, {}, 280))
    expect(order).toMatchObject({ totalAmount: 280, deliveryFee: 40, deliveryMethod: 'own' })
    const shippingAddress = { ...ADDRESS, city: 'Chennai', pincode: '600001' }
    expect(statusAndCode(await payUnitemised(shop, anita, { shippingAddress }, 240))).toBe(
      '409 PAYMENT_REFUNDED'
    )
    await shop.reconcile()
    expect(await shop.violations()).toEqual([])
  })
})
