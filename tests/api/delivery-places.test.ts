import { describe, expect, test } from 'vitest'
import { addDays, DAY, HOUR, MINUTE, toDayInIndia } from '#lib/time.ts'
import { movePlace } from '#server/delivery/places.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  ADDRESS,
  addShopper,
  advanceAndReconcile,
  advanceOrder,
  attemptPayment,
  buy,
  callAs,
  CUSTOMER,
  myOrders,
  openCheckoutShop,
  openPayment,
  orderOf,
  placeOrder,
  requestPayment,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { CITY, readPlaces, setSettings } from '../support/places.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 5000 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]
/** It is 21 November 2026, 9:30 in India. */
const [FIRST, SECOND, THIRD] = ['2026-11-23', '2026-11-24', '2026-11-25']
const ONE_PER_DAY = { calendar: { ordersPerDay: 1 } }
const EVENT = { deliveryDate: FIRST, eventAt: '2026-11-26T18:30' }

/** `npm run faults` sets the number of rounds. */
const ROUNDS = Number(process.env['PLACE_ROUNDS'] ?? 1)
const BUYERS = process.env['PLACE_ROUNDS'] === undefined ? 50 : 200

async function openShop(rules: Parameters<typeof setSettings>[1] = ONE_PER_DAY, engine: Engine = 'sqlite') {
  const shop = await openCheckoutShop(engine, { products })
  await setSettings(shop, rules)
  return { ...shop, anita: await addShopper(shop, 'anita'), bala: await addShopper(shop, 'bala') }
}

function request(shop: CheckoutShop, shopper: Shopper, extra: object = {}, quantity = 2) {
  return requestPayment(shop, shopper, { items: [{ product: 'lemon', quantity }], amount: quantity * 120, extra })
}

async function payUnitemised(shop: CheckoutShop, shopper: Shopper, extra: object, amount = 240) {
  const { id } = (await callAs(shopper, shop, 'POST /payments/razorpay-order', { amount })).body as { id: string }
  const proof = await shop.sandbox.pay(id)
  const contact = { customerDetails: CUSTOMER, shippingAddress: ADDRESS }
  return callAs(shopper, shop, 'POST /orders', { ...proof, items: lemons, ...contact, ...extra })
}

async function payLate(shop: CheckoutShop, payment_id: string, outcome = 'captured'): Promise<void> {
  await shop.sandbox.control('POST', '/late', { payment_id, outcome })
  await shop.deliverWebhooks()
}

async function mailOf(shop: CheckoutShop, subject: RegExp): Promise<string> {
  await shop.deliverMails()
  return shop.mails.find(mail => subject.test(mail.subject))?.text ?? ''
}

describe.each(ENGINES)('Places on a day on %s', engine => {
  test('are taken by exactly five of many buyers for five places', { timeout: 600_000 }, async () => {
    const shop = await openShop({ calendar: { ordersPerDay: 5 } }, engine)
    for (let round = 0; round < ROUNDS; round++) {
      const deliveryDate = addDays(toDayInIndia(shop.clock()), 2 + round)
      const shoppers = await Promise.all(Array.from({ length: BUYERS }, () => addShopper(shop)))
      const replies = await Promise.all(shoppers.map(shopper => request(shop, shopper, { deliveryDate })))
      const outcomes = replies.map(statusAndCode)
      expect(outcomes.filter(outcome => outcome === '200')).toHaveLength(5)
      // On a busy computer, some buyers wait too long for a connection to the database.
      expect(outcomes.filter(outcome => !/^(200|409 DAY_FULL|503 UNAVAILABLE)$/.test(outcome))).toEqual([])
      expect((await readPlaces(shop))[deliveryDate]).toEqual([5, 10])
      // The limit of checkouts per network counts the last ten minutes.
      shop.clock.advance(11 * MINUTE)
    }
    expect(await shop.violations()).toEqual([])
  })

  test('are released when the checkout is replaced or expires, and when the order is cancelled', async () => {
    const shop = await openShop({ calendar: { unitsPerDay: 6 } }, engine)
    const { anita, bala } = shop
    await openPayment(shop, anita, { items: lemons, extra: { deliveryDate: FIRST } })
    await openPayment(shop, anita, { items: lemons, extra: { deliveryDate: SECOND } })
    expect(await readPlaces(shop)).toEqual({ [SECOND]: [1, 2] })
    await openPayment(shop, bala, { items: lemons, extra: { deliveryDate: FIRST } })
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [1, 2], [SECOND]: [1, 2] })
    await advanceAndReconcile(shop, 40 * MINUTE)
    expect(await readPlaces(shop)).toEqual({})
    const order = await buy(shop, anita, lemons, { deliveryDate: FIRST })
    expect(statusAndCode(await request(shop, bala, { deliveryDate: FIRST }, 5))).toBe('409 DAY_FULL')
    expect((await callAs(anita, shop, `POST /orders/${order._id}/cancel`)).status).toBe(200)
    expect(statusAndCode(await request(shop, bala, { deliveryDate: FIRST }, 6))).toBe('200')
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [1, 6] })
    expect(await shop.violations()).toEqual([])
  })

  test('are kept by delivered orders', async () => {
    const shop = await openShop(ONE_PER_DAY, engine)
    const { _id } = await buy(shop, shop.anita, lemons, { deliveryDate: FIRST })
    await advanceOrder(shop, _id, 'packed')
    await advanceOrder(shop, _id, 'delivered')
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [1, 2] })
    expect(await shop.violations()).toEqual([])
  })

  test('move with their orders, also if two orders change places with free ones at the same time', async () => {
    const shop = await openShop({ calendar: { ordersPerDay: 2 } }, engine)
    const orders = [
      await buy(shop, shop.anita, lemons, { deliveryDate: FIRST }),
      await buy(shop, shop.bala, lemons, { deliveryDate: SECOND })
    ]
    const move = async (id: string, date: string): Promise<boolean> => {
      const order = await shop.database.kysely.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
      const day = { date, kitchenDay: date }
      return shop.write(async trx => order !== undefined && !!(await movePlace(trx, order, day, { isForced: false })))
    }
    const [first = '', second = ''] = orders.map(({ _id }) => _id)
    expect(await Promise.all([move(first, SECOND), move(second, FIRST)])).toEqual([true, true])
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [1, 2], [SECOND]: [1, 2] })
    expect(await myOrders(shop, shop.anita)).toMatchObject([{ deliveryDate: SECOND }])
    expect(await shop.violations()).toEqual([])
  })

  test('are restored for a late payment, or its order moves to the next open day and the mails say so', async () => {
    const shop = await openShop(ONE_PER_DAY, engine)
    const { anita, bala } = shop
    const chandra = await addShopper(shop)
    const opened = [
      await openPayment(shop, anita, { items: lemons, extra: { deliveryDate: FIRST } }),
      await openPayment(shop, bala, { items: lemons, extra: { deliveryDate: SECOND } }),
      await openPayment(shop, chandra, { items: lemons, extra: { deliveryDate: THIRD } })
    ]
    const late = await Promise.all(opened.map(({ id }) => attemptPayment(shop, id, 'failed')))
    await advanceAndReconcile(shop, 40 * MINUTE)
    await buy(shop, await addShopper(shop), lemons, { deliveryDate: SECOND })
    await buy(shop, await addShopper(shop), lemons, { deliveryDate: THIRD })
    for (const [index, id] of late.entries()) await payLate(shop, id, index === 2 ? 'authorized' : 'captured')
    await advanceAndReconcile(shop, 20 * MINUTE)
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending', deliveryDate: FIRST }])
    const [order] = await myOrders(shop, bala)
    expect(order).toMatchObject({ status: 'pending', deliveryDate: '2026-11-26' })
    const text = await mailOf(shop, new RegExp(`Your order ${order?.orderNumber}`))
    expect(text).toContain('24 November 2026 was no longer free when the payment arrived.')
    expect(text).toContain('We’ll deliver it on 26 November 2026.')
    expect(await myOrders(shop, chandra)).toMatchObject([{ status: 'pending', deliveryDate: '2026-11-27' }])
    expect(await shop.violations()).toEqual([])
  })
})

describe.each(ENGINES)('The last place on a day on %s', engine => {
  test('goes to one of two late payments that arrive together; the other order moves', async () => {
    const shop = await openShop({ calendar: { ordersPerDay: 2 } }, engine)
    const shoppers = [shop.anita, shop.bala]
    const opened = await Promise.all(
      shoppers.map(shopper => openPayment(shop, shopper, { items: lemons, extra: { deliveryDate: FIRST } }))
    )
    const payments = await Promise.all(opened.map(({ id }) => attemptPayment(shop, id, 'failed')))
    await advanceAndReconcile(shop, 40 * MINUTE)
    await buy(shop, await addShopper(shop), lemons, { deliveryDate: FIRST })
    for (const payment_id of payments) await shop.sandbox.control('POST', '/late', { payment_id, outcome: 'captured' })
    const report = (shopper: Shopper, index: number) =>
      callAs(shopper, shop, `POST /payments/${opened[index]?.orderId}/sync`)
    await Promise.all([...shoppers.map(report), ...shoppers.map(report), shop.deliverWebhooks(), shop.reconcile()])
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

  test('is free for one of many buyers as soon as the checkout that held it expires', async () => {
    const shop = await openShop(ONE_PER_DAY, engine)
    await openPayment(shop, shop.anita, { items: lemons, extra: { deliveryDate: FIRST } })
    shop.clock.advance(31 * MINUTE)
    const buyers = await Promise.all(Array.from({ length: 8 }, () => addShopper(shop)))
    const buyAll = () => Promise.all(buyers.map(shopper => request(shop, shopper, { deliveryDate: FIRST })))
    const [during] = await Promise.all([buyAll(), shop.reconcile()])
    const outcomes = [...during, ...(await buyAll())].map(statusAndCode)
    expect(outcomes).toContain('200')
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [1, 2] })
    expect(await shop.violations()).toEqual([])
  })
})

describe('A full day', () => {
  test('is refused with the next one that has a place, and nothing is reserved', async () => {
    const shop = await openShop({ calendar: { ordersPerDay: 1, closedDates: [SECOND] } })
    await buy(shop, shop.bala, lemons, { deliveryDate: FIRST })
    expect(await request(shop, shop.anita, { deliveryDate: FIRST })).toMatchObject({
      status: 409,
      body: {
        code: 'DAY_FULL',
        nextDay: THIRD,
        fields: { deliveryDate: 'This day is full. Please choose another one.' }
      }
    })
    expect(await shop.stockOf('lemon')).toBe(4998)
    expect(await shop.violations()).toEqual([])
  })

  test('is left out if no day is chosen, and so are days on which the kitchen can’t cook so much', async () => {
    const shop = await openShop({ calendar: { ordersPerDay: 1, unitsPerDay: 10 } })
    await buy(shop, shop.bala, lemons, { deliveryDate: FIRST })
    expect(await buy(shop, shop.anita, lemons)).toMatchObject({ deliveryDate: SECOND })
    expect(statusAndCode(await request(shop, shop.anita, {}, 11))).toBe('409 DAY_FULL')
    expect(await shop.violations()).toEqual([])
  })
})

describe('A day that has closed', () => {
  test('is refused after the cut-off, but a checkout that was opened before can be paid', async () => {
    const shop = await openShop({ calendar: { cutOff: '09:35' } })
    const { anita, bala } = shop
    const { id } = await openPayment(shop, anita, { items: lemons, extra: { deliveryDate: FIRST } })
    shop.clock.advance(5 * MINUTE)
    expect(await request(shop, bala, { deliveryDate: FIRST })).toMatchObject({
      status: 409,
      body: { code: 'DAY_CLOSED', nextDay: SECOND }
    })
    expect((await placeOrder(shop, anita, await shop.sandbox.pay(id))).body).toMatchObject({ deliveryDate: FIRST })
    expect(await buy(shop, bala, lemons)).toMatchObject({ deliveryDate: SECOND })
  })

  test('moves an order that is paid late', async () => {
    const shop = await openShop({ calendar: { cutOff: '09:35' } })
    const { id } = await openPayment(shop, shop.anita, { items: lemons })
    const payment = await attemptPayment(shop, id, 'failed')
    await advanceAndReconcile(shop, 40 * MINUTE)
    await payLate(shop, payment)
    expect(await myOrders(shop, shop.anita)).toMatchObject([{ status: 'pending', deliveryDate: SECOND }])
    expect(await shop.violations()).toEqual([])
  })

  test('leaves no day if the whole month is closed', async () => {
    const closedWeekdays = [0, 1, 2, 3, 4, 5, 6]
    const shop = await openShop({ calendar: { closedWeekdays } })
    const reply = await request(shop, shop.anita)
    expect(statusAndCode(reply)).toBe('409 DAY_CLOSED')
    expect(reply.body).not.toHaveProperty('nextDay')
  })
})

describe('Without delivery rules', () => {
  test('an order has no delivery date, but takes a place on the first day', async () => {
    const shop = await openShop({})
    expect(await buy(shop, shop.anita, lemons)).toMatchObject({ deliveryDate: null })
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [1, 2] })
    shop.clock.advance(15 * HOUR)
    await buy(shop, shop.bala, lemons)
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [1, 2], [SECOND]: [1, 2] })
    await setSettings(shop, ONE_PER_DAY)
    expect(await buy(shop, shop.bala, lemons)).toMatchObject({ deliveryDate: THIRD })
    expect(await shop.violations()).toEqual([])
  })
})

describe('An event', () => {
  const rules = { calendar: { ordersPerDay: 1, eventCategories: ['pickles'], orderNote: true } }

  test('is stored with the note, and both belong to the checkout key', async () => {
    const shop = await openShop(rules)
    const extra = { ...EVENT, note: '  Less chilli,\nplease. ' }
    const key = '1ee15f50-8f0a-4f5c-9d87-4e34cd7d2c2e'
    await openPayment(shop, shop.anita, { items: lemons, key, extra })
    expect(await shop.database.kysely.selectFrom('orders').selectAll().execute()).toMatchObject([
      { note: 'Less chilli,\nplease.', event_at: EVENT.eventAt, delivery_method: 'own' }
    ])
    const other = { ...extra, note: 'More chilli' }
    expect(statusAndCode(await requestPayment(shop, shop.anita, { items: lemons, key, extra: other }))).toBe(
      '409 CHECKOUT_CHANGED'
    )
  })

  test.for([
    ['before the delivery', { deliveryDate: THIRD, eventAt: '2026-11-24T18:30' }, 'eventAt'],
    ['on 30 February', { eventAt: '2027-02-30T18:30' }, 'eventAt'],
    ['that is no time', { eventAt: 'soon' }, 'eventAt']
  ] as const)('%s is refused', async ([, extra, field]) => {
    const shop = await openShop(rules)
    const reply = await request(shop, shop.anita, extra)
    expect(statusAndCode(reply)).toBe('400 INVALID_INPUT')
    expect((reply.body as { fields: object }).fields).toHaveProperty(field)
  })

  test('is refused for categories without events, and so is a note if the shop takes none', async () => {
    const shop = await openShop()
    expect((await request(shop, shop.anita, EVENT)).body).toMatchObject({ fields: { eventAt: expect.any(String) } })
    expect((await request(shop, shop.anita, { note: 'Hi' })).body).toMatchObject({
      fields: { note: expect.any(String) }
    })
  })

  test('makes the shop refund a late payment if the day is full, and take it if the place is still there', async () => {
    const shop = await openShop(rules)
    const { anita, bala } = shop
    const opened = [
      await openPayment(shop, anita, { items: lemons, extra: EVENT }),
      await openPayment(shop, bala, { items: lemons, extra: { ...EVENT, deliveryDate: SECOND } })
    ]
    const late = await Promise.all(opened.map(({ id }) => attemptPayment(shop, id, 'failed')))
    await advanceAndReconcile(shop, 40 * MINUTE)
    await buy(shop, await addShopper(shop), lemons, { deliveryDate: FIRST })
    for (const id of late) await payLate(shop, id)
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'cancelled', paymentStatus: 'refunding' }])
    expect(await myOrders(shop, bala)).toMatchObject([{ status: 'pending', deliveryDate: SECOND }])
    expect(await shop.violations()).toEqual([])
  })
})

describe('An unitemised payment', () => {
  test('moves to the next open day if its day is full, and the mail says so', async () => {
    const shop = await openShop()
    await buy(shop, shop.bala, lemons, { deliveryDate: FIRST })
    const order = orderOf(await payUnitemised(shop, shop.anita, { deliveryDate: FIRST }))
    expect(order).toMatchObject({ status: 'pending', deliveryDate: SECOND })
    expect(await mailOf(shop, new RegExp(`Your order ${order.orderNumber}`))).toContain(
      '23 November 2026 was no longer free when the payment arrived.'
    )
    expect(await shop.violations()).toEqual([])
  })

  test('is refunded if its day is full and the shopper has named an event', async () => {
    const shop = await openShop({ calendar: { ordersPerDay: 1, eventCategories: ['pickles'] } })
    await buy(shop, shop.bala, lemons, { deliveryDate: FIRST })
    expect(statusAndCode(await payUnitemised(shop, shop.anita, EVENT))).toBe('409 PAYMENT_REFUNDED')
    await advanceAndReconcile(shop, DAY / 4)
    expect(await shop.violations()).toEqual([])
  })

  test('must include the delivery fee of the address, and is refunded where the shop does not deliver', async () => {
    const shop = await openShop({ delivery: { zones: [CITY], restServed: false } })
    const { anita } = shop
    expect((await payUnitemised(shop, anita, {})).body).toMatchObject({
      code: 'PAYMENT_REFUNDED',
      quote: { deliveryFee: 40, total: 280 }
    })
    const order = orderOf(await payUnitemised(shop, anita, {}, 280))
    expect(order).toMatchObject({ totalAmount: 280, deliveryFee: 40, deliveryMethod: 'own' })
    const shippingAddress = { ...ADDRESS, city: 'Chennai', pincode: '600001' }
    expect(statusAndCode(await payUnitemised(shop, anita, { shippingAddress }, 240))).toBe('409 PAYMENT_REFUNDED')
    await shop.reconcile()
    expect(await shop.violations()).toEqual([])
  })
})
