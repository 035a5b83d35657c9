import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { expectBody, expectOk, expectOutcome } from '../support/accounts.ts'
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
  requestLemons,
  SECOND,
  THIRD
} from '../support/places.ts'

const EVENT = { deliveryDate: FIRST, eventAt: '2026-11-26T18:30' }
const TODAY = '2026-11-21'

/** Opens checkouts that expire after a failed attempt, and returns their payments. */
async function openExpired(
  shop: CheckoutShop,
  ...checkouts: readonly [shopper: Shopper, extra: object][]
) {
  const opened = await Promise.all(
    checkouts.map(([shopper, extra]) => openPayment(shop, shopper, { extra }))
  )
  const payments = await Promise.all(opened.map(({ id }) => attemptPayment(shop, id, 'failed')))
  await advanceAndReconcile(shop, 40 * MINUTE)
  return payments
}

async function fill(shop: CheckoutShop, ...days: string[]) {
  for (const deliveryDate of days) await buy(shop, await addShopper(shop), LEMONS, { deliveryDate })
}

test.for(ENGINES)(
  'A late payment gets its place again, or its order moves to the next open day and the mails say so, on %s',
  async engine => {
    const shop = await openPlacesShop(ONE_PER_DAY, engine)
    const { anita, bala } = shop
    const chandra = await addShopper(shop)
    const [first = '', second = '', third = ''] = await openExpired(
      shop,
      [anita, { deliveryDate: FIRST }],
      [bala, { deliveryDate: SECOND }],
      [chandra, { deliveryDate: THIRD }]
    )
    await fill(shop, SECOND, THIRD)
    for (const payment of [first, second]) await payLate(shop, payment)
    await payLate(shop, third, 'authorized')
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
  }
)

test('A late payment moves its order if its day has closed', async () => {
  const shop = await openPlacesShop({ calendar: { cutOff: '09:35' } })
  const [payment = ''] = await openExpired(shop, [shop.anita, {}])
  await payLate(shop, payment)
  expect(await myOrders(shop, shop.anita)).toMatchObject([
    { status: 'pending', deliveryDate: SECOND }
  ])
})

describe('An event', () => {
  const rules = { calendar: { ordersPerDay: 1, eventCategories: ['pickles'], orderNote: true } }

  test('is stored with note and gift, and all belong to the checkout key', async () => {
    const shop = await openPlacesShop(rules)
    const gift = { name: 'Lakshmi', message: '' }
    const extra = { ...EVENT, note: '  Less chilli,\nplease. ', gift }
    const request = { items: LEMONS, key: '1ee15f50-8f0a-4f5c-9d87-4e34cd7d2c2e' }
    await openPayment(shop, shop.anita, { ...request, extra })
    expect(await shop.database.kysely.selectFrom('orders').selectAll().execute()).toMatchObject([
      { note: 'Less chilli,\nplease.', event_at: EVENT.eventAt, delivery_method: 'own' }
    ])
    for (const change of [
      { note: 'More chilli' },
      { gift: { name: 'Leela' } },
      { gift: undefined }
    ]) {
      const changed = { ...request, extra: { ...extra, ...change } }
      await expectOutcome(requestPayment(shop, shop.anita, changed), '409 CHECKOUT_CHANGED')
    }
  })

  test('is refused before the delivery, at no time, or if the shop takes none, like a note', async () => {
    const [shop, plain] = [await openPlacesShop(rules), await openPlacesShop()]
    for (const [asked, extra, field] of [
      [shop, { deliveryDate: THIRD, eventAt: `${SECOND}T18:30` }, 'eventAt'],
      [shop, { eventAt: '2027-02-30T18:30' }, 'eventAt'],
      [shop, { eventAt: 'soon' }, 'eventAt'],
      [plain, EVENT, 'eventAt'],
      [plain, { note: 'Hi' }, 'note']
    ] as const)
      expect(await requestLemons(asked, asked.anita, extra)).toMatchObject({
        status: 400,
        body: { fields: { [field]: expect.any(String) } }
      })
  })

  test('on a full day gets an earlier day instead of one after the event', async () => {
    const shop = await openPlacesShop(rules)
    await fill(shop, SECOND)
    const extra = { deliveryDate: SECOND, eventAt: `${SECOND}T18:30` }
    const { body } = await requestLemons(shop, shop.anita, extra)
    expect(body).toMatchObject({ code: 'DAY_FULL', nextDay: FIRST })
  })

  test('makes the shop refund a late payment if the day is full, and take it if the place is still there', async () => {
    const shop = await openPlacesShop(rules)
    const { anita, bala } = shop
    const later = { ...EVENT, deliveryDate: SECOND }
    const payments = await openExpired(shop, [anita, EVENT], [bala, later])
    await fill(shop, FIRST)
    for (const payment of payments) await payLate(shop, payment)
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'cancelled', paymentStatus: 'refunding' }
    ])
    expect(await myOrders(shop, bala)).toMatchObject([{ status: 'pending', deliveryDate: SECOND }])
  })
})

describe('An unitemised payment', () => {
  const open = (shop: CheckoutShop, shopper: Shopper, amount = 240, extra: object = {}) =>
    callAs(shopper, shop, 'POST /payments/razorpay-order', { amount, ...extra })

  async function pay(shop: CheckoutShop, shopper: Shopper, amount?: number): Promise<object> {
    const { id } = (await open(shop, shopper, amount)).body as { id: string }
    const contact = { customerDetails: CUSTOMER, shippingAddress: ADDRESS }
    return { ...(await shop.sandbox.pay(id)), items: LEMONS, ...contact }
  }
  const order = async (shop: CheckoutShop, shopper: Shopper, extra: object, amount?: number) =>
    callAs(shopper, shop, 'POST /orders', { ...(await pay(shop, shopper, amount)), ...extra })

  test('moves to the first open day if its day is past, full or closed, and both mails say why', async () => {
    const shop = await openPlacesShop({ calendar: { ordersPerDay: 1, closedDates: [SECOND] } })
    const tooEarly = 'is earlier than we can have the order ready.'
    for (const [deliveryDate, day, reason] of [
      [TODAY, FIRST, `21 November 2026 ${tooEarly}`],
      [FIRST, THIRD, '23 November 2026 was no longer free when the payment arrived.'],
      [SECOND, '2026-11-26', '24 November 2026 is not open for orders.']
    ] as const) {
      const moved = orderOf(await order(shop, shop.anita, { deliveryDate }))
      expect(moved).toMatchObject({ status: 'pending', deliveryDate: day })
      await shop.deliverMails()
      expect(shop.mails.filter(({ text }) => text.includes(reason))).toHaveLength(2)
    }
    const undated = { deliveryDate: '', eventAt: '' }
    expect(orderOf(await order(shop, shop.anita, undated))).toMatchObject({
      deliveryDate: '2026-11-27'
    })
  })

  test('is refunded if it can’t be ready before the event, or its day can’t be ordered yet', async () => {
    const shop = await openPlacesShop({
      calendar: { ordersPerDay: 1, eventCategories: ['pickles'] }
    })
    await fill(shop, FIRST)
    const eventAt = `${FIRST}T18:30`
    for (const extra of [
      { deliveryDate: FIRST, eventAt },
      { deliveryDate: TODAY, eventAt }
    ])
      await expectOutcome(order(shop, shop.anita, extra), '409 PAYMENT_REFUNDED')
    await expectBody(order(shop, shop.anita, { deliveryDate: '2030-01-01' }), {
      code: 'PAYMENT_REFUNDED',
      message: 'Please choose one of the delivery dates. Your payment will be refunded in full.'
    })
    await shop.reconcile()
    const refunds = shop.database.kysely.selectFrom('refunds').select(['reason', 'state'])
    expect(await refunds.execute()).toEqual(
      Array(3).fill({ reason: 'unclaimed', state: 'processed' })
    )
  })

  test('can be sent again with a valid date after an invalid one', async () => {
    const shop = await openPlacesShop()
    const paid = await pay(shop, shop.anita)
    const send = (deliveryDate: unknown) =>
      callAs(shop.anita, shop, 'POST /orders', { ...paid, deliveryDate })
    for (const date of ['21/11/2026', '2026-02-30', 20_261_123]) {
      const refused = await send(date)
      expect(refused).toMatchObject({
        status: 400,
        body: { fields: { deliveryDate: expect.any(String) } }
      })
      expect(refused.text).toContain('Otherwise your payment is refunded in full.')
    }
    expect((await send(SECOND)).status).toBe(201)
  })

  test('is refused before it is paid if nothing can be delivered on its day', async () => {
    const shop = await openPlacesShop()
    for (const deliveryDate of [TODAY, '2030-01-01'])
      expect(await open(shop, shop.anita, 240, { deliveryDate })).toMatchObject({
        status: 400,
        body: { fields: { deliveryDate: expect.any(String) } }
      })
    for (const deliveryDate of [FIRST, null])
      await expectOk(open(shop, shop.anita, 240, { deliveryDate }))
  })

  test('must include the delivery fee of the address, and is refunded where the shop does not deliver', async () => {
    const shop = await openPlacesShop({ delivery: { zones: [CITY], elsewhere: 'none' } })
    const { anita } = shop
    await expectBody(order(shop, anita, {}), {
      code: 'PAYMENT_REFUNDED',
      quote: { deliveryFee: 40, total: 280 }
    })
    expect(orderOf(await order(shop, anita, {}, 280))).toMatchObject({
      totalAmount: 280,
      deliveryFee: 40,
      deliveryMethod: 'own'
    })
    const shippingAddress = { ...ADDRESS, city: 'Chennai', pincode: '600001' }
    await expectOutcome(order(shop, anita, { shippingAddress }), '409 PAYMENT_REFUNDED')
    await shop.reconcile()
  })
})
