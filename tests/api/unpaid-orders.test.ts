import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import { addAttempts, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
import {
  addShopper,
  addUnverified,
  advanceAndReconcile,
  attemptPayment,
  buy,
  callAs,
  openLemonShop,
  openPayment,
  placeOrder,
  requestPayment,
  stateOf,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

describe('Unpaid order', () => {
  test('keeps its stock reserved while the provider is unreachable and releases it afterwards', async () => {
    const { shop, anita } = await openLemonShop()
    await openPayment(shop, anita)
    await shop.sandbox.setFaults({ errorBefore: 1 })
    await advanceAndReconcile(shop, 2 * HOUR)
    expect(await shop.stockOf('lemon')).toBe(8)
    await shop.sandbox.setFaults({})
    await advanceAndReconcile(shop, 12 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
  })

  test('releases its stock even if no order was created at the provider', async () => {
    const { shop, anita } = await openLemonShop()
    await shop.sandbox.setFaults({ errorBefore: 1 })
    await expectOutcome(requestPayment(shop, anita), '503 PAYMENTS_UNAVAILABLE')
    expect(await shop.stockOf('lemon')).toBe(8)
    await advanceAndReconcile(shop, 18 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
  })
})

describe.each(ENGINES)('Unpaid order on %s', engine => {
  test('releases its stock a minute after the payment window, and not earlier, if nobody tried to pay', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const { orderId } = await openPayment(shop, anita)
    await advanceAndReconcile(shop, 15 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(8)
    await advanceAndReconcile(shop, MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
  })

  test('releases its stock after 30 minutes if a payment has failed', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const { id } = await openPayment(shop, anita)
    shop.clock.advance(16 * MINUTE)
    await attemptPayment(shop, id, 'failed')
    await shop.reconcile()
    await advanceAndReconcile(shop, 13 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(8)
    await advanceAndReconcile(shop, MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
  })

  test('keeps its stock for another payment window if the checkout is resumed', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const key = randomUUID()
    const { id } = await openPayment(shop, anita, { key })
    await advanceAndReconcile(shop, 14 * MINUTE)
    await openPayment(shop, anita, { key, amount: 240 })
    await advanceAndReconcile(shop, 15 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(8)
    expect((await placeOrder(shop, anita, await shop.sandbox.pay(id))).status).toBe(201)
  })
})

describe('Opening checkouts', () => {
  const setCounts = (shop: CheckoutShop, count: number, without: Shopper) =>
    shop.database.kysely
      .updateTable('rate_counts')
      .set({ count })
      .where('key', '!=', `checkouts of ${without.id}`)
      .execute()

  test('is limited to ten in ten minutes per account, failures included, and resuming does not count', async () => {
    const { shop, anita } = await openLemonShop()
    const unitemised = () => callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 240 })
    const key = randomUUID()
    for (let n = 0; n < 3; n++) await openPayment(shop, anita, { key })
    await addAttempts(shop, 7)
    const items = [{ product: 'lemon', quantity: 11 }]
    expect((await requestPayment(shop, anita, { items })).status).toBe(409)
    await expectOk(unitemised())
    const refused = [await requestPayment(shop, anita), await unitemised()]
    expect(refused.map(statusAndCode)).toEqual(Array(2).fill('429 TOO_MANY_REQUESTS'))
    shop.clock.advance(10 * MINUTE)
    await expectOk(requestPayment(shop, anita))
  })

  test('is limited to 300 in ten minutes for all new accounts of a network, but not for customers', async () => {
    const { shop, anita, bala } = await openLemonShop()
    await buy(shop, bala)
    await setCounts(shop, 299, bala)
    await expectOk(requestPayment(shop, anita))
    const other = await addShopper(shop)
    await expectOutcome(requestPayment(shop, other), '429 TOO_MANY_REQUESTS')
    await expectOk(requestPayment(shop, bala))
  })

  test('is limited to 60 in ten minutes for all unverified accounts of a network', async () => {
    const { shop, anita } = await openLemonShop()
    const [first, second] = [await addUnverified(shop), await addUnverified(shop)]
    await openPayment(shop, first)
    await setCounts(shop, 59, first)
    await expectOk(requestPayment(shop, first))
    await expectOutcome(requestPayment(shop, second), '403 VERIFICATION_REQUIRED')
    await expectOk(requestPayment(shop, anita))
  })
})

const expireThree = async (shop: CheckoutShop, shopper: Shopper, fails: boolean) => {
  for (let n = 0; n < 3; n++) {
    const { id } = await openPayment(shop, shopper)
    if (fails) await attemptPayment(shop, id, 'failed')
    await advanceAndReconcile(shop, 31 * MINUTE)
  }
}

describe.each(ENGINES)('Checkouts that nobody tries to pay on %s', engine => {
  test('pause the account for 30 minutes after the third that expired in a day', async () => {
    const { shop, anita } = await openLemonShop(engine)
    await expireThree(shop, anita, false)
    const refused = await requestPayment(shop, anita)
    await expectOutcome(refused, '429 TOO_MANY_REQUESTS')
    expect(refused.text).toContain('Your last checkouts were not paid.')
    shop.clock.advance(30 * MINUTE)
    await expectOk(requestPayment(shop, anita))
  })

  test('pause the account also if they were replaced or cancelled, and deleted since', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const keepStock = async (ms: number) => {
      const { orderId } = await openPayment(shop, anita)
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
    await cancel(await keepStock(12 * MINUTE))
    expect((await requestPayment(shop, anita)).status).toBe(429)
  })

  test('do not pause an account that changes its cart several times, or whose payments failed', async () => {
    const { shop, anita, bala } = await openLemonShop(engine)
    for (let n = 0; n < 12; n++) {
      const { orderId } = await openPayment(shop, anita)
      shop.clock.advance(3 * MINUTE)
      if (n % 2 === 0) await callAs(anita, shop, `POST /orders/${orderId}/cancel`)
    }
    await buy(shop, anita)
    await expireThree(shop, bala, true)
    await buy(shop, bala)
  })
})
