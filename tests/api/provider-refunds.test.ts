import { describe, expect, test } from 'vitest'
import { readIdentity } from '#server/live-shop/live-shop.ts'
import { PaymentError } from '#server/razorpay/client.ts'
import { LEMONS } from '../support/admin-orders.ts'
import { callAs, myOrders, openPayment, placeOrder } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { failHourly, openCase } from '../support/failed-refunds.ts'
import { cancel, refundsOf } from '../support/order-changes.ts'

describe.each(ENGINES)('Cancelled order on %s', engine => {
  test.each(['a webhook', 'the next attempt'])(
    'gets only the rest after a refund in part at Razorpay, found by %s',
    async source => {
      const { shop, id, refundAtProvider, settled } = await openCase(engine)
      const { gateway } = shop.app.payments
      const unavailable = async (): Promise<never> => {
        throw new PaymentError('unavailable', 'The payment provider could not be reached')
      }
      shop.app.payments.gateway = { ...gateway, refund: unavailable, listRefunds: unavailable }
      await cancel(shop, id)
      await shop.reconcile()
      await refundAtProvider(12_000)
      if (source === 'a webhook') await shop.deliverWebhooks()
      shop.app.payments.gateway = gateway
      expect(await settled()).toBe(540.5)
      expect(await refundsOf(shop)).toEqual([
        { amount: 54_050, part: 0, state: 'failed' },
        { amount: 42_050, part: 0, state: 'processed' }
      ])
      expect(await shop.fetchOrder(id)).toMatchObject({
        paymentStatus: 'refunded',
        reversals: [{ amount: 120, state: 'returned' }]
      })
      expect(await shop.violations()).toEqual([])
    }
  )
})

describe('Cancelled order', () => {
  test('says while its refund has failed that it is still to come', async () => {
    const { shop, id, order, decide, listed, settled } = await openCase()
    await shop.sandbox.control('PUT', '/faults', { refundFail: 1 })
    await cancel(shop, id)
    await failHourly(shop, 8)
    await shop.sandbox.control('PUT', '/faults', {})
    expect(await listed()).toEqual([540.5])
    const [shown] = await myOrders(shop, shop.anita)
    expect(shown).toMatchObject({
      _id: order._id,
      paymentStatus: 'refunding',
      refunds: { processed: 0, due: 540.5 }
    })
    expect((await decide('refund')).status).toBe(200)
    expect(await settled()).toBe(540.5)
    expect(await shop.violations()).toEqual([])
  })
})

describe.each(ENGINES)('Payment without an order on %s', engine => {
  test('gets only the rest after a refund in part at Razorpay', async () => {
    const { shop, order } = await openCase(engine)
    const { body } = await shop.sandbox.control('POST', '/pay2', {
      order_id: order.razorpay_order_id
    })
    const second = body as { razorpay_payment_id: string }
    await placeOrder(shop, shop.anita, body as never)
    await shop.sandbox.createRefund(second.razorpay_payment_id, { amount: 10_000 })
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([
      { amount: 54_050, state: 'failed' },
      { amount: 44_050 }
    ])
    expect(await shop.sandbox.fetchPayment(second.razorpay_payment_id)).toMatchObject({
      amount_refunded: 54_050
    })
    expect(await shop.fetchOrder(order._id)).toMatchObject({
      status: 'pending',
      isOnHold: false,
      reversals: []
    })
    await shop.deliverMails()
    expect(shop.mails.map(({ subject }) => subject)).toContain(
      `Payment ${second.razorpay_payment_id}: refund of ₹100.00 at Razorpay`
    )
    expect(await shop.violations()).toEqual([])
  })
})

describe('Payment without an order', () => {
  test('that came too late shows on its order what has gone back at Razorpay', async () => {
    const { shop } = await openCase()
    const { id, orderId } = await openPayment(shop, shop.anita, { items: LEMONS })
    await callAs(shop.anita, shop, `POST /orders/${orderId}/cancel`)
    const { razorpay_payment_id } = await shop.sandbox.pay(id)
    await shop.deliverWebhooks()
    await shop.sandbox.createRefund(razorpay_payment_id, { amount: 10_000 })
    await shop.deliverWebhooks()
    expect(await shop.fetchOrder(orderId)).toMatchObject({
      reversals: [{ amount: 100 }],
      isOnHold: false
    })
    await shop.reconcile()
    expect(await shop.sandbox.fetchPayment(razorpay_payment_id)).toMatchObject({
      amount_refunded: 24_000
    })
    expect(await shop.fetchOrder(orderId)).toMatchObject({
      paymentStatus: 'refunded',
      refunds: { processed: 240 }
    })
    expect(await shop.violations()).toEqual([])
  })

  test('that is not in the database is listed and refunded without what has gone back at Razorpay', async () => {
    const { shop } = await openCase()
    const { id: shopId } = await readIdentity(shop.database.kysely)
    const notes = { shop: shopId, number: 'PG-1042' }
    const { razorpay_payment_id: id } = await shop.sandbox.pay(
      await shop.sandbox.createOrder(24_000, { notes })
    )
    await shop.deliverWebhooks()
    await shop.sandbox.createRefund(id, { amount: 10_000 })
    await shop.deliverWebhooks()
    const listed = async () => (await shop.callAsAdmin('GET /admin/unmatched-payments')).body
    expect(await listed()).toMatchObject([
      { id, amount: 140, problem: 'no_order', orderNumber: 'PG-1042' }
    ])
    await shop.sandbox.createRefund(id, { amount: 4_000 })
    expect(
      (await shop.callAsAdmin(`POST /admin/unmatched-payments/${id}`, { decision: 'refund' }))
        .status
    ).toBe(200)
    await shop.reconcile()
    expect(await shop.sandbox.fetchPayment(id)).toMatchObject({ amount_refunded: 24_000 })
    expect(await refundsOf(shop)).toMatchObject([{ amount: 10_000, state: 'processed' }])
    expect(await listed()).toEqual([])
    expect(await shop.violations()).toEqual([])
  })
})
