import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  addShopper,
  addUnverified,
  advanceAndReconcile,
  attemptPayment,
  buy,
  callAs,
  myOrders,
  openCheckoutShop,
  openPayment,
  placeOrder,
  requestPayment,
  stateOf,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]

describe('Unpaid order', () => {
  test('keeps its stock reserved while the provider is unreachable and releases it afterwards', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    await openPayment(shop, anita, { items: lemons })
    await shop.sandbox.control('PUT', '/faults', { errorBefore: 1 })
    await advanceAndReconcile(shop, 2 * HOUR)
    expect(await shop.stockOf('lemon')).toBe(8)
    await shop.sandbox.control('PUT', '/faults', {})
    await advanceAndReconcile(shop, 12 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
    expect(await shop.violations()).toEqual([])
  })

  test('releases its stock even if no order was created at the provider', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    await shop.sandbox.control('PUT', '/faults', { errorBefore: 1 })
    await expect(openPayment(shop, anita, { items: lemons })).rejects.toThrow(
      'PAYMENTS_UNAVAILABLE'
    )
    expect(await shop.stockOf('lemon')).toBe(8)
    await advanceAndReconcile(shop, 18 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
  })
})

describe.each(ENGINES)('Unpaid order on %s', engine => {
  test('releases its stock a minute after the payment window, and not earlier, if nobody tried to pay', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { orderId } = await openPayment(shop, anita, { items: lemons })
    await advanceAndReconcile(shop, 15 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(8)
    await advanceAndReconcile(shop, MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    expect(await myOrders(shop, anita)).toEqual([])
    expect(await shop.violations()).toEqual([])
  })

  test('releases its stock after 30 minutes if a payment has failed', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    shop.clock.advance(16 * MINUTE)
    await attemptPayment(shop, id, 'failed')
    await shop.reconcile()
    await advanceAndReconcile(shop, 13 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(8)
    await advanceAndReconcile(shop, MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    expect(await shop.violations()).toEqual([])
  })

  test('keeps its stock for another payment window if the checkout is resumed', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, key] = [await addShopper(shop), randomUUID()]
    const { id } = await openPayment(shop, anita, { items: lemons, key })
    await advanceAndReconcile(shop, 14 * MINUTE)
    await openPayment(shop, anita, { items: lemons, key, amount: 240 })
    await advanceAndReconcile(shop, 15 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(8)
    expect((await placeOrder(shop, anita, await shop.sandbox.pay(id))).status).toBe(201)
    expect(await shop.violations()).toEqual([])
  })

  test('is restored by a payment that comes after the release, if its packs are still there', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, { items: lemons })
    await advanceAndReconcile(shop, 16 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
    await shop.sandbox.pay(id)
    await shop.deliverWebhooks()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
    expect(await shop.stockOf('lemon')).toBe(8)
    expect(await shop.violations()).toEqual([])
  })
})

describe('Opening checkouts', () => {
  test('is limited to ten in ten minutes per account, and repeated requests do not count', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const key = randomUUID()
    for (let n = 0; n < 3; n++) await openPayment(shop, anita, { items: lemons, amount: 240, key })
    for (let n = 0; n < 8; n++) await openPayment(shop, anita, { items: lemons, amount: 240 })
    expect(
      (await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 240 })).status
    ).toBe(200)
    const itemised = await requestPayment(shop, anita, { items: lemons, amount: 240 })
    const unitemised = await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 240 })
    expect([itemised, unitemised].map(statusAndCode)).toEqual([
      '429 TOO_MANY_REQUESTS',
      '429 TOO_MANY_REQUESTS'
    ])
    shop.clock.advance(10 * MINUTE)
    expect((await requestPayment(shop, anita, { items: lemons, amount: 240 })).status).toBe(200)
    expect(await shop.violations()).toEqual([])
  })

  test('counts the ones that fail', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const tooMany = [{ product: 'lemon', quantity: 11 }]
    for (let n = 0; n < 10; n++) {
      const reply = await requestPayment(shop, anita, { items: tooMany, amount: 1320 })
      expect(statusAndCode(reply)).toBe('409 PRICE_CHANGED')
    }
    const refused = await requestPayment(shop, anita, { items: lemons, amount: 240 })
    expect(statusAndCode(refused)).toBe('429 TOO_MANY_REQUESTS')
  })

  test('is limited to 300 in ten minutes for all new accounts of a network, but not for customers', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    await buy(shop, bala, lemons)
    await shop.write(trx =>
      trx
        .updateTable('rate_counts')
        .set({ count: 300 })
        .where('key', 'like', 'checkouts of %')
        .where('key', '!=', `checkouts of ${bala.id}`)
        .execute()
    )
    expect(statusAndCode(await requestPayment(shop, anita, { items: lemons }))).toBe(
      '429 TOO_MANY_REQUESTS'
    )
    expect((await requestPayment(shop, bala, { items: lemons })).status).toBe(200)
  })

  test('is limited to 60 in ten minutes for all unverified accounts of a network', async () => {
    const shop = await openCheckoutShop('sqlite', {
      products: { lemon: { price: 120, stock: 5000 } }
    })
    const replies: string[] = []
    for (let n = 0; n < 7; n++) {
      const shopper = await addUnverified(shop)
      for (let m = 0; m < 9; m++)
        replies.push(
          statusAndCode(await requestPayment(shop, shopper, { items: lemons, amount: 240 }))
        )
    }
    expect(replies).toEqual([
      ...Array<string>(60).fill('200'),
      ...Array<string>(3).fill('403 VERIFICATION_REQUIRED')
    ])
    const verified = await addShopper(shop)
    expect((await requestPayment(shop, verified, { items: lemons, amount: 240 })).status).toBe(200)
  })
})

const expireThree = async (shop: CheckoutShop, shopper: Shopper, fails: boolean): Promise<void> => {
  for (let n = 0; n < 3; n++) {
    const { id } = await openPayment(shop, shopper, { items: lemons })
    if (fails) await attemptPayment(shop, id, 'failed')
    await advanceAndReconcile(shop, 31 * MINUTE)
  }
}

describe.each(ENGINES)('Checkouts that nobody tries to pay on %s', engine => {
  test('pause the account for 30 minutes after the third that expired in a day', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    await expireThree(shop, anita, false)
    const refused = await requestPayment(shop, anita, { items: lemons })
    expect(statusAndCode(refused)).toBe('429 TOO_MANY_REQUESTS')
    expect(refused.text).toContain('Your last checkouts were not paid.')
    shop.clock.advance(30 * MINUTE)
    expect((await requestPayment(shop, anita, { items: lemons })).status).toBe(200)
  })
})

describe('Checkouts that nobody tries to pay', () => {
  test('pause the account also if they were replaced or cancelled, and deleted since', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const keepStock = async (ms: number): Promise<string> => {
      const { orderId } = await openPayment(shop, anita, { items: lemons })
      shop.clock.advance(ms)
      return orderId
    }
    const cancel = (id: string): Promise<unknown> =>
      callAs(anita, shop, `POST /orders/${id}/cancel`)
    await keepStock(12 * MINUTE)
    await keepStock(12 * MINUTE)
    await cancel(await keepStock(12 * MINUTE))
    shop.clock.advance(HOUR + MINUTE)
    await deleteExpired(shop.app)
    expect(await shop.database.kysely.selectFrom('orders').selectAll().execute()).toEqual([])
    await cancel(await keepStock(12 * MINUTE))
    expect((await requestPayment(shop, anita, { items: lemons })).status).toBe(429)
    shop.clock.advance(30 * MINUTE)
    expect((await requestPayment(shop, anita, { items: lemons })).status).toBe(200)
    expect(await shop.violations()).toEqual([])
  })

  test('do not pause an account that changes its cart several times', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    for (let n = 0; n < 12; n++) {
      const { orderId } = await openPayment(shop, anita, { items: lemons })
      shop.clock.advance(3 * MINUTE)
      if (n % 2 === 0) await callAs(anita, shop, `POST /orders/${orderId}/cancel`)
    }
    await buy(shop, anita, lemons)
    expect(await shop.violations()).toEqual([])
  })

  test('do not pause an account because the provider could not be reached', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    await openPayment(shop, anita, { items: lemons })
    await advanceAndReconcile(shop, 5 * HOUR)
    await buy(shop, anita, lemons)
    expect(await shop.violations()).toEqual([])
  })

  test('do not include checkouts whose payments failed', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    await expireThree(shop, anita, true)
    await buy(shop, anita, lemons)
    expect(await shop.violations()).toEqual([])
  })
})
