import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  callAs,
  requestPayment,
  CUSTOMER,
  myOrders,
  addShopper,
  openPayment,
  openCheckoutShop,
  orderOf,
  placeOrder
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = {
  lemon: { category: 'pickles', price: 120, stock: 10 },
  podi: { price: 0.5 },
  gift: { price: 0 }
} as const
const lemons = [{ product: 'lemon', quantity: 2 }]

describe('POST /payments/razorpay-order', () => {
  test('requires a session', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const stranger = { id: '', name: '', token: 'x'.repeat(43) }
    expect(
      statusAndCode(await requestPayment(shop, stranger, { items: lemons, amount: 240 }))
    ).toBe('401 UNAUTHORIZED')
  })

  test.for([239.99, 0, 24_000])(
    'refuses the amount ₹%s for a total of ₹240 and returns the current quote',
    async amount => {
      const shop = await openCheckoutShop('sqlite', { products })
      const anita = await addShopper(shop)
      const reply = await requestPayment(shop, anita, { items: lemons, amount })
      expect(reply).toMatchObject({
        status: 409,
        body: {
          code: 'PRICE_CHANGED',
          quote: { total: 240, canOrder: true, lines: [{ product: 'lemon', price: 120 }] }
        }
      })
      expect(await shop.stockOf('lemon')).toBe(10)
    }
  )

  test('adds up the quantities of lines with the same product', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const items = [...lemons, { product: 'lemon', quantity: 3 }]
    expect((await openPayment(shop, anita, { items })).amount).toBe(60_000)
    expect(await shop.stockOf('lemon')).toBe(5)
    expect(await shop.violations()).toEqual([])
  })

  test('refuses missing or invalid customer details, address, lines and checkoutKey', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const requestWith = (more: object) =>
      requestPayment(shop, anita, { items: lemons, extra: more })
    expect(await requestWith({ customerDetails: undefined })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' }
    })
    expect(await requestWith({ shippingAddress: undefined })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' }
    })
    const phone = await requestWith({ customerDetails: { ...CUSTOMER, phone: '12' } })
    expect(phone.body).toMatchObject({
      fields: { 'customerDetails.phone': 'Please enter a valid 10-digit phone number' }
    })
    expect(statusAndCode(await requestPayment(shop, anita, { items: [], amount: 0 }))).toBe(
      '400 INVALID_INPUT'
    )
    expect(
      statusAndCode(
        await requestPayment(shop, anita, { items: lemons, extra: { checkoutKey: 'mine' } })
      )
    ).toBe('400 INVALID_INPUT')
  })

  test('accepts delivery dates from 2 to 30 days after the current date in India', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const requestDelivery = async (deliveryDate: string) =>
      (await requestPayment(shop, anita, { items: lemons, extra: { deliveryDate } })).body as {
        fields?: object
        id?: string
      }
    expect((await requestDelivery('2026-11-22')).fields).toEqual({
      deliveryDate: 'This date is too soon. Please choose a later one.'
    })
    expect((await requestDelivery('2026-11-23')).id).toMatch(/^order_/)
    expect((await requestDelivery('2026-12-21')).id).toMatch(/^order_/)
    expect((await requestDelivery('2026-12-22')).fields).toEqual({
      deliveryDate: 'Please choose one of the delivery dates'
    })
    expect((await requestDelivery('2026-02-30')).fields).toEqual({
      deliveryDate: 'Please choose one of the delivery dates'
    })
    // The time is now 18:45 UTC on 21 November, which is 00:15 on 22 November in India.
    shop.clock.advance(14.75 * 60 * MINUTE)
    expect((await requestDelivery('2026-11-23')).fields).toMatchObject({
      deliveryDate: expect.stringContaining('too soon')
    })
  })

  test('refuses a total below one rupee, unless the order is free and needs no payment', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const reply = await requestPayment(shop, anita, { items: [{ product: 'podi', quantity: 1 }] })
    expect(statusAndCode(reply)).toBe('400 AMOUNT_TOO_SMALL')
    const free = await requestPayment(shop, anita, { items: [{ product: 'gift', quantity: 1 }] })
    expect(free).toMatchObject({
      status: 200,
      body: {
        id: null,
        amount: 0,
        holdUntil: null,
        order: { status: 'pending', paymentStatus: 'completed' }
      }
    })
    expect(await myOrders(shop, anita)).toMatchObject([
      { totalAmount: 0, invoiceNumber: 'PG/26-27/000001' }
    ])
    expect(await shop.violations()).toEqual([])
  })

  test('returns the order if the checkout with this checkoutKey is already paid', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const key = randomUUID()
    const { id, orderId } = await openPayment(shop, anita, { items: lemons, key })
    await placeOrder(shop, anita, await shop.sandbox.pay(id))
    const again = await requestPayment(shop, anita, { items: lemons, key })
    expect(again.body).toMatchObject({
      id: null,
      amount: 0,
      total: 240,
      orderId,
      order: { status: 'pending' }
    })
  })

  test('keeps the price of an open payment when the catalogue price changes', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const key = randomUUID()
    const first = await openPayment(shop, anita, { items: lemons, key })
    await shop.write(trx =>
      trx
        .updateTable('products')
        .set({ price: 99 as never })
        .where('id', '=', 'lemon')
        .execute()
    )
    expect(await openPayment(shop, anita, { items: lemons, amount: 240, key })).toEqual(first)
    const order = orderOf(await placeOrder(shop, anita, await shop.sandbox.pay(first.id)))
    expect([order.totalAmount, order.items[0]?.price]).toEqual([240, 120])
  })
})

describe.each(ENGINES)('POST /payments/razorpay-order on %s', engine => {
  test('creates one order for fifty requests with the same checkoutKey', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const key = randomUUID()
    const requests = Array.from({ length: 50 }, () =>
      requestPayment(shop, anita, { items: lemons, amount: 240, key })
    )
    const replies = await Promise.all(requests)
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(await shop.stockOf('lemon')).toBe(8)
    expect((await shop.sandbox.call('GET', '/orders')).body['count']).toBe(1)
  })

  test("releases the stock that the shopper's previous checkout reserved", async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const allLemons = [{ product: 'lemon', quantity: 10 }]
    const first = await openPayment(shop, anita, { items: allLemons })
    expect(
      (await callAs(anita, shop, 'POST /cart/quote', { lines: allLemons })).body
    ).toMatchObject({ canOrder: true })
    const second = await openPayment(shop, anita, { items: allLemons, amount: 1200 })
    expect(second.orderId).not.toBe(first.orderId)
    expect(await shop.stockOf('lemon')).toBe(0)
    expect(await shop.violations()).toEqual([])
  })
})

describe('POST /payments/razorpay-order', () => {
  test('refuses quantities above the stock and unknown products', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const tooMany = await requestPayment(shop, anita, {
      items: [{ product: 'lemon', quantity: 11 }]
    })
    expect(tooMany.body).toMatchObject({
      code: 'PRICE_CHANGED',
      quote: { canOrder: false, lines: [{ problem: 'too_few', most: 10 }] }
    })
    const unknown = await requestPayment(shop, anita, {
      items: [...lemons, { product: 'dragonfruit', quantity: 1 }]
    })
    expect(unknown.body).toMatchObject({
      code: 'PRICE_CHANGED',
      quote: { lines: [{}, { problem: 'gone', most: 0 }] }
    })
    expect(await shop.stockOf('lemon')).toBe(10)
  })

  test('refuses a checkoutKey already used for other items, another address or a cancelled checkout', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const key = randomUUID()
    const { orderId } = await openPayment(shop, anita, { items: lemons, key })
    const other = await requestPayment(shop, anita, {
      items: [{ product: 'lemon', quantity: 3 }],
      key
    })
    expect(statusAndCode(other)).toBe('409 CHECKOUT_CHANGED')
    const otherAddress = {
      shippingAddress: {
        street: '1 Main Street',
        city: 'Madurai',
        state: 'Tamil Nadu',
        pincode: '625001'
      }
    }
    expect(
      statusAndCode(await requestPayment(shop, anita, { items: lemons, key, extra: otherAddress }))
    ).toBe('409 CHECKOUT_CHANGED')
    await callAs(anita, shop, `POST /orders/${orderId}/cancel`)
    expect(statusAndCode(await requestPayment(shop, anita, { items: lemons, key }))).toBe(
      '409 CHECKOUT_CHANGED'
    )
    expect(await shop.stockOf('lemon')).toBe(10)
  })

  test('allows three payments in progress per shopper and refuses a fourth', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    for (let n = 0; n < 3; n++) {
      const { id } = await openPayment(shop, anita, { items: [{ product: 'lemon', quantity: 1 }] })
      await shop.sandbox.control('POST', '/pay', { order_id: id, outcome: 'pending' })
    }
    expect(statusAndCode(await requestPayment(shop, anita, { items: lemons }))).toBe(
      '409 TOO_MANY_RESERVATIONS'
    )
    expect(await shop.stockOf('lemon')).toBe(7)
    const bala = await addShopper(shop)
    expect((await requestPayment(shop, bala, { items: lemons })).status).toBe(200)
  })
})
