import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import {
  advanceAndReconcile,
  attemptPayment,
  buy,
  callAs,
  openPayment,
  type CheckoutShop,
  type Shopper,
  openLemonShop,
  refundsOf,
  subjectsOf
} from '../support/checkout.ts'
import { addCoupon } from '../support/coupons.ts'
import { ENGINES } from '../support/database.ts'
import { payLate } from '../support/places.ts'

const listIds = async (shop: CheckoutShop) => {
  await deleteExpired(shop.app)
  return (await shop.database.kysely.selectFrom('orders').select('id').execute())
    .map(({ id }) => id)
    .toSorted()
}

describe.each(ENGINES)('Checkout that is never paid on %s', engine => {
  test('is deleted an hour after it was cancelled or replaced, and seven days after it expired', async () => {
    const { shop, anita, bala } = await openLemonShop(engine)
    const cancelled = await openPayment(shop, anita)
    await callAs(anita, shop, `POST /orders/${cancelled.orderId}/cancel`)
    const replaced = await openPayment(shop, anita)
    await addCoupon(shop, 'DIWALI10')
    const expired = await openPayment(shop, anita, { amount: 216, extra: { coupon: 'DIWALI10' } })
    await advanceAndReconcile(shop, 31 * MINUTE)
    const bought = await buy(shop, bala)
    expect(await listIds(shop)).toEqual(
      [cancelled.orderId, replaced.orderId, expired.orderId, bought._id].toSorted()
    )
    shop.clock.advance(HOUR)
    expect(await listIds(shop)).toEqual([expired.orderId, bought._id].toSorted())
    shop.clock.advance(7 * DAY)
    expect(await listIds(shop)).toEqual([bought._id])
    expect(await shop.database.kysely.selectFrom('coupon_uses').selectAll().execute()).toEqual([])
  })

  test('is deleted with its payments 30 days after it ended, if they have all failed', async () => {
    const { shop, anita, bala } = await openLemonShop(engine)
    const failed = await openPayment(shop, anita)
    const payment_id = await attemptPayment(shop, failed.id, 'failed')
    const authorized = await openPayment(shop, bala)
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
    expect(await refundsOf(shop)).toMatchObject([
      { amount: 24_000, reason: 'too_late', state: 'processed' }
    ])
  })
})

/** Deletes a checkout with and one without items. Returns the ids of their provider orders. */
async function deleteCheckouts(shop: CheckoutShop, shopper: Shopper) {
  const itemised = await openPayment(shop, shopper)
  const unitemised = await callAs(shopper, shop, 'POST /payments/razorpay-order', { amount: 240 })
  await advanceAndReconcile(shop, 40 * MINUTE)
  shop.clock.advance(7 * DAY)
  await deleteExpired(shop.app)
  for (const table of ['orders', 'order_lines', 'stock_movements', 'unitemised_payments'] as const)
    expect(await shop.database.kysely.selectFrom(table).selectAll().execute()).toEqual([])
  return [itemised.id, (unitemised.body as PaymentOrder).id ?? '']
}

const listUnmatched = ({ database }: CheckoutShop) =>
  database.kysely.selectFrom('unmatched_payments').selectAll().execute()

describe.each(ENGINES)('Payment of a deleted checkout on %s', engine => {
  test('is refunded in full if it is captured, and the shopper gets a mail', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const ids = await deleteCheckouts(shop, anita)
    for (const id of ids) await shop.sandbox.pay(id)
    await shop.deliverWebhooks()
    await advanceAndReconcile(shop, 20 * MINUTE)
    const refund = { amount: 24_000, reason: 'too_late', state: 'processed' }
    expect(await refundsOf(shop)).toMatchObject([refund, refund])
    expect(await listUnmatched(shop)).toEqual([])
    expect(await subjectsOf(shop, 'anita@example.com')).toEqual(
      ids.map(() => 'Your payment is being refunded')
    )
  })

  test('is left alone if it is only authorised', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const ids = await deleteCheckouts(shop, anita)
    const payments = await Promise.all(ids.map(id => attemptPayment(shop, id, 'authorized')))
    await shop.deliverWebhooks()
    await advanceAndReconcile(shop, 20 * MINUTE)
    for (const id of payments)
      expect(await shop.sandbox.fetchPayment(id)).toMatchObject({ status: 'authorized' })
    expect(await refundsOf(shop)).toEqual([])
    expect(await listUnmatched(shop)).toEqual([])
  })
})
