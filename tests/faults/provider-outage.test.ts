import { describe, expect, test } from 'vitest'
import { SECOND } from '#lib/time.ts'
import { createRazorpay } from '#server/razorpay/client.ts'
import {
  requestPayment,
  setProviderTimeout,
  addShopper,
  openPayment,
  openCheckoutShop,
  placeOrder
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { freePort } from '../support/server.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 100 } } as const
const items = [{ product: 'lemon', quantity: 1 }]
const amount = 120

describe.each(ENGINES)('Payment provider outage on %s', engine => {
  test('calls that do not need the provider are not delayed while the provider hangs', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const shoppers = await Promise.all(Array.from({ length: 20 }, () => addShopper(shop)))
    await shop.sandbox.control('PUT', '/faults', { hang: 1 })
    setProviderTimeout(shop, 2 * SECOND)
    let replyCount = 0
    const pendingCalls = shoppers.map(async shopper => {
      const { status } = await requestPayment(shop, shopper, { items, amount })
      replyCount++
      return status
    })
    for (let read = 0; read < 50; read++) expect((await shop.get('/products')).status).toBe(200)
    expect(await addShopper(shop)).toBeDefined()
    expect(replyCount).toBe(0)
    expect(new Set(await Promise.all(pendingCalls))).toEqual(new Set([503]))
    await shop.sandbox.control('PUT', '/faults', {})
    expect(await shop.violations()).toEqual([])
  })

  test('checkouts fail while the provider is unreachable and succeed afterwards', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, velu] = [await addShopper(shop), await addShopper(shop)]
    const { id } = await openPayment(shop, anita, { items })
    const proof = await shop.sandbox.pay(id)
    const { gateway, settings } = shop.app.payments
    const unreachable = { ...settings, apiBase: `http://127.0.0.1:${await freePort()}/v1` }
    shop.app.payments.gateway = createRazorpay(unreachable, { backoff: [1] })
    expect(await requestPayment(shop, velu, { items, amount })).toMatchObject({ status: 503 })
    expect(await placeOrder(shop, anita, proof)).toMatchObject({
      status: 202,
      body: { status: 'checking' }
    })
    shop.app.payments.gateway = gateway
    expect(await placeOrder(shop, anita, proof)).toMatchObject({
      status: 201,
      body: { status: 'pending' }
    })
    expect(await requestPayment(shop, velu, { items, amount })).toMatchObject({ status: 200 })
    expect(await shop.violations()).toEqual([])
  })
})
