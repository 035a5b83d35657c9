import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DAY, MINUTE } from '#lib/time.ts'
import { createRazorpay } from '#server/razorpay/client.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  callAs,
  myOrders,
  openLemonShop,
  openPayment,
  placeOrder,
  requestPayment,
  setProviderTimeout,
  subjectsOf
} from '../support/checkout.ts'

const UNAVAILABLE = '503 PAYMENTS_UNAVAILABLE'

describe('Payment provider faults', () => {
  test('opening a payment fails while the provider is unreachable, and the same checkout works later', async () => {
    const { shop, anita } = await openLemonShop()
    const key = randomUUID()
    for (const fault of ['errorBefore', 'tooMany', 'html', 'hang']) {
      await shop.sandbox.setFaults({ [fault]: 1 })
      if (fault === 'hang') setProviderTimeout(shop, 200)
      expect(statusAndCode(await requestPayment(shop, anita, { key }))).toBe(UNAVAILABLE)
      expect((await shop.get('/products')).status).toBe(200)
    }
    await shop.sandbox.setFaults({})
    setProviderTimeout(shop, 5000)
    const { id } = await openPayment(shop, anita, { key })
    await placeOrder(shop, anita, await shop.sandbox.pay(id))
    expect(await shop.stockOf('lemon')).toBe(8)
  })

  test.for(['loseAnswer', 'errorAfter'])(
    'after the fault %s, the shop finds the provider order by its receipt and does not create another',
    async fault => {
      const { shop, anita } = await openLemonShop()
      const key = randomUUID()
      await shop.sandbox.setFaults({ [fault]: 1 })
      expect(statusAndCode(await requestPayment(shop, anita, { key }))).toBe(UNAVAILABLE)
      await shop.sandbox.setFaults({})
      await openPayment(shop, anita, { key })
      expect((await shop.sandbox.call('GET', '/orders')).body['count']).toBe(1)
    }
  )

  test('a paid order has the status "checking" and keeps its stock until the provider can be reached again', async () => {
    const { shop, anita } = await openLemonShop()
    const proof = await shop.sandbox.pay((await openPayment(shop, anita)).id)
    await shop.sandbox.setFaults({ hang: 1 })
    setProviderTimeout(shop, 200)
    expect(await placeOrder(shop, anita, proof)).toMatchObject({
      status: 202,
      body: { status: 'checking', paymentStatus: 'pending' }
    })
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'checking' }])
    await shop.sandbox.setFaults({ errorBefore: 1 })
    shop.clock.advance(2 * DAY)
    await shop.reconcile()
    expect(await shop.stockOf('lemon')).toBe(8)
    await shop.sandbox.setFaults({})
    setProviderTimeout(shop, 5000)
    shop.clock.advance(10 * MINUTE)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
  })

  test.for(['itemised', 'unitemised'])(
    'the amount of an %s payment over the limit of the provider is refused with what to do',
    async kind => {
      const { shop, anita } = await openLemonShop('sqlite', {
        products: { hamper: { price: 90_000 } }
      })
      const items = [{ product: 'hamper', quantity: 6 }]
      const reply =
        kind === 'itemised'
          ? await requestPayment(shop, anita, { items })
          : await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 540_000 })
      expect(statusAndCode(reply)).toBe('422 PAYMENT_ORDER_REFUSED')
      expect(reply.text).toContain('Please order fewer packs, or call us.')
      expect(await shop.stockOf('hamper')).toBe(20)
      expect((await openPayment(shop, anita)).id).toMatch(/^order_/)
    }
  )

  test('a wrong API key refuses payments until it is corrected, and the owner gets one mail', async () => {
    const { shop, anita } = await openLemonShop()
    const { gateway, settings } = shop.app.payments
    shop.app.payments.gateway = createRazorpay({ ...settings, keySecret: 'wrong' }, { backoff: [] })
    const key = randomUUID()
    for (let n = 0; n < 2; n++)
      expect(statusAndCode(await requestPayment(shop, anita, { key }))).toBe(UNAVAILABLE)
    expect(await subjectsOf(shop)).toEqual(['Razorpay refuses the shop’s API key: nobody can pay'])
    shop.app.payments.gateway = gateway
    await openPayment(shop, anita, { key })
    expect(await shop.stockOf('lemon')).toBe(8)
  })
})
