import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { deleteExpired } from '#server/app.ts'
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
import { addCoupon } from '../support/coupons.ts'
import { ENGINES } from '../support/database.ts'
import { payLate } from '../support/places.ts'

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

const listIds = async (shop: CheckoutShop): Promise<string[]> => {
  await deleteExpired(shop.app)
  return (await shop.database.kysely.selectFrom('orders').select('id').execute()).map(({ id }) => id).toSorted()
}

describe.each(ENGINES)('Checkout that is never paid on %s', engine => {
  test('is deleted an hour after it was cancelled or replaced, and seven days after it expired', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    const cancelled = await openPayment(shop, anita, { items: lemons })
    await callAs(anita, shop, `POST /orders/${cancelled.orderId}/cancel`)
    const replaced = await openPayment(shop, anita, { items: lemons })
    await addCoupon(shop, 'DIWALI10')
    const expired = await openPayment(shop, anita, { items: lemons, amount: 216, extra: { coupon: 'DIWALI10' } })
    await advanceAndReconcile(shop, 31 * MINUTE)
    const bought = await buy(shop, bala, lemons)
    expect(await listIds(shop)).toEqual([cancelled.orderId, replaced.orderId, expired.orderId, bought._id].toSorted())
    shop.clock.advance(HOUR)
    expect(await listIds(shop)).toEqual([expired.orderId, bought._id].toSorted())
    shop.clock.advance(7 * DAY)
    expect(await listIds(shop)).toEqual([bought._id])
    for (const table of ['coupon_uses', 'payments'] as const)
      expect(await shop.database.kysely.selectFrom(table).selectAll().execute()).toHaveLength(
        table === 'payments' ? 1 : 0
      )
    expect(await shop.violations()).toEqual([])
  })

  test('is deleted with its payments 30 days after it ended, if they have all failed', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    const failed = await openPayment(shop, anita, { items: lemons })
    const payment_id = await attemptPayment(shop, failed.id, 'failed')
    const authorized = await openPayment(shop, bala, { items: lemons })
    await attemptPayment(shop, authorized.id, 'failed')
    await advanceAndReconcile(shop, HOUR)
    await shop.database.kysely
      .updateTable('payments')
      .set({ status: 'authorized', rank: 2 })
      .where('provider_order_id', '=', authorized.id)
      .execute()
    shop.clock.advance(29 * DAY)
    expect(await listIds(shop)).toHaveLength(2)
    shop.clock.advance(DAY)
    expect(await listIds(shop)).toEqual([authorized.orderId])
    expect(await shop.database.kysely.selectFrom('payments').selectAll().execute()).toHaveLength(1)
    await payLate(shop, payment_id)
    await advanceAndReconcile(shop, 20 * MINUTE)
    const refunds = await shop.database.kysely.selectFrom('refunds').select(['amount', 'reason', 'state']).execute()
    expect(refunds).toEqual([{ amount: 24_000, reason: 'too_late', state: 'processed' }])
    expect(await shop.violations()).toEqual([])
  })
})

test('Any number of old checkouts is deleted at once, in batches', async () => {
  const shop = await openCheckoutShop('sqlite', { products })
  for (let n = 0; n < 12; n++) {
    const shopper = await addShopper(shop)
    for (let m = 0; m < 9; m++) await openPayment(shop, shopper, { items: lemons, amount: 240 })
    const { orderId } = await openPayment(shop, shopper, { items: lemons, amount: 240 })
    await callAs(shopper, shop, `POST /orders/${orderId}/cancel`)
  }
  shop.clock.advance(HOUR + MINUTE)
  expect(await listIds(shop)).toEqual([])
  expect(await shop.violations()).toEqual([])
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
    expect(statusAndCode(await requestPayment(shop, anita, { items: lemons }))).toBe('429 TOO_MANY_REQUESTS')
    expect((await requestPayment(shop, bala, { items: lemons })).status).toBe(200)
  })

  test('is limited to 60 in ten minutes for all unverified accounts of a network', async () => {
    const shop = await openCheckoutShop('sqlite', { products: { lemon: { price: 120, stock: 5000 } } })
    const replies: string[] = []
    for (let n = 0; n < 7; n++) {
      const shopper = await addUnverified(shop)
      for (let m = 0; m < 9; m++)
        replies.push(statusAndCode(await requestPayment(shop, shopper, { items: lemons, amount: 240 })))
    }
    expect(replies).toEqual([...Array<string>(60).fill('200'), ...Array<string>(3).fill('403 VERIFICATION_REQUIRED')])
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
    const cancel = (id: string): Promise<unknown> => callAs(anita, shop, `POST /orders/${id}/cancel`)
    await keepStock(12 * MINUTE)
    await keepStock(12 * MINUTE)
    await cancel(await keepStock(12 * MINUTE))
    shop.clock.advance(HOUR + MINUTE)
    expect(await listIds(shop)).toEqual([])
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
