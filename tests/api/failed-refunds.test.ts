import { describe, expect, test } from 'vitest'
import { readIdentity } from '#server/live-shop/live-shop.ts'
import { PaymentError } from '#server/razorpay/client.ts'
import { expectBody, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
import { myOrders, placeOrder, refundsOf, subjectsOf } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { openCase, openFailedRefund, remove } from '../support/failed-refunds.ts'
import { cancel, LEMON } from '../support/admin-orders.ts'

describe.each(ENGINES)('Failed refund of a change on %s', engine => {
  test('is not made again if the owner has made it at Razorpay, which no webhook has reported', async () => {
    const { shop, id, refundAtProvider, decide, listed, settled } = await openFailedRefund(engine)
    await refundAtProvider(12_000)
    await expectBody(decide('refund'), {
      code: 'EDIT_CONFLICT',
      message: 'Nothing is left to refund: the money has already gone back.'
    })
    expect(await listed()).toEqual([])
    expect(await settled()).toBe(120)
    expect(await shop.fetchOrder(id)).toMatchObject({ refunds: { processed: 120, due: 0 } })
    await cancel(shop, id)
    expect(await settled()).toBe(540.5)
  })

  test.for([
    ['refund', 'refund'],
    ['refund', 'keep']
  ] as const)('is made once if two administrators decide at the same time: %s, %s', async both => {
    const { decide, listed, settled } = await openFailedRefund(engine)
    const replies = (await Promise.all(both.map(decide))).map(statusAndCode)
    expect(replies.toSorted()).toEqual(['200', '409 EDIT_CONFLICT'])
    expect(await listed()).toEqual([])
    const isSent = both[replies.indexOf('200')] === 'refund'
    expect(await settled()).toBe(isSent ? 120 : 0)
  })
})

describe('Failed refund of a change', () => {
  test('is part of the refund of the next change', async () => {
    const found = await openFailedRefund()
    const { shop, listed, settled } = found
    expect((await myOrders(shop, shop.anita))[0]?.refunds).toMatchObject({ processed: 0, due: 120 })
    await expectBody(remove(found, LEMON, 1), {
      refunds: { open: 240, due: 0 },
      changes: [{ refunded: 120 }, { refunded: 120 }]
    })
    expect(await listed()).toEqual([])
    expect(await settled()).toBe(240)
    expect((await refundsOf(shop)).at(-1)).toMatchObject({ amount: 24_000, part: 2 })
  })

  test('is part of the refund of a cancellation', async () => {
    const { shop, id, listed, settled } = await openFailedRefund()
    await cancel(shop, id)
    expect(await listed()).toEqual([])
    expect(await settled()).toBe(540.5)
  })

  test('lowers the refund of the next change if more than it has gone back at Razorpay', async () => {
    const found = await openFailedRefund()
    const { shop, id, refundAtProvider, settled } = found
    await refundAtProvider(20_000)
    await shop.deliverWebhooks()
    expect(await shop.fetchOrder(id)).toMatchObject({
      refundable: 340.5,
      refunds: { due: 0, surplus: 80 }
    })
    await expectBody(remove(found, LEMON, 1), {
      changes: [{ refunded: 120 }, { refunded: 40 }]
    })
    expect(await settled()).toBe(240)
    await cancel(shop, id)
    expect(await settled()).toBe(540.5)
  })

  test('that is marked as done is not refunded by a later change or cancellation', async () => {
    const found = await openFailedRefund()
    const { shop, id, decide, settled } = found
    await expectOk(decide('keep'))
    expect(await shop.fetchOrder(id)).toMatchObject({ refunds: { processed: 120, due: 0 } })
    await remove(found, LEMON, 1)
    expect(await settled()).toBe(120)
    await cancel(shop, id)
    expect(await settled()).toBe(420.5)
    expect(await shop.fetchOrder(id)).toMatchObject({ paymentStatus: 'refunded' })
  })

  test('leaves only the rest if less of it was made at Razorpay, and waits while that is unreachable', async () => {
    const { shop, refundAtProvider, decide, listed, settled } = await openFailedRefund()
    await refundAtProvider(5_000)
    await shop.deliverWebhooks()
    expect(await listed()).toEqual([70])
    await shop.sandbox.setFaults({ errorBefore: 1 })
    for (const decision of ['refund', 'keep'] as const)
      await expectOutcome(decide(decision), '503 PAYMENTS_UNAVAILABLE')
    await shop.sandbox.setFaults({})
    expect(await listed()).toEqual([70])
    await expectOk(decide('refund'))
    expect(await settled()).toBe(120)
  })
})

describe.each(ENGINES)('Cancelled order on %s', engine => {
  test.each(['a webhook', 'the next attempt'])(
    'gets only the rest after a refund in part at Razorpay, found by %s',
    async source => {
      const { shop, id, refundAtProvider, settled } = await openCase(engine)
      const { gateway } = shop.app.payments
      const unavailable = async () => {
        throw new PaymentError('unavailable', 'The payment provider could not be reached')
      }
      shop.app.payments.gateway = { ...gateway, refund: unavailable, listRefunds: unavailable }
      await cancel(shop, id)
      await shop.reconcile()
      await refundAtProvider(12_000)
      if (source === 'a webhook') await shop.deliverWebhooks()
      shop.app.payments.gateway = gateway
      expect(await settled()).toBe(540.5)
      expect(await refundsOf(shop)).toMatchObject([
        { amount: 54_050, part: 0, state: 'failed' },
        { amount: 42_050, part: 0, state: 'processed' }
      ])
      expect(await shop.fetchOrder(id)).toMatchObject({
        paymentStatus: 'refunded',
        reversals: [{ amount: 120, state: 'returned' }]
      })
    }
  )
})

describe.each(ENGINES)('Payment without an order on %s', engine => {
  test('gets only the rest after a refund in part at Razorpay', async () => {
    const { shop, order } = await openCase(engine)
    const { body } = await shop.sandbox.control('POST', '/pay2', {
      order_id: order.razorpay_order_id
    })
    const { razorpay_payment_id: second } = body as { razorpay_payment_id: string }
    await placeOrder(shop, shop.anita, body as never)
    await shop.sandbox.createRefund(second, { amount: 10_000 })
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([
      { amount: 54_050, state: 'failed' },
      { amount: 44_050 }
    ])
    expect(await shop.sandbox.fetchPayment(second)).toMatchObject({ amount_refunded: 54_050 })
    expect(await shop.fetchOrder(order._id)).toMatchObject({
      status: 'pending',
      isOnHold: false,
      reversals: []
    })
    expect(await subjectsOf(shop)).toContain(`Payment ${second}: refund of ₹100.00 at Razorpay`)
  })

  test('that is not in the database is listed and refunded without what has gone back at Razorpay', async () => {
    const { shop } = await openCase(engine)
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
    const line = `POST /admin/unmatched-payments/${id}`
    await expectOk(shop.callAsAdmin(line, { decision: 'refund' }))
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ amount: 10_000, state: 'processed' }])
    expect(await listed()).toEqual([])
  })
})
