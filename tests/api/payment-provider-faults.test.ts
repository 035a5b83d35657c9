import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { createRazorpay, type ProviderPayment } from '#server/razorpay/client.ts'
import {
  setProviderTimeout,
  callAs,
  myOrders,
  addShopper,
  openPayment,
  openCheckoutShop,
  placeOrder,
  requestPayment
} from '../support/checkout.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]

describe('Payment provider faults', () => {
  test('opening a payment fails while the provider is unreachable, and the same checkout works later', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const key = randomUUID()
    for (const fault of ['errorBefore', 'tooMany', 'html', 'hang']) {
      await shop.sandbox.control('PUT', '/faults', { [fault]: 1 })
      if (fault === 'hang') setProviderTimeout(shop, 200)
      await expect(openPayment(shop, anita, { items: lemons, key })).rejects.toThrow('503')
      expect((await shop.get('/products')).status).toBe(200)
    }
    await shop.sandbox.control('PUT', '/faults', {})
    setProviderTimeout(shop, 5000)
    const { id } = await openPayment(shop, anita, { items: lemons, key })
    await placeOrder(shop, anita, await shop.sandbox.pay(id))
    expect(await shop.stockOf('lemon')).toBe(8)
    expect(await shop.violations()).toEqual([])
  })

  test.for(['loseAnswer', 'errorAfter'])(
    'after the fault %s, the shop finds the provider order by its receipt and does not create another',
    async fault => {
      const shop = await openCheckoutShop('sqlite', { products })
      const anita = await addShopper(shop)
      const key = randomUUID()
      await shop.sandbox.control('PUT', '/faults', { [fault]: 1 })
      await expect(openPayment(shop, anita, { items: lemons, key })).rejects.toThrow('503')
      await shop.sandbox.control('PUT', '/faults', {})
      await openPayment(shop, anita, { items: lemons, key })
      expect((await shop.sandbox.call('GET', '/orders')).body['count']).toBe(1)
    }
  )

  test('a paid order has the status "checking" and keeps its stock until the provider can be reached again', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, { items: lemons })
    const proof = await shop.sandbox.pay(id)
    await shop.sandbox.control('PUT', '/faults', { hang: 1 })
    setProviderTimeout(shop, 200)
    const reply = await placeOrder(shop, anita, proof)
    expect(reply).toMatchObject({
      status: 202,
      body: { status: 'checking', paymentStatus: 'pending' }
    })
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'checking' }])
    await shop.sandbox.control('PUT', '/faults', { errorBefore: 1 })
    shop.clock.advance(2 * DAY)
    await shop.reconcile()
    expect(await shop.stockOf('lemon')).toBe(8)
    await shop.sandbox.control('PUT', '/faults', {})
    setProviderTimeout(shop, 5000)
    shop.clock.advance(10 * MINUTE)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
    expect(await shop.violations()).toEqual([])
  })

  test.for(['itemised', 'unitemised'])(
    'the amount of an %s payment over the limit of the provider is refused with what to do',
    async kind => {
      const shop = await openCheckoutShop('sqlite', {
        products: { hamper: { price: 90_000 }, ...products }
      })
      const anita = await addShopper(shop)
      const items = [{ product: 'hamper', quantity: 6 }]
      const reply =
        kind === 'itemised'
          ? await requestPayment(shop, anita, { items })
          : await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 540_000 })
      expect(reply).toMatchObject({ status: 422, body: { code: 'PAYMENT_ORDER_REFUSED' } })
      expect(reply.text).toContain('Please order fewer packs, or call us.')
      expect(await shop.stockOf('hamper')).toBe(20)
      expect((await openPayment(shop, anita, { items: lemons })).id).toMatch(/^order_/)
      expect(await shop.violations()).toEqual([])
    }
  )

  test('a wrong API key refuses payments until it is corrected, and the owner gets one mail', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { gateway, settings } = shop.app.payments
    shop.app.payments.gateway = createRazorpay({ ...settings, keySecret: 'wrong' }, { backoff: [] })
    const key = randomUUID()
    const reply = await requestPayment(shop, anita, { items: lemons, key })
    expect(reply).toMatchObject({ status: 503, body: { code: 'PAYMENTS_UNAVAILABLE' } })
    await requestPayment(shop, anita, { items: lemons, amount: 240, key })
    await shop.deliverMails()
    expect(shop.mails.map(({ subject }) => subject)).toEqual([
      'Razorpay refuses the shop’s API key: nobody can pay'
    ])
    shop.app.payments.gateway = gateway
    await openPayment(shop, anita, { items: lemons, amount: 240, key })
    expect(await shop.stockOf('lemon')).toBe(8)
  })

  test('the payment of a former provider account is no longer checked after a day of refusals', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 240 })
    await shop.write(trx =>
      trx.updateTable('unitemised_payments').set({ provider_order_id: 'order_Former' }).execute()
    )
    const { gateway } = shop.app.payments
    let checks = 0
    const listOrderPayments = (id: string): Promise<ProviderPayment[]> => {
      checks++
      return gateway.listOrderPayments(id)
    }
    shop.app.payments.gateway = { ...gateway, listOrderPayments }
    shop.clock.advance(23 * HOUR)
    for (const expected of [1, 2, 2, 2]) {
      await shop.reconcile()
      expect(checks).toBe(expected)
      shop.clock.advance(HOUR)
    }
  })

  test('no reservation is released if the provider refuses the API key', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    await openPayment(shop, anita, { items: lemons })
    const settings = { ...shop.app.payments.settings, keySecret: 'wrong' }
    shop.app.payments.gateway = createRazorpay(settings, { backoff: [] })
    shop.clock.advance(HOUR)
    await shop.reconcile()
    expect(await shop.stockOf('lemon')).toBe(8)
  })
})
