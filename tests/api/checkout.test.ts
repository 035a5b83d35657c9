import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { expectBody, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
import {
  ADDRESS,
  attemptPayment,
  callAs,
  CUSTOMER,
  LEMONS,
  myOrders,
  openLemonShop,
  openPayment,
  orderOf,
  placeOrder,
  requestPayment
} from '../support/checkout.ts'
import { BOTH_ENGINES, ENGINES } from '../support/database.ts'

const REFUSED = { status: 400, body: { code: 'INVALID_INPUT' } }

describe.each(ENGINES)('Checkout on %s', engine => {
  test('reserves the stock for 16 minutes and opens a payment of the quoted total', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const items = [...LEMONS, { product: 'laddu', quantity: 1 }]
    const reply = await requestPayment(shop, anita, { items })
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^order_/),
      amount: 42050,
      currency: 'INR',
      key: shop.sandbox.razorpay.keyId,
      orderId: expect.any(String),
      total: 420.5,
      holdUntil: '2026-11-21T04:16:00.000Z',
      theme: { color: expect.stringMatching(/^#/) },
      sandbox: false,
      script: shop.sandbox.razorpay.checkoutUrl
    })
    expect([await shop.stockOf('lemon'), await shop.stockOf('laddu')]).toEqual([8, 19])
  })

  test('becomes a paid order with order number, invoice number and the prices of the checkout', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const { id, orderId } = await openPayment(shop, anita)
    const proof = await shop.sandbox.pay(id)
    const reply = await placeOrder(shop, anita, proof)
    const picture = { width: 1600, height: 1200, alt: 'A plate', color: '#c08a3e' }
    const item = {
      product: {
        _id: 'lemon',
        name: 'lemon',
        image: 'lemon-00000000.jpg',
        picture: { key: 'lemon-00000000', ...picture }
      },
      packSize: { value: 250, unit: 'g', type: 'weight' }
    }
    const seller: unknown = expect.objectContaining({ legalName: 'Palagaram Home Foods' })
    expect([reply.status, reply.body]).toEqual([
      201,
      {
        _id: orderId,
        language: 'en',
        orderNumber: expect.stringMatching(/^P261121-[2-9A-Z]{6}$/),
        createdAt: '2026-11-21T04:00:00.000Z',
        status: 'pending',
        items: [{ line: 1, ...item, quantity: 2, price: 120, listPrice: 120, total: 240 }],
        totalAmount: 240,
        shippingAddress: ADDRESS,
        customerDetails: CUSTOMER,
        deliveryDate: null,
        paymentMethod: 'razorpay',
        paymentStatus: 'completed',
        ...proof,
        history: [{ status: 'pending', at: '2026-11-21T04:00:00.000Z' }],
        invoiceNumber: 'PG/26-27/000001',
        invoice: { status: 'unregistered', supplyState: '33', seller },
        paidAt: '2026-11-21T04:00:00.000Z',
        canCancel: true
      }
    ])
    expect(await myOrders(shop, anita)).toEqual([reply.body])
    expect((await callAs(anita, shop, `GET /orders/${orderId}`)).body).toEqual(reply.body)
    await expectOk(placeOrder(shop, anita, proof))
  })
})

test.for(BOTH_ENGINES)(
  'A checkout is created once for many requests with the same checkoutKey on %s',
  async engine => {
    const { shop, anita } = await openLemonShop(engine)
    const key = randomUUID()
    const requests = Array.from({ length: 12 }, () =>
      requestPayment(shop, anita, { amount: 240, key })
    )
    const replies = await Promise.all(requests)
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(200)
    expect(await shop.stockOf('lemon')).toBe(8)
    expect((await shop.sandbox.call('GET', '/orders')).body['count']).toBe(1)
  }
)

describe('Checkout', () => {
  test('becomes a paid order through the webhook, with one mail to the shopper and one to the shop', async () => {
    const { shop, anita } = await openLemonShop()
    const proof = await shop.sandbox.pay((await openPayment(shop, anita)).id)
    expect(await myOrders(shop, anita)).toEqual([])
    await shop.deliverWebhooks()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending', ...proof }])
    const { orderNumber, invoiceNumber } = orderOf(await placeOrder(shop, anita, proof))
    expect(invoiceNumber).toBe('PG/26-27/000001')
    await shop.deliverMails()
    expect(shop.mails.map(({ to, subject }) => [to, subject]).toSorted()).toEqual([
      ['anita@example.com', `Your order ${orderNumber} at Palagaram`],
      ['hello@palagaram.example', `Order ${orderNumber}: ₹240.00 from Anita Kumar`]
    ])
  })

  test('with another amount than the total is refused with the current quote', async () => {
    const { shop, anita } = await openLemonShop()
    for (const amount of [239.99, 24_000])
      expect(await requestPayment(shop, anita, { amount })).toMatchObject({
        status: 409,
        body: { code: 'PRICE_CHANGED', quote: { total: 240, canOrder: true } }
      })
    expect(await shop.stockOf('lemon')).toBe(10)
  })

  test('adds up lines with the same product, and keeps its price when the catalogue changes', async () => {
    const { shop, anita } = await openLemonShop()
    const items = [...LEMONS, { product: 'lemon', quantity: 3 }]
    const key = randomUUID()
    const first = await openPayment(shop, anita, { items, key })
    expect([first.amount, await shop.stockOf('lemon')]).toEqual([60_000, 5])
    await shop.write(trx =>
      trx
        .updateTable('products')
        .set({ price: 99 as never })
        .execute()
    )
    expect(await openPayment(shop, anita, { items, amount: 600, key })).toEqual(first)
    const order = orderOf(await placeOrder(shop, anita, await shop.sandbox.pay(first.id)))
    expect([order.totalAmount, order.items[0]?.price]).toEqual([600, 120])
  })

  test('needs a session, customer details, an address, lines and a valid checkoutKey', async () => {
    const { shop, anita } = await openLemonShop()
    const stranger = { ...anita, token: 'x'.repeat(43) }
    expect((await requestPayment(shop, stranger, { amount: 240 })).status).toBe(401)
    for (const extra of [
      { customerDetails: undefined },
      { shippingAddress: undefined },
      { items: [] },
      { checkoutKey: 'mine' }
    ])
      expect(await requestPayment(shop, anita, { extra })).toMatchObject(REFUSED)
  })

  test('of less than one rupee is refused, unless it is free and needs no payment', async () => {
    const products = { podi: { price: 0.5 }, gift: { price: 0 } }
    const { shop, anita } = await openLemonShop('sqlite', { products })
    const request = (product: string) =>
      requestPayment(shop, anita, { items: [{ product, quantity: 1 }] })
    await expectOutcome(request('podi'), '400 AMOUNT_TOO_SMALL')
    await expectBody(request('gift'), {
      id: null,
      amount: 0,
      holdUntil: null,
      order: { status: 'pending', paymentStatus: 'completed' }
    })
    expect(await myOrders(shop, anita)).toMatchObject([
      { totalAmount: 0, invoiceNumber: 'PG/26-27/000001' }
    ])
  })

  test('that is repeated after it was paid returns its order', async () => {
    const { shop, anita } = await openLemonShop()
    const key = randomUUID()
    const { id, orderId } = await openPayment(shop, anita, { key })
    await placeOrder(shop, anita, await shop.sandbox.pay(id))
    const { body } = await requestPayment(shop, anita, { key })
    const order = { status: 'pending' }
    expect(body).toMatchObject({ id: null, amount: 0, total: 240, orderId, order })
  })

  test('of more packs than there are, or of an unknown product, is refused', async () => {
    const { shop, anita } = await openLemonShop()
    const request = async (product: string, quantity: number) =>
      (await requestPayment(shop, anita, { items: [...LEMONS, { product, quantity }] })).body
    expect(await request('lemon', 9)).toMatchObject({
      code: 'PRICE_CHANGED',
      quote: { canOrder: false, lines: [{ quantity: 11, problem: 'too_few', most: 10 }] }
    })
    expect(await request('dragonfruit', 1)).toMatchObject({
      code: 'PRICE_CHANGED',
      quote: { lines: [{}, { problem: 'gone', most: 0 }] }
    })
    expect(await shop.stockOf('lemon')).toBe(10)
  })

  test('with the checkoutKey of other items, another address or a cancelled checkout is refused', async () => {
    const { shop, anita } = await openLemonShop()
    const key = randomUUID()
    const { orderId } = await openPayment(shop, anita, { key })
    const items = [{ product: 'lemon', quantity: 3 }]
    const shippingAddress = { ...ADDRESS, street: '1 Main Street' }
    const replies = [
      await requestPayment(shop, anita, { items, key }),
      await requestPayment(shop, anita, { key, extra: { shippingAddress } })
    ]
    await callAs(anita, shop, `POST /orders/${orderId}/cancel`)
    replies.push(await requestPayment(shop, anita, { key }))
    expect(replies.map(statusAndCode)).toEqual(Array(3).fill('409 CHECKOUT_CHANGED'))
    expect(await shop.stockOf('lemon')).toBe(10)
  })

  test('releases what the previous checkout of the shopper has reserved', async () => {
    const { shop, anita } = await openLemonShop()
    const items = [{ product: 'lemon', quantity: 10 }]
    const first = await openPayment(shop, anita, { items })
    const second = await openPayment(shop, anita, { items })
    expect(second.orderId).not.toBe(first.orderId)
    expect(await shop.stockOf('lemon')).toBe(0)
  })

  test('is refused while three payments of the shopper are in progress', async () => {
    const { shop, anita, bala } = await openLemonShop()
    for (let n = 0; n < 3; n++)
      await attemptPayment(shop, (await openPayment(shop, anita)).id, 'pending')
    await expectOutcome(requestPayment(shop, anita), '409 TOO_MANY_RESERVATIONS')
    expect(await shop.stockOf('lemon')).toBe(4)
    const { id } = (await requestPayment(shop, bala)).body as PaymentOrder
    expect(id).toMatch(/^order_/)
  })
})
