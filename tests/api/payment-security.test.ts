import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  callAs,
  buy,
  requestPayment,
  myOrders,
  addShopper,
  attemptPayment,
  openPayment,
  openCheckoutShop,
  orderOf,
  placeOrder,
  type CheckoutShop
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { SANDBOX_KEYS } from '../support/sandbox.ts'
import type { Reply } from '../support/shop.ts'

const products = {
  lemon: { category: 'pickles', price: 120, stock: 50 },
  hamper: { price: 2400, stock: 50 }
} as const
const lemons = [{ product: 'lemon', quantity: 2 }]
const hampers = [{ product: 'hamper', quantity: 1 }]

describe('Manipulated payment requests', () => {
  test('cannot change the price that is charged', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const randomFields = fc.record({
      price: fc.oneof(fc.integer(), fc.string()),
      totalAmount: fc.oneof(fc.integer(), fc.constant(null), fc.string()),
      paymentStatus: fc.constantFrom('completed', 'pending', 'free'),
      discount: fc.integer({ min: 0, max: 100 }),
      currency: fc.constantFrom('USD', 'INR')
    })
    await fc.assert(
      fc.asyncProperty(randomFields, async fakeFields => {
        const items = lemons.map(line => ({ ...line, ...fakeFields }))
        const { id, amount, orderId } = await openPayment(shop, anita, {
          items,
          amount: 240,
          extra: fakeFields
        })
        expect(amount).toBe(24_000)
        const proof = await shop.sandbox.pay(id)
        const reply = await callAs(anita, shop, 'POST /orders', { ...fakeFields, items, ...proof })
        expect(orderOf(reply)).toMatchObject({
          _id: orderId,
          totalAmount: 240,
          items: [{ price: 120, total: 240 }]
        })
      }),
      { numRuns: 5 }
    )
    expect(await shop.violations()).toEqual([])
  })

  test("are refused without the provider's signature", async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    const proof = await shop.sandbox.pay(id)
    const forged = {
      ...proof,
      razorpay_signature: proof.razorpay_signature.replace(/^./, c => (c === '0' ? '1' : '0'))
    }
    expect(statusAndCode(await placeOrder(shop, anita, forged))).toBe('400 INVALID_PAYMENT')
    const selfSigned = {
      ...proof,
      razorpay_signature: createHmac('sha256', 'guess').update(`${id}|x`).digest('hex')
    }
    expect(statusAndCode(await placeOrder(shop, anita, selfSigned))).toBe('400 INVALID_PAYMENT')
    expect(
      statusAndCode(await callAs(anita, shop, 'POST /orders', { paymentStatus: 'completed' }))
    ).toBe('400 INVALID_INPUT')
    expect((await callAs(anita, shop, `GET /orders/${orderId}`)).body).toMatchObject({
      paymentStatus: 'pending'
    })
  })

  test('cannot pay an expensive order with the payment of a cheap one', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const cheap = await openPayment(shop, anita, { items: lemons })
    const proof = await shop.sandbox.pay(cheap.id)
    await placeOrder(shop, anita, proof)
    const expensive = await openPayment(shop, anita, { items: hampers })
    const replay = await placeOrder(shop, anita, { ...proof, razorpay_order_id: expensive.id })
    expect(statusAndCode(replay)).toBe('400 INVALID_PAYMENT')
    await shop.deliverWebhooks()
    expect((await myOrders(shop, anita)).map(({ totalAmount }) => totalAmount)).toEqual([240])
    expect(await shop.violations()).toEqual([])
  })

  test('cannot read, cancel, sync or pay an order of another shopper', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    const { _id } = await buy(shop, anita, lemons)
    const unpaid = await openPayment(shop, anita, { items: lemons })
    for (const line of [
      `GET /orders/${_id}`,
      `POST /orders/${_id}/cancel`,
      `POST /payments/${_id}/sync`
    ]) {
      expect(statusAndCode(await callAs(bala, shop, line))).toBe('404 ORDER_NOT_FOUND')
    }
    const proof = await shop.sandbox.pay(unpaid.id)
    expect(statusAndCode(await placeOrder(shop, bala, proof))).toBe('404 ORDER_NOT_FOUND')
    expect(await myOrders(shop, bala)).toEqual([])
    expect(orderOf(await placeOrder(shop, anita, proof)).status).toBe('pending')
  })
})

const send = (
  shop: CheckoutShop,
  body: string,
  signature: string,
  id: string = randomUUID()
): Promise<Reply> =>
  shop.request({
    method: 'POST',
    url: '/api/payments/razorpay-webhook',
    payload: body,
    headers: {
      'content-type': 'application/json',
      'x-razorpay-signature': signature,
      'x-razorpay-event-id': id
    }
  })

const listEvents = (shop: CheckoutShop) =>
  shop.database.kysely.selectFrom('webhook_events').select('id').execute()

describe('Webhook', () => {
  const eventBody = (id: string, event = 'payment.captured'): string =>
    JSON.stringify({
      entity: 'event',
      event,
      payload: { payment: { entity: { id, status: 'captured' } } }
    })

  const sign = (body: string, secret = SANDBOX_KEYS.webhookSecret): string =>
    createHmac('sha256', secret).update(body).digest('hex')

  test('is refused if its body differs in any byte from the signed body', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const body = eventBody('pay_00000000000001')
    expect((await send(shop, body, '')).status).toBe(401)
    expect((await send(shop, body, sign(body, 'wrong'))).status).toBe(401)
    expect((await send(shop, body, sign(body, SANDBOX_KEYS.keySecret))).status).toBe(401)
    expect((await send(shop, body.replace('01', '02'), sign(body))).status).toBe(401)
    expect((await send(shop, JSON.stringify(JSON.parse(body), null, 1), sign(body))).status).toBe(
      401
    )
    expect((await shop.post('/payments/razorpay-webhook', undefined)).status).toBe(401)
    expect(await listEvents(shop)).toEqual([])
  })

  test('is accepted with the signature of either secret while two secrets are set', async () => {
    const shop = await openCheckoutShop('sqlite', { products, config: {} })
    shop.app.payments.settings.webhookSecrets = ['the new secret', SANDBOX_KEYS.webhookSecret]
    const body = eventBody('pay_00000000000001')
    expect((await send(shop, body, sign(body))).status).toBe(200)
    expect((await send(shop, body, sign(body, 'the new secret'))).status).toBe(200)
    expect((await send(shop, body, sign(body, 'a third'))).status).toBe(401)
  })

  test('is not trusted: the shop fetches the payment from the provider instead', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, { items: lemons })
    const { body } = await shop.sandbox.control('POST', '/pay', {
      order_id: id,
      outcome: 'pending'
    })
    const claim = eventBody(String(body['razorpay_payment_id']))
    expect((await send(shop, claim, sign(claim))).status).toBe(200)
    await shop.app.whenIdle()
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'checking', paymentStatus: 'pending' }
    ])
    const unknown = eventBody('pay_00000000000009')
    expect((await send(shop, unknown, sign(unknown))).status).toBe(200)
    await shop.app.whenIdle()
    const pendingEvents = await shop.database.kysely
      .selectFrom('webhook_events')
      .select('id')
      .where('next_at', 'is not', null)
      .execute()
    expect(pendingEvents).toEqual([])
  })

  test('is refused before its body is read if its signature is missing or malformed', async () => {
    const { app } = await openCheckoutShop('sqlite', { products })
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    for (const signature of ['', 'x'.repeat(64), 'ab'.repeat(31)]) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      // The body never follows.
      socket.write(
        'POST /api/payments/razorpay-webhook HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n' +
          `X-Razorpay-Signature: ${signature}\r\nContent-Length: 1000\r\n\r\n`
      )
      const [reply] = (await once(socket, 'data')) as [Buffer]
      expect(reply.toString()).toMatch(/^HTTP\/1\.1 401 /)
      socket.destroy()
    }
  })

  test('is refused if it is larger than 128 kB or malformed', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const large = eventBody('x'.repeat(128 * 1024))
    expect((await send(shop, large, sign(large))).status).toBe(413)
    expect(statusAndCode(await send(shop, 'nonsense', sign('nonsense')))).toBe(
      '400 MALFORMED_REQUEST'
    )
    const other = JSON.stringify({ event: 'settlement.processed', payload: {} })
    expect((await send(shop, other, sign(other))).status).toBe(200)
  })
})

describe.each(ENGINES)('Webhook on %s', engine => {
  test('does not change a paid order if it arrives repeatedly, late or out of order', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    await shop.sandbox.control('PUT', '/faults', { duplicateWebhook: 1, seed: 7 })
    const { id } = await openPayment(shop, anita, { items: lemons })
    await shop.sandbox.control('POST', '/pay', { order_id: id, outcome: 'failed' })
    const proof = await shop.sandbox.pay(id)
    await shop.deliverWebhooks()
    await placeOrder(shop, anita, proof)
    shop.clock.advance(2000)
    await shop.deliverWebhooks()
    for (const { body, signature, id: event } of shop.sandbox.webhooks.toReversed()) {
      expect((await send(shop, body, signature, event)).status).toBe(200)
    }
    await shop.app.whenIdle()
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'pending', razorpay_payment_id: proof.razorpay_payment_id }
    ])
    expect(await shop.violations()).toEqual([])
  })
})

describe('Webhook', () => {
  test('is not stored if its payment is already recorded', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    await buy(shop, anita, lemons)
    await shop.deliverWebhooks()
    expect(shop.sandbox.webhooks.length).toBeGreaterThan(1)
    expect(await listEvents(shop)).toEqual([])
  })
})

describe.each(ENGINES)('Concurrent payment requests on %s', engine => {
  test(
    'of 200 shoppers for the last five packs succeed for exactly five shoppers',
    { timeout: 60_000 },
    async () => {
      const shop = await openCheckoutShop(engine, {
        products: { lemon: { ...products.lemon, stock: 5 } }
      })
      const shoppers = await Promise.all(Array.from({ length: 200 }, () => addShopper(shop)))
      const items = [{ product: 'lemon', quantity: 1 }]
      const replies = await Promise.all(
        shoppers.map(shopper => requestPayment(shop, shopper, { items, amount: 120 }))
      )
      const outcomes = replies.map(statusAndCode)
      expect(outcomes.filter(outcome => outcome === '200')).toHaveLength(5)
      expect(outcomes.filter(outcome => outcome === '409 PRICE_CHANGED')).toHaveLength(195)
      expect(await shop.stockOf('lemon')).toBe(0)
      expect(await shop.violations()).toEqual([])
    }
  )

  test('from browser, webhook and reconciliation create one order and one mail per payment', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    for (let round = 0; round < 5; round++) {
      const { id, orderId } = await openPayment(shop, anita, { items: lemons })
      const proof = await shop.sandbox.pay(id)
      const replies = await Promise.all([
        placeOrder(shop, anita, proof),
        placeOrder(shop, anita, proof),
        callAs(anita, shop, `POST /payments/${orderId}/sync`),
        shop.deliverWebhooks(),
        shop.reconcile()
      ])
      const statuses = replies.slice(0, 3).map(reply => (reply as Reply).status)
      expect(statuses.filter(status => status === 201).length).toBeLessThanOrEqual(1)
      expect(statuses.every(status => status === 200 || status === 201)).toBe(true)
    }
    expect(await myOrders(shop, anita)).toHaveLength(5)
    expect(await shop.violations()).toEqual([])
  })
})

describe('Requests that ask the provider', () => {
  test.for(['POST /payments/{id}/sync', 'POST /orders/{id}/cancel'])(
    'are limited to 30 a minute per account: %s',
    async line => {
      const shop = await openCheckoutShop('sqlite', { products })
      const anita = await addShopper(shop)
      const { id, orderId } = await openPayment(shop, anita, { items: lemons })
      await attemptPayment(shop, id, 'pending')
      const send = () => callAs(anita, shop, line.replace('{id}', orderId))
      for (let n = 0; n < 30; n++) expect((await send()).status).not.toBe(429)
      expect(statusAndCode(await send())).toBe('429 TOO_MANY_REQUESTS')
      shop.clock.advance(MINUTE)
      expect((await send()).status).not.toBe(429)
    }
  )
})
