import { describe, expect, test } from 'vitest'
import type { OrderStatusReport } from '#lib/contract/desk.ts'
import { MINUTE } from '#lib/time.ts'
import { expectBody, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
import { cancel, CART, type AdminOrdersShop, refund } from '../support/admin-orders.ts'
import { callAs, LEMONS, refundsOf, subjectsOf } from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { openCase, type Case } from '../support/failed-refunds.ts'
import type { Reply } from '../support/shop.ts'

/** An order of ₹540.50, of which a webhook or reconciliation finds refunds and disputes. */
async function openPaidOrder(engine: Engine = 'sqlite', items = CART) {
  const found = await openCase(engine, items)
  const { shop, id, order } = found
  return {
    ...found,
    payment: order.razorpay_payment_id ?? '',
    fetch: () => shop.fetchOrder(id),
    pack: async () => statusAndCode(await shop.changeStatus(id, 'pending', 'packed')),
    cancel: () => cancel(shop, id),
    acknowledge: (...reversals: string[]): Promise<Reply> =>
      shop.callAsAdmin(`POST /admin/orders/${id}/acknowledge`, { reversals })
  }
}

async function openDispute({ shop, order }: Case) {
  const sent = { payment_id: order.razorpay_payment_id }
  return String((await shop.sandbox.control('POST', '/dispute', sent)).body['id'])
}

function closeDispute({ shop }: Case, dispute_id: string, status: 'won' | 'lost' | 'closed') {
  return shop.sandbox.control('POST', '/dispute-status', { dispute_id, status })
}

async function ownerMails(shop: AdminOrdersShop) {
  return (await subjectsOf(shop)).filter(subject => / at Razorpay$/.test(subject))
}

const ON_HOLD = '409 ORDER_ON_HOLD'
const SOURCES = ['a webhook', 'reconciliation'] as const

describe.each(ENGINES)('Refund at the provider on %s', engine => {
  test.each(SOURCES)(
    'in full cancels the order and mails owner and shopper, found by %s',
    async source => {
      const { shop, order, fetch, refundAtProvider } = await openPaidOrder(engine)
      await refundAtProvider(54_050)
      if (source === 'a webhook') await shop.deliverWebhooks()
      else await shop.reconcile()
      expect(await fetch()).toMatchObject({ status: 'cancelled' })
      await shop.deliverWebhooks()
      shop.clock.advance(11 * MINUTE)
      await shop.reconcile()
      expect(await fetch()).toMatchObject({
        status: 'cancelled',
        paymentStatus: 'refunded',
        creditNoteNumber: 'CN/26-27/000001',
        reversals: [{ kind: 'refund', amount: 540.5, state: 'returned' }]
      })
      expect(await shop.stockOf('lemon')).toBe(50)
      expect(await ownerMails(shop)).toEqual([
        `Order ${order.orderNumber}: refund of ₹540.50 at Razorpay`
      ])
      expect(await shop.statusMails()).toContain(`Your order ${order.orderNumber} is cancelled`)
      expect(await refundsOf(shop)).toEqual([])
    }
  )

  test('in part stops the order until an administrator acknowledges it, and the rest cancels it', async () => {
    const { shop, id, payment, ...paid } = await openPaidOrder(engine)
    const refund = await shop.sandbox.createRefund(payment, { amount: 10_000 })
    await shop.deliverWebhooks()
    const refused = await shop.changeStatus(id, 'pending', 'packed')
    await expectOutcome(refused, ON_HOLD)
    expect(refused.text).toContain('Razorpay reports a refund or dispute')
    const batch = { ids: [id], from: 'pending', to: 'packed' }
    const report = (await shop.callAsAdmin('POST /admin/orders/move', batch)).body
    expect((report as OrderStatusReport).left).toMatchObject([
      { status: 'pending', reversals: [{ id: refund.id }] }
    ])
    await expectBody(paid.acknowledge(refund.id), {
      reversals: [{ amount: 100, isAcknowledged: true }]
    })
    expect(await paid.pack()).toBe('200')
    expect(await shop.auditLog(id)).toContainEqual(expect.stringContaining('acknowledged'))
    await paid.refundAtProvider(44_050)
    await shop.deliverWebhooks()
    expect(await paid.fetch()).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded' })
  })
})

describe('Refund at the provider', () => {
  test('in part leaves only the rest to a later cancellation', async () => {
    const { shop, refundAtProvider, cancel, fetch, settled } = await openPaidOrder()
    await refundAtProvider(12_000)
    await shop.deliverWebhooks()
    await expectOk(cancel())
    expect(await settled()).toBe(540.5)
    expect(await refundsOf(shop)).toMatchObject([{ amount: 42_050 }])
    expect(await fetch()).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded' })
  })

  test('that fails lets the order continue', async () => {
    const { shop, id, refundAtProvider, pack, fetch } = await openPaidOrder('sqlite', LEMONS)
    await shop.sandbox.setFaults({ refundFail: 1 })
    await refundAtProvider(24_000)
    await shop.reconcile()
    expect(await pack()).toBe(ON_HOLD)
    expect((await refund(shop, id, { amount: 10 })).text).toContain('Please wait for its end')
    const cancelled = await callAs(shop.anita, shop, `POST /orders/${id}/cancel`)
    await expectOutcome(cancelled, ON_HOLD)
    shop.clock.advance(MINUTE)
    await shop.deliverWebhooks()
    await shop.deliverWebhooks()
    expect(await fetch()).toMatchObject({ status: 'pending', reversals: [{ state: 'void' }] })
    expect(await pack()).toBe('200')
  })

  test('of a delivered order is shown and mailed, and the order stays delivered', async () => {
    const { shop, id, refundAtProvider, pack, fetch } = await openPaidOrder()
    await pack()
    await shop.changeStatus(id, 'packed', 'delivered')
    await refundAtProvider(54_050)
    await shop.deliverWebhooks()
    expect(await fetch()).toMatchObject({ status: 'delivered', reversals: [{ amount: 540.5 }] })
    expect(await ownerMails(shop)).toHaveLength(1)
  })
})

describe.each(ENGINES)('Dispute at the provider on %s', engine => {
  test.each(SOURCES)('stops the order until it is won, found by %s', async source => {
    const paid = await openPaidOrder(engine)
    const { shop, order } = paid
    const find = async () => {
      shop.clock.advance(11 * MINUTE)
      await (source === 'a webhook' ? shop.deliverWebhooks() : shop.reconcile())
    }
    const dispute = await openDispute(paid)
    await find()
    await find()
    expect(await paid.pack()).toBe(ON_HOLD)
    await expectOutcome(paid.cancel(), ON_HOLD)
    await closeDispute(paid, dispute, 'won')
    await find()
    expect(await paid.pack()).toBe('200')
    expect(await ownerMails(shop)).toEqual([
      `Order ${order.orderNumber}: dispute of ₹540.50 at Razorpay`
    ])
  })

  test('that is lost stops the order again, and a cancellation refunds nothing more', async () => {
    const paid = await openPaidOrder(engine)
    const { shop } = paid
    const dispute = await openDispute(paid)
    await shop.deliverWebhooks()
    await paid.acknowledge(dispute)
    await closeDispute(paid, dispute, 'lost')
    await shop.deliverWebhooks()
    expect(await paid.pack()).toBe(ON_HOLD)
    await expectBody(paid.cancel(), { paymentStatus: 'refunded' })
    expect(await refundsOf(shop)).toEqual([])
    expect(await shop.stockOf('lemon')).toBe(50)
  })
})
