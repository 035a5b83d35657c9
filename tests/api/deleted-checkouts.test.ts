import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import {
  addShopper,
  advanceAndReconcile,
  attemptPayment,
  buy,
  callAs,
  openCheckoutShop,
  openPayment,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { addCoupon } from '../support/coupons.ts'
import { ENGINES } from '../support/database.ts'
import { payLate } from '../support/places.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]

const listIds = async (shop: CheckoutShop): Promise<string[]> => {
  await deleteExpired(shop.app)
  return (await shop.database.kysely.selectFrom('orders').select('id').execute())
    .map(({ id }) => id)
    .toSorted()
}

describe.each(ENGINES)('Checkout that is never paid on %s', engine => {
  test('is deleted an hour after it was cancelled or replaced, and seven days after it expired', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    const cancelled = await openPayment(shop, anita, { items: lemons })
    await callAs(anita, shop, `POST /orders/${cancelled.orderId}/cancel`)
    const replaced = await openPayment(shop, anita, { items: lemons })
    await addCoupon(shop, 'DIWALI10')
    const expired = await openPayment(shop, anita, {
      items: lemons,
      amount: 216,
      extra: { coupon: 'DIWALI10' }
    })
    await advanceAndReconcile(shop, 31 * MINUTE)
    const bought = await buy(shop, bala, lemons)
    expect(await listIds(shop)).toEqual(
      [cancelled.orderId, replaced.orderId, expired.orderId, bought._id].toSorted()
    )
    shop.clock.advance(HOUR)
    expect(await listIds(shop)).toEqual([expired.orderId, bought._id].toSorted())
    shop.clock.advance(7 * DAY)
    expect(await listIds(shop)).toEqual([bought._id])
    expect(await shop.database.kysely.selectFrom('coupon_uses').selectAll().execute()).toEqual([])
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
    const refunds = await shop.database.kysely
      .selectFrom('refunds')
      .select(['amount', 'reason', 'state'])
      .execute()
    expect(refunds).toEqual([{ amount: 24_000, reason: 'too_late', state: 'processed' }])
    expect(await shop.violations()).toEqual([])
  })
})

test('Any number of old checkouts is deleted at once, in writes of at most 50', async () => {
  const shop = await openCheckoutShop('sqlite', { products })
  for (let n = 0; n < 12; n++) {
    const shopper = await addShopper(shop)
    for (let m = 0; m < 9; m++) await openPayment(shop, shopper, { items: lemons, amount: 240 })
    const { orderId } = await openPayment(shop, shopper, { items: lemons, amount: 240 })
    await callAs(shopper, shop, `POST /orders/${orderId}/cancel`)
  }
  shop.clock.advance(HOUR + MINUTE)
  const left: number[] = []
  const { write } = shop.app
  shop.app.write = async (change, options) => {
    const result = await write(change, options)
    left.push((await shop.database.kysely.selectFrom('orders').select('id').execute()).length)
    return result
  }
  expect(await listIds(shop)).toEqual([])
  expect(left).toEqual([120, 70, 20, 0])
  expect(await shop.violations()).toEqual([])
})

/**
 * Opens a checkout with and one without items, and deletes both. Returns the ids of their provider
 * orders.
 */
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
    const refunds = await shop.database.kysely
      .selectFrom('refunds')
      .select(['amount', 'reason', 'state'])
      .execute()
    expect(refunds).toEqual(
      ids.map(() => ({ amount: 24_000, reason: 'too_late', state: 'processed' }))
    )
    expect(
      await shop.database.kysely.selectFrom('unmatched_payments').selectAll().execute()
    ).toEqual([])
    await shop.deliverMails()
    const toAnita = shop.mails.filter(({ to }) => to === `${anita.name}@example.com`)
    expect(toAnita.map(({ subject }) => subject)).toEqual(
      ids.map(() => 'Your payment is being refunded')
    )
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
    for (const id of payments)
      expect(await shop.sandbox.fetchPayment(id)).toMatchObject({ status: 'authorized' })
    expect(await shop.database.kysely.selectFrom('refunds').selectAll().execute()).toEqual([])
    expect(
      await shop.database.kysely.selectFrom('unmatched_payments').selectAll().execute()
    ).toEqual([])
  })
})
