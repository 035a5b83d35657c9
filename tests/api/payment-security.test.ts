import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { hmac } from '#server/razorpay/config.ts'
import { addAttempts, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
import {
  addShopper,
  attemptPayment,
  buy,
  callAs,
  LEMONS,
  myOrders,
  openLemonShop,
  openPayment,
  orderOf,
  placeOrder,
  requestPayment,
  sendWebhook
} from '../support/checkout.ts'
import { BOTH_ENGINES, ENGINES } from '../support/database.ts'
import { SANDBOX_KEYS } from '../support/sandbox.ts'
import type { Reply } from '../support/shop.ts'

describe('Manipulated payment requests', () => {
  test('cannot change the price that is charged', async () => {
    const { shop, anita } = await openLemonShop()
    const fake = { price: 1, totalAmount: 1, paymentStatus: 'free', discount: 99, currency: 'USD' }
    const items = LEMONS.map(line => ({ ...line, ...fake }))
    const request = { items, amount: 240, extra: fake }
    const { id, amount, orderId } = await openPayment(shop, anita, request)
    expect(amount).toBe(24_000)
    const proof = await shop.sandbox.pay(id)
    const reply = await callAs(anita, shop, 'POST /orders', { ...fake, items, ...proof })
    expect(orderOf(reply)).toMatchObject({
      _id: orderId,
      totalAmount: 240,
      items: [{ price: 120, total: 240 }]
    })
  })

  test("are refused without the provider's signature", async () => {
    const { shop, anita } = await openLemonShop()
    const { id, orderId } = await openPayment(shop, anita)
    const proof = await shop.sandbox.pay(id)
    const { razorpay_signature: signature } = proof
    for (const forged of [
      signature.replace(/^./, c => (c === '0' ? '1' : '0')),
      signature.slice(1),
      hmac('guess', `${id}|x`)
    ]) {
      const reply = await placeOrder(shop, anita, { ...proof, razorpay_signature: forged })
      await expectOutcome(reply, '400 INVALID_PAYMENT')
    }
    const unsigned = await callAs(anita, shop, 'POST /orders', { paymentStatus: 'completed' })
    await expectOutcome(unsigned, '400 INVALID_INPUT')
    const { body } = await callAs(anita, shop, `GET /orders/${orderId}`)
    expect(body).toMatchObject({ paymentStatus: 'pending' })
    await shop.deliverWebhooks()
  })

  test('cannot pay an expensive order with the payment of a cheap one', async () => {
    const { shop, anita } = await openLemonShop()
    const proof = await shop.sandbox.pay((await openPayment(shop, anita)).id)
    await placeOrder(shop, anita, proof)
    const items = [{ product: 'laddu', quantity: 9 }]
    const expensive = await openPayment(shop, anita, { items })
    const replay = await placeOrder(shop, anita, { ...proof, razorpay_order_id: expensive.id })
    await expectOutcome(replay, '400 INVALID_PAYMENT')
    expect(await myOrders(shop, anita)).toHaveLength(1)
  })

  test('cannot read, cancel, sync or pay an order of another shopper', async () => {
    const { shop, anita, bala } = await openLemonShop()
    const { _id } = await buy(shop, anita)
    const unpaid = await openPayment(shop, anita)
    for (const line of [
      `GET /orders/${_id}`,
      `POST /orders/${_id}/cancel`,
      `POST /payments/${_id}/sync`
    ])
      await expectOutcome(callAs(bala, shop, line), '404 ORDER_NOT_FOUND')
    const proof = await shop.sandbox.pay(unpaid.id)
    await expectOutcome(placeOrder(shop, bala, proof), '404 ORDER_NOT_FOUND')
    expect(await myOrders(shop, bala)).toEqual([])
    expect(orderOf(await placeOrder(shop, anita, proof)).status).toBe('pending')
  })
})

const makeEvent = (id: string) => {
  const payload = { payment: { entity: { id, status: 'captured' } } }
  return JSON.stringify({ entity: 'event', event: 'payment.captured', payload })
}

describe('Webhook', () => {
  test('is not trusted: the shop fetches the payment from the provider instead', async () => {
    const { shop, anita } = await openLemonShop()
    const { id } = await openPayment(shop, anita)
    const payment = await attemptPayment(shop, id, 'pending')
    await expectOk(sendWebhook(shop, makeEvent(payment)))
    await shop.app.whenIdle()
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'checking', paymentStatus: 'pending' }
    ])
  })

  test('is refused with the signature of another secret or of other bytes', async () => {
    const { shop } = await openLemonShop()
    const body = makeEvent('pay_00000000000001')
    const { keySecret, webhookSecret } = SANDBOX_KEYS
    for (const [secret, signed] of [
      [keySecret, body],
      [webhookSecret, JSON.stringify(JSON.parse(body), null, 1)]
    ] as const)
      expect((await sendWebhook(shop, body, hmac(secret, signed))).status).toBe(401)
    expect(await shop.database.kysely.selectFrom('webhook_events').selectAll().execute()).toEqual(
      []
    )
  })

  test('is refused if it is larger than 128 kB or malformed, and accepted if it is of no interest', async () => {
    const { shop } = await openLemonShop()
    expect((await sendWebhook(shop, makeEvent('x'.repeat(128 * 1024)))).status).toBe(413)
    await expectOutcome(sendWebhook(shop, 'nonsense'), '400 MALFORMED_REQUEST')
    const other = JSON.stringify({ event: 'settlement.processed', payload: {} })
    await expectOk(sendWebhook(shop, other))
  })
})

test.for(ENGINES)(
  'A webhook does not change a paid order if it arrives repeatedly, late or out of order, on %s',
  async engine => {
    const { shop, anita } = await openLemonShop(engine)
    await shop.sandbox.setFaults({ duplicateWebhook: 1, seed: 7 })
    const { id } = await openPayment(shop, anita)
    await attemptPayment(shop, id, 'failed')
    const proof = await shop.sandbox.pay(id)
    await shop.deliverWebhooks()
    await placeOrder(shop, anita, proof)
    shop.clock.advance(2000)
    await shop.deliverWebhooks()
    for (const { body, signature, id: event } of shop.sandbox.webhooks.toReversed())
      await expectOk(sendWebhook(shop, body, signature, event))
    await shop.app.whenIdle()
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'pending', razorpay_payment_id: proof.razorpay_payment_id }
    ])
  }
)

describe.each(BOTH_ENGINES)('Concurrent payment requests on %s', engine => {
  test('of 20 shoppers for the last five packs succeed for exactly five shoppers', async () => {
    const { shop } = await openLemonShop(engine, { products: { lemon: { price: 120, stock: 5 } } })
    const shoppers = await Promise.all(Array.from({ length: 20 }, () => addShopper(shop)))
    const items = [{ product: 'lemon', quantity: 1 }]
    const replies = await Promise.all(
      shoppers.map(shopper => requestPayment(shop, shopper, { items, amount: 120 }))
    )
    expect(replies.map(statusAndCode).toSorted()).toEqual([
      ...Array<string>(5).fill('200'),
      ...Array<string>(15).fill('409 PRICE_CHANGED')
    ])
    expect(await shop.stockOf('lemon')).toBe(0)
  })

  test('from browser, webhook and reconciliation create one order and one mail per payment', async () => {
    const { shop, anita } = await openLemonShop(engine)
    for (let round = 0; round < 3; round++) {
      const { id, orderId } = await openPayment(shop, anita)
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
    expect(await myOrders(shop, anita)).toHaveLength(3)
  })
})

describe('Requests that ask the provider', () => {
  test.for(['POST /payments/{id}/sync', 'POST /orders/{id}/cancel'])(
    'are limited to 30 a minute per account: %s',
    async line => {
      const { shop, anita } = await openLemonShop()
      const { id, orderId } = await openPayment(shop, anita)
      await attemptPayment(shop, id, 'pending')
      const request = () => callAs(anita, shop, line.replace('{id}', orderId))
      await request()
      await addAttempts(shop, 28)
      expect((await request()).status).not.toBe(429)
      await expectOutcome(request(), '429 TOO_MANY_REQUESTS')
      shop.clock.advance(MINUTE)
      expect((await request()).status).not.toBe(429)
    }
  )
})
