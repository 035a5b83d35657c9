import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { statusAndCode } from '../support/accounts.ts'
import { myOrders } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { failHourly, openCase, openFailedRefund, remove } from '../support/failed-refunds.ts'
import { cancel, LEMON, refundsOf } from '../support/order-changes.ts'

describe.each(ENGINES)('Failed refund of a change on %s', engine => {
  test('is not made again if the owner has made it at Razorpay, which no webhook has reported', async () => {
    const { shop, id, order, refundAtProvider, decide, listed, settled } =
      await openFailedRefund(engine)
    await refundAtProvider(12_000)
    expect((await decide('refund')).body).toMatchObject({
      code: 'EDIT_CONFLICT',
      message: 'Nothing is left to refund: the money has already gone back.'
    })
    expect(await listed()).toEqual([])
    expect(await settled()).toBe(120)
    expect(await shop.fetchOrder(id)).toMatchObject({
      refunds: { processed: 120, open: 0, due: 0, surplus: 0 }
    })
    await cancel(shop, id)
    expect(await settled()).toBe(540.5)
    expect(await shop.fetchOrder(order._id)).toMatchObject({
      status: 'cancelled',
      paymentStatus: 'refunded'
    })
    expect(await shop.violations()).toEqual([])
  })

  test('counts once if it is made at Razorpay and marked as done', async () => {
    const found = await openFailedRefund(engine)
    const { shop, id, refundAtProvider, decide, listed, settled } = found
    await refundAtProvider(12_000)
    expect((await decide('keep')).body).toEqual({ message: 'The refund is marked as done.' })
    expect(await listed()).toEqual([])
    expect((await remove(found, LEMON, 1)).body).toMatchObject({
      changes: [{ refunded: 120 }, { refunded: 120 }]
    })
    expect(await settled()).toBe(240)
    await cancel(shop, id)
    expect(await settled()).toBe(540.5)
    expect(await shop.violations()).toEqual([])
  })

  test('is made once if two administrators decide at the same time', async () => {
    for (const decisions of [
      ['refund', 'refund'],
      ['keep', 'keep'],
      ['refund', 'keep']
    ] as const) {
      const { shop, decide, listed, settled } = await openFailedRefund(engine)
      const replies = (await Promise.all(decisions.map(decide))).map(statusAndCode)
      expect(replies.toSorted()).toEqual(['200', '409 EDIT_CONFLICT'])
      expect(await listed()).toEqual([])
      const isSent = decisions[replies.indexOf('200')] === 'refund'
      expect(await settled()).toBe(isSent ? 120 : 0)
      expect(await shop.violations()).toEqual([])
    }
  })
})

describe('Failed refund of a change', () => {
  test('is part of the refund of the next change', async () => {
    const found = await openFailedRefund()
    const { shop, order, listed, settled } = found
    expect((await myOrders(shop, shop.anita))[0]?.refunds).toEqual({
      processed: 0,
      open: 0,
      due: 120,
      surplus: 0
    })
    const changed = await remove(found, LEMON, 1)
    expect(changed.body).toMatchObject({
      refunds: { open: 240, due: 0 },
      changes: [{ refunded: 120 }, { refunded: 120 }]
    })
    expect(await listed()).toEqual([])
    expect(await settled()).toBe(240)
    await shop.deliverMails()
    const mails = shop.mails.filter(
      ({ subject }) => subject === `We changed your order ${order.orderNumber}`
    )
    expect(mails.at(-1)?.text).toContain('We refund ₹240.00')
    expect((await refundsOf(shop)).at(-1)).toEqual({ amount: 24_000, part: 2, state: 'processed' })
    expect(await shop.violations()).toEqual([])
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
    expect((await remove(found, LEMON, 1)).body).toMatchObject({
      changes: [{ refunded: 120 }, { refunded: 40 }]
    })
    expect(await settled()).toBe(240)
    await cancel(shop, id)
    expect(await settled()).toBe(540.5)
    expect(await shop.violations()).toEqual([])
  })

  test('that is marked as done is not refunded by a later change or cancellation', async () => {
    const found = await openFailedRefund()
    const { shop, id, decide, settled } = found
    expect((await decide('keep')).status).toBe(200)
    expect(await shop.fetchOrder(id)).toMatchObject({ refunds: { processed: 120, due: 0 } })
    await remove(found, LEMON, 1)
    expect(await settled()).toBe(120)
    await cancel(shop, id)
    expect(await settled()).toBe(420.5)
    expect(await shop.fetchOrder(id)).toMatchObject({ paymentStatus: 'refunded' })
    expect(await shop.violations()).toEqual([])
  })

  test('that is marked as done and then made at Razorpay counts once', async () => {
    const { shop, id, refundAtProvider, decide, settled } = await openFailedRefund()
    await decide('keep')
    await refundAtProvider(12_000)
    await shop.deliverWebhooks()
    expect(await shop.fetchOrder(id)).toMatchObject({ refunds: { processed: 120, surplus: 0 } })
    await cancel(shop, id)
    expect(await settled()).toBe(540.5)
    expect(await shop.violations()).toEqual([])
  })

  test('leaves only the rest if less of it was made at Razorpay', async () => {
    const { shop, refundAtProvider, decide, listed, settled } = await openFailedRefund()
    await refundAtProvider(5_000)
    await shop.deliverWebhooks()
    expect(await listed()).toEqual([70])
    expect((await decide('refund')).status).toBe(200)
    expect(await settled()).toBe(120)
    expect(await shop.violations()).toEqual([])
  })

  test('is one of several refunds', async () => {
    const found = await openCase()
    const { shop, id, listed, decide, settled } = found
    await remove(found, LEMON, 2)
    expect(await settled()).toBe(120)
    await remove(found, LEMON, 1)
    await shop.sandbox.control('PUT', '/faults', { refundFail: 1 })
    await failHourly(shop, 8)
    await shop.sandbox.control('PUT', '/faults', {})
    expect(await listed()).toEqual([120])
    expect(await shop.fetchOrder(id)).toMatchObject({ refunds: { processed: 120, due: 120 } })
    expect((await decide('refund')).status).toBe(200)
    expect(await settled()).toBe(240)
    expect(await shop.violations()).toEqual([])
  })

  test('can’t be decided while Razorpay is unreachable', async () => {
    const { shop, decide, listed } = await openFailedRefund()
    await shop.sandbox.control('PUT', '/faults', { errorBefore: 1 })
    for (const decision of ['refund', 'keep'] as const)
      expect(statusAndCode(await decide(decision))).toBe('503 PAYMENTS_UNAVAILABLE')
    expect(await listed()).toEqual([120])
  })
})

describe('Refund at Razorpay', () => {
  test('replaces one that the shop tries again', async () => {
    const found = await openCase()
    const { shop, refundAtProvider, listed, settled } = found
    await remove(found, LEMON, 2)
    await shop.sandbox.control('PUT', '/faults', { refundFail: 1 })
    await shop.reconcile()
    shop.clock.advance(MINUTE)
    await shop.deliverWebhooks()
    expect((await refundsOf(shop)).map(({ state }) => state)).toEqual(['failed', 'due'])
    await shop.sandbox.control('PUT', '/faults', {})
    await refundAtProvider(12_000)
    expect(await settled()).toBe(120)
    expect(await listed()).toEqual([])
    await shop.deliverMails()
    expect(shop.mails.filter(({ subject }) => subject.includes('failed'))).toEqual([])
    expect(await shop.violations()).toEqual([])
  })

  test('that fails leaves the refund to the shop', async () => {
    const { shop, refundAtProvider, listed, settled } = await openFailedRefund()
    await shop.sandbox.control('PUT', '/faults', { refundFail: 1 })
    await refundAtProvider(12_000)
    await shop.deliverWebhooks()
    await shop.reconcile()
    expect(await listed()).toEqual([])
    await shop.sandbox.control('PUT', '/faults', {})
    shop.clock.advance(MINUTE)
    await shop.deliverWebhooks()
    expect(await settled()).toBe(120)
    expect(await listed()).toEqual([])
    expect(await shop.violations()).toEqual([])
  })

  test('at the moment in which the shop sends its own is shown as surplus, and lowers later refunds', async () => {
    const found = await openCase()
    const { shop, id, refundAtProvider, settled } = found
    await remove(found, LEMON, 2)
    const { gateway } = shop.app.payments
    shop.app.payments.gateway = {
      ...gateway,
      async refund(...request) {
        await refundAtProvider(12_000)
        await shop.deliverWebhooks()
        return gateway.refund(...request)
      }
    }
    await shop.reconcile()
    shop.app.payments.gateway = gateway
    expect(await shop.fetchOrder(id)).toMatchObject({
      refunds: { processed: 240, due: 0, surplus: 120 }
    })
    await cancel(shop, id)
    expect(await settled()).toBe(540.5)
    expect(await shop.violations()).toEqual([])
  })
})
