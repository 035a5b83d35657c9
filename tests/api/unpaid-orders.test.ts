import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { deleteExpired } from '#server/app.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  addShopper,
  advanceAndReconcile,
  attemptPayment,
  buy,
  callAs,
  myOrders,
  openCheckoutShop,
  openPayment,
  requestPayment,
  stateOf,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { addCoupon } from '../support/coupons.ts'
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
    await expect(openPayment(shop, anita, { items: lemons })).rejects.toThrow('PAYMENTS_UNAVAILABLE')
    expect(await shop.stockOf('lemon')).toBe(8)
    await advanceAndReconcile(shop, 32 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
  })
})

describe.each(ENGINES)('Unpaid order on %s', engine => {
  test('releases its stock after 30 minutes and not earlier', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { orderId } = await openPayment(shop, anita, { items: lemons })
    await advanceAndReconcile(shop, 29 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(8)
    await advanceAndReconcile(shop, 2 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    expect(await myOrders(shop, anita)).toEqual([])
    expect(await shop.violations()).toEqual([])
  })
})

describe.each(ENGINES)('Checkout without a payment attempt on %s', engine => {
  test('is deleted seven days after it ended', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    const cancelled = await openPayment(shop, anita, { items: lemons })
    await callAs(anita, shop, `POST /orders/${cancelled.orderId}/cancel`)
    await addCoupon(shop, 'DIWALI10')
    const expired = await openPayment(shop, anita, { items: lemons, amount: 216, extra: { coupon: 'DIWALI10' } })
    const failed = await openPayment(shop, bala, { items: lemons })
    await attemptPayment(shop, failed.id, 'failed')
    await advanceAndReconcile(shop, 31 * MINUTE)
    const bought = await buy(shop, bala, lemons)
    const listIds = async (): Promise<string[]> => {
      await deleteExpired(shop.app)
      return (await shop.database.kysely.selectFrom('orders').select('id').orderBy('created_at').execute()).map(
        ({ id }) => id
      )
    }
    shop.clock.advance(6 * DAY)
    expect((await listIds()).toSorted()).toEqual(
      [cancelled.orderId, expired.orderId, failed.orderId, bought._id].toSorted()
    )
    shop.clock.advance(DAY)
    expect((await listIds()).toSorted()).toEqual([failed.orderId, bought._id].toSorted())
    expect(await shop.database.kysely.selectFrom('coupon_uses').selectAll().execute()).toEqual([])
    expect(await shop.violations()).toEqual([])
  })
})

/** Opens a checkout with and one without items, and deletes both. Returns the ids of their provider orders. */
async function deleteCheckouts(shop: CheckoutShop): Promise<{ anita: Shopper; ids: string[] }> {
  const anita = await addShopper(shop)
  const itemised = await openPayment(shop, anita, { items: lemons })
  const unitemised = await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 240 })
  await advanceAndReconcile(shop, 40 * MINUTE)
  shop.clock.advance(7 * DAY)
  await deleteExpired(shop.app)
  for (const table of ['orders', 'order_lines', 'stock_movements', 'unitemised_payments'] as const)
    expect(await shop.database.kysely.selectFrom(table).selectAll().execute()).toEqual([])
  return { anita, ids: [itemised.id, (unitemised.body as PaymentOrder).id ?? ''] }
}

describe.each(ENGINES)('Payment of a deleted checkout on %s', engine => {
  test('is refunded in full if it is captured, and the shopper gets a mail', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const { anita, ids } = await deleteCheckouts(shop)
    for (const id of ids) await shop.sandbox.pay(id)
    await shop.deliverWebhooks()
    await advanceAndReconcile(shop, 20 * MINUTE)
    const refunds = await shop.database.kysely.selectFrom('refunds').select(['amount', 'reason', 'state']).execute()
    expect(refunds).toEqual(ids.map(() => ({ amount: 24_000, reason: 'too_late', state: 'processed' })))
    expect(await shop.database.kysely.selectFrom('unmatched_payments').selectAll().execute()).toEqual([])
    await shop.deliverMails()
    const toAnita = shop.mails.filter(({ to }) => to === `${anita.name}@example.com`)
    expect(toAnita.map(({ subject }) => subject)).toEqual(ids.map(() => 'Your payment is being refunded'))
    expect(await shop.violations()).toEqual([])
  })
})

describe('Payment of a deleted checkout', () => {
  test('is left alone if it is only authorised', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const { ids } = await deleteCheckouts(shop)
    const payments = await Promise.all(ids.map(id => attemptPayment(shop, id, 'authorized')))
    await shop.deliverWebhooks()
    await advanceAndReconcile(shop, 20 * MINUTE)
    for (const id of payments) expect(await shop.sandbox.fetchPayment(id)).toMatchObject({ status: 'authorized' })
    expect(await shop.database.kysely.selectFrom('refunds').selectAll().execute()).toEqual([])
    expect(await shop.database.kysely.selectFrom('unmatched_payments').selectAll().execute()).toEqual([])
  })
})

describe('Opening checkouts', () => {
  test('is limited to ten in ten minutes per account, and repeated requests do not count', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const key = randomUUID()
    for (let n = 0; n < 3; n++) await openPayment(shop, anita, { items: lemons, amount: 240, key })
    for (let n = 0; n < 8; n++) await openPayment(shop, anita, { items: lemons, amount: 240 })
    expect((await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 240 })).status).toBe(200)
    const itemised = await requestPayment(shop, anita, { items: lemons, amount: 240 })
    const unitemised = await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 240 })
    expect([itemised, unitemised].map(statusAndCode)).toEqual(['429 TOO_MANY_REQUESTS', '429 TOO_MANY_REQUESTS'])
    shop.clock.advance(10 * MINUTE)
    expect((await requestPayment(shop, anita, { items: lemons, amount: 240 })).status).toBe(200)
    expect(await shop.violations()).toEqual([])
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
    expect(statusAndCode(await requestPayment(shop, anita, { items: lemons }))).toBe('429 TOO_MANY_REQUESTS')
    expect((await requestPayment(shop, bala, { items: lemons })).status).toBe(200)
  })
})

const stocks = { lemon: { price: 120, stock: 60 }, mango: { price: 90, stock: 15 } } as const

describe.each(ENGINES)('Stock reserved by a new account on %s', engine => {
  test('is at most half of the stock or ten packs of each product until an order is paid', async () => {
    const shop = await openCheckoutShop(engine, { products: stocks })
    const anita = await addShopper(shop)
    const request = (product: string, quantity: number) =>
      requestPayment(shop, anita, { items: [{ product, quantity }] })
    const tooMany = await request('lemon', 31)
    expect(statusAndCode(tooMany)).toBe('409 FIRST_ORDER_LIMIT')
    expect(tooMany.body).toMatchObject({
      message: 'We keep at most 30 packs for a first order. Please call us for more.'
    })
    expect((await request('mango', 11)).text).toContain('at most 10 packs')
    expect([await shop.stockOf('lemon'), await shop.stockOf('mango')]).toEqual([60, 15])
    expect((await request('mango', 10)).status).toBe(200)
    await buy(shop, anita, [{ product: 'lemon', quantity: 30 }])
    expect((await request('mango', 15)).status).toBe(200)
    expect(await shop.violations()).toEqual([])
  })
})

describe('Stock reserved by a new account', () => {
  test('counts all checkouts in progress together', async () => {
    const shop = await openCheckoutShop('sqlite', { products: stocks })
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, { items: [{ product: 'mango', quantity: 8 }] })
    await attemptPayment(shop, id, 'pending')
    const second = await requestPayment(shop, anita, { items: [{ product: 'mango', quantity: 3 }] })
    expect(statusAndCode(second)).toBe('409 FIRST_ORDER_LIMIT')
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
  test('pause the account also if each was replaced before it expired', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    for (let n = 0; n < 5; n++) {
      await openPayment(shop, anita, { items: lemons })
      shop.clock.advance(24 * MINUTE)
    }
    expect((await requestPayment(shop, anita, { items: lemons })).status).toBe(429)
    await advanceAndReconcile(shop, 30 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
    shop.clock.advance(30 * MINUTE)
    expect((await requestPayment(shop, anita, { items: lemons })).status).toBe(200)
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
