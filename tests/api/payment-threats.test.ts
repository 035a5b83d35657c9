import { createHmac, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outcome } from '../support/accounts.ts'
import {
  as,
  buy,
  checkOut,
  myOrders,
  newShopper,
  opened,
  openMarket,
  orderOf,
  place,
  type Market
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

describe.each(ENGINES)('what the browser sends about money on %s', engine => {
  test('changes nothing: whatever it is, the shop’s price is charged', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const anything = fc.record({
      price: fc.oneof(fc.integer(), fc.string()),
      totalAmount: fc.oneof(fc.integer(), fc.constant(null), fc.string()),
      paymentStatus: fc.constantFrom('completed', 'pending', 'free'),
      discount: fc.integer({ min: 0, max: 100 }),
      currency: fc.constantFrom('USD', 'INR')
    })
    await fc.assert(
      fc.asyncProperty(anything, async lies => {
        const items = lemons.map(line => ({ ...line, ...lies }))
        const { id, amount, orderId } = await opened(shop, anita, { items, amount: 240, more: lies })
        expect(amount).toBe(24_000)
        const proof = await shop.sandbox.pay(id)
        const reply = await as(anita, shop, 'POST /orders', { ...lies, items, ...proof })
        expect(orderOf(reply)).toMatchObject({ _id: orderId, totalAmount: 240, items: [{ price: 120, total: 240 }] })
      }),
      { numRuns: 5 }
    )
    expect(await shop.violations()).toEqual([])
  })

  test('is no payment without the provider’s signature', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const { id, orderId } = await opened(shop, anita, { items: lemons })
    const real = await shop.sandbox.pay(id)
    const forged = { ...real, razorpay_signature: real.razorpay_signature.replace(/^./, c => (c === '0' ? '1' : '0')) }
    expect(outcome(await place(shop, anita, forged))).toBe('400 INVALID_PAYMENT')
    const mine = { ...real, razorpay_signature: createHmac('sha256', 'guess').update(`${id}|x`).digest('hex') }
    expect(outcome(await place(shop, anita, mine))).toBe('400 INVALID_PAYMENT')
    expect(outcome(await as(anita, shop, 'POST /orders', { paymentStatus: 'completed' }))).toBe('400 INVALID_INPUT')
    expect((await as(anita, shop, `GET /orders/${orderId}`)).body).toMatchObject({ paymentStatus: 'pending' })
  })

  test('can’t pay a dear order with a cheap one’s payment', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const cheap = await opened(shop, anita, { items: lemons })
    const proof = await shop.sandbox.pay(cheap.id)
    await place(shop, anita, proof)
    const dear = await opened(shop, anita, { items: hampers })
    const replay = await place(shop, anita, { ...proof, razorpay_order_id: dear.id })
    expect(outcome(replay)).toBe('400 INVALID_PAYMENT')
    await shop.hear()
    expect((await myOrders(shop, anita)).map(({ totalAmount }) => totalAmount)).toEqual([240])
    expect(await shop.violations()).toEqual([])
  })

  test('reads, cancels, checks and pays nobody else’s order', async () => {
    const shop = await openMarket(engine, { products })
    const [anita, bala] = [await newShopper(shop), await newShopper(shop)]
    const { _id } = await buy(shop, anita, lemons)
    const open = await opened(shop, anita, { items: lemons })
    for (const line of [`GET /orders/${_id}`, `POST /orders/${_id}/cancel`, `POST /payments/${_id}/sync`]) {
      expect(outcome(await as(bala, shop, line))).toBe('404 ORDER_NOT_FOUND')
    }
    const proof = await shop.sandbox.pay(open.id)
    expect(outcome(await place(shop, bala, proof))).toBe('404 ORDER_NOT_FOUND')
    expect(await myOrders(shop, bala)).toEqual([])
    expect(orderOf(await place(shop, anita, proof)).status).toBe('pending')
  })
})

describe.each(ENGINES)('a webhook on %s', engine => {
  const paid = (id: string, event = 'payment.captured'): string =>
    JSON.stringify({ entity: 'event', event, payload: { payment: { entity: { id, status: 'captured' } } } })
  const signed = (body: string, secret = SANDBOX_KEYS.webhookSecret): string =>
    createHmac('sha256', secret).update(body).digest('hex')
  const send = (shop: Market, body: string, signature: string, id: string = randomUUID()): Promise<Reply> =>
    shop.request({
      method: 'POST',
      url: '/api/payments/razorpay-webhook',
      payload: body,
      headers: { 'content-type': 'application/json', 'x-razorpay-signature': signature, 'x-razorpay-event-id': id }
    })
  const events = (shop: Market) => shop.database.kysely.selectFrom('webhook_events').select('id').execute()

  test('that the provider has not signed is refused, to the byte', async () => {
    const shop = await openMarket(engine, { products })
    const body = paid('pay_00000000000001')
    expect((await send(shop, body, '')).status).toBe(401)
    expect((await send(shop, body, signed(body, 'wrong'))).status).toBe(401)
    expect((await send(shop, body, signed(body, SANDBOX_KEYS.keySecret))).status).toBe(401)
    expect((await send(shop, body.replace('01', '02'), signed(body))).status).toBe(401)
    expect((await send(shop, JSON.stringify(JSON.parse(body), null, 1), signed(body))).status).toBe(401)
    expect((await shop.post('/payments/razorpay-webhook', undefined)).status).toBe(401)
    expect(await events(shop)).toEqual([])
  })

  test('signed with the old secret is taken while there are two', async () => {
    const shop = await openMarket(engine, { products, config: {} })
    shop.app.payments.settings.webhookSecrets = ['the new secret', SANDBOX_KEYS.webhookSecret]
    const body = paid('pay_00000000000001')
    expect((await send(shop, body, signed(body))).status).toBe(200)
    expect((await send(shop, body, signed(body, 'the new secret'))).status).toBe(200)
    expect((await send(shop, body, signed(body, 'a third'))).status).toBe(401)
  })

  test('is believed in nothing: the provider itself is asked', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const { id } = await opened(shop, anita, { items: lemons })
    const { body } = await shop.sandbox.control('POST', '/pay', { order_id: id, outcome: 'pending' })
    const claim = paid(String(body['razorpay_payment_id']))
    expect((await send(shop, claim, signed(claim))).status).toBe(200)
    await shop.app.rested()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'checking', paymentStatus: 'pending' }])
    const unknown = paid('pay_00000000000009')
    expect((await send(shop, unknown, signed(unknown))).status).toBe(200)
    await shop.app.rested()
    const open = await shop.database.kysely
      .selectFrom('webhook_events')
      .select('id')
      .where('next_at', 'is not', null)
      .execute()
    expect(open).toEqual([])
  })

  test('that comes again, late or before others is harmless', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    await shop.sandbox.control('PUT', '/faults', { duplicateWebhook: 1, seed: 7 })
    const { id } = await opened(shop, anita, { items: lemons })
    await shop.sandbox.control('POST', '/pay', { order_id: id, outcome: 'failed' })
    const proof = await shop.sandbox.pay(id)
    await shop.hear()
    await place(shop, anita, proof)
    shop.clock.advance(2000)
    await shop.hear()
    for (const { body, signature, id: event } of shop.sandbox.webhooks.toReversed()) {
      expect((await send(shop, body, signature, event)).status).toBe(200)
    }
    await shop.app.rested()
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'pending', razorpay_payment_id: proof.razorpay_payment_id }
    ])
    expect(await shop.violations()).toEqual([])
  })

  test('of what is known already is not even written down', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    await buy(shop, anita, lemons)
    await shop.hear()
    expect(shop.sandbox.webhooks.length).toBeGreaterThan(1)
    expect(await events(shop)).toEqual([])
  })

  test('of more than a megabyte, or without sense, is refused', async () => {
    const shop = await openMarket(engine, { products })
    const large = paid('x'.repeat(1024 * 1024))
    expect((await send(shop, large, signed(large))).status).toBe(413)
    expect(outcome(await send(shop, 'nonsense', signed('nonsense')))).toBe('400 MALFORMED_REQUEST')
    const other = JSON.stringify({ event: 'settlement.processed', payload: {} })
    expect((await send(shop, other, signed(other))).status).toBe(200)
  })
})

describe.each(ENGINES)('many at once on %s', engine => {
  test(
    'two hundred who want one of five packs: five may pay, and no stock is sold twice',
    { timeout: 60_000 },
    async () => {
      const shop = await openMarket(engine, { products: { lemon: { ...products.lemon, stock: 5 } } })
      const shoppers = await Promise.all(Array.from({ length: 200 }, () => newShopper(shop)))
      const items = [{ product: 'lemon', quantity: 1 }]
      const replies = await Promise.all(shoppers.map(shopper => checkOut(shop, shopper, { items, amount: 120 })))
      const outcomes = replies.map(outcome)
      expect(outcomes.filter(each => each === '200')).toHaveLength(5)
      expect(outcomes.filter(each => each === '409 PRICE_CHANGED')).toHaveLength(195)
      expect(await shop.stockOf('lemon')).toBe(0)
      expect(await shop.violations()).toEqual([])
    }
  )

  test('the browser, the webhook and the look at the provider: one order, one mail', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    for (let round = 0; round < 5; round++) {
      const { id, orderId } = await opened(shop, anita, { items: lemons })
      const proof = await shop.sandbox.pay(id)
      const replies = await Promise.all([
        place(shop, anita, proof),
        place(shop, anita, proof),
        as(anita, shop, `POST /payments/${orderId}/sync`),
        shop.hear(),
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
