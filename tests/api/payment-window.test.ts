import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '#lib/time.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  addShopper,
  advanceAndReconcile,
  attemptPayment,
  openCheckoutShop,
  openPayment,
  placeOrder,
  requestPayment,
  stateOf,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]

interface ExtendedCheckout {
  shop: CheckoutShop
  anita: Shopper
  /** Id of the provider order. */
  id: string
  orderId: string
  firstPayment: string
}

/**
 * Opens a checkout whose reservation has lasted 40 minutes, because its first payment is still
 * pending.
 */
async function openExtendedCheckout(engine: Engine): Promise<ExtendedCheckout> {
  const shop = await openCheckoutShop(engine, { products })
  const anita = await addShopper(shop)
  const { id, orderId } = await openPayment(shop, anita, { items: lemons })
  const firstPayment = await attemptPayment(shop, id, 'pending')
  await advanceAndReconcile(shop, 40 * MINUTE)
  expect(await stateOf(shop, anita, orderId)).toBe('checking pending')
  return { shop, anita, id, orderId, firstPayment }
}

describe.each(ENGINES)(
  'Payment created after the promised end of an extended reservation on %s',
  engine => {
    test('is refunded in full, and the stock is released once', async () => {
      const { shop, anita, id, orderId, firstPayment } = await openExtendedCheckout(engine)
      expect(statusAndCode(await placeOrder(shop, anita, await shop.sandbox.pay(id)))).toBe(
        '409 PAYMENT_REFUNDED'
      )
      expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunding')
      expect(await shop.stockOf('lemon')).toBe(10)
      await shop.sandbox.control('POST', '/late', { payment_id: firstPayment, outcome: 'failed' })
      await shop.deliverWebhooks()
      await advanceAndReconcile(shop, HOUR)
      expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunded')
      const refunds = await shop.database.kysely
        .selectFrom('refunds')
        .select(['reason', 'amount'])
        .execute()
      expect(refunds).toEqual([{ reason: 'too_late', amount: 24_000 }])
      expect(await shop.stockOf('lemon')).toBe(10)
      expect(await shop.violations()).toEqual([])
    })
  }
)

describe('Payment created after the promised end of an extended reservation', () => {
  test('is left alone if it is only authorised, and the reservation expires', async () => {
    const { shop, anita, id, orderId, firstPayment } = await openExtendedCheckout('sqlite')
    await shop.sandbox.control('POST', '/late', { payment_id: firstPayment, outcome: 'failed' })
    const { body } = await shop.sandbox.control('POST', '/pay', {
      order_id: id,
      outcome: 'authorized'
    })
    await shop.deliverWebhooks()
    expect((await placeOrder(shop, anita, body as never)).status).toBe(202)
    await advanceAndReconcile(shop, 20 * MINUTE)
    expect(await shop.sandbox.fetchPayment(String(body['razorpay_payment_id']))).toMatchObject({
      status: 'authorized'
    })
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    expect(await shop.stockOf('lemon')).toBe(10)
    expect(await shop.violations()).toEqual([])
  })

  test('does not end an order that an earlier payment has paid', async () => {
    const { shop, anita, id, orderId, firstPayment } = await openExtendedCheckout('sqlite')
    await shop.sandbox.control('POST', '/late', { payment_id: firstPayment, outcome: 'captured' })
    await shop.deliverWebhooks()
    await shop.sandbox.control('POST', '/pay2', { order_id: id })
    await shop.deliverWebhooks()
    expect(await stateOf(shop, anita, orderId)).toBe('pending completed')
    expect(await shop.stockOf('lemon')).toBe(8)
    expect(await shop.violations()).toEqual([])
  })
})

describe('POST /payments/razorpay-order with a known checkoutKey', () => {
  test('opens no payment that could be created after the promised end', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const key = randomUUID()
    await openPayment(shop, anita, { items: lemons, key })
    shop.clock.advance(15 * MINUTE)
    expect((await requestPayment(shop, anita, { items: lemons, key })).status).toBe(200)
    shop.clock.advance(1)
    expect(statusAndCode(await requestPayment(shop, anita, { items: lemons, key }))).toBe(
      '409 CHECKOUT_CHANGED'
    )
    expect((await requestPayment(shop, anita, { items: lemons })).status).toBe(200)
    expect(await shop.stockOf('lemon')).toBe(8)
  })
})

describe('Failed payment that the browser reports', () => {
  test('does not keep the stock reserved', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    const { body } = await shop.sandbox.control('POST', '/pay', {
      order_id: id,
      outcome: 'authorized'
    })
    await shop.sandbox.control('POST', '/late', {
      payment_id: body['razorpay_payment_id'],
      outcome: 'failed'
    })
    expect((await placeOrder(shop, anita, body as never)).status).toBe(202)
    await advanceAndReconcile(shop, 40 * MINUTE)
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    expect(await shop.stockOf('lemon')).toBe(10)
  })
})
