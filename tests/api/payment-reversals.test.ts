import { describe, expect, test } from 'vitest'
import type { Order } from '#lib/contract/orders.ts'
import type { AdminOrder, OrderStatusReport } from '#lib/contract/desk.ts'
import { MINUTE } from '#lib/time.ts'
import { ADMIN, requestCode, statusAndCode } from '../support/accounts.ts'
import { LEMONS, openAdminOrdersShop, type AdminOrdersShop } from '../support/admin-orders.ts'
import { buy, callAs, myOrders } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import type { Reply } from '../support/shop.ts'

interface PaidOrder {
  shop: AdminOrdersShop
  order: Order
  payment: string
}

async function placePaidOrder(engine: 'sqlite' | 'postgres'): Promise<PaidOrder> {
  const shop = await openAdminOrdersShop(engine)
  const order = await buy(shop, shop.anita, LEMONS)
  return { shop, order, payment: order.razorpay_payment_id ?? '' }
}

async function openDispute({ shop, payment }: PaidOrder): Promise<string> {
  return String(
    (await shop.sandbox.control('POST', '/dispute', { payment_id: payment })).body['id']
  )
}

function closeDispute({ shop }: PaidOrder, dispute_id: string, status: 'won' | 'lost' | 'closed') {
  return shop.sandbox.control('POST', '/dispute-status', { dispute_id, status })
}

function acknowledge({ shop, order }: PaidOrder, ...reversals: string[]): Promise<Reply> {
  return shop.callAsAdmin(`POST /admin/orders/${order._id}/acknowledge`, { reversals })
}

async function cancelAsAdmin({ shop, order }: PaidOrder): Promise<Reply> {
  const otp = await requestCode(shop, ADMIN.email)
  const body = { from: 'pending', reason: 'Sold out', proof: { otp } }
  return shop.callAsAdmin(`POST /admin/orders/${order._id}/cancel`, body)
}

async function ownerMails(shop: AdminOrdersShop): Promise<string[]> {
  await shop.deliverMails()
  return shop.mails.map(({ subject }) => subject).filter(subject => / at Razorpay$/.test(subject))
}

describe.each(ENGINES)('Refund at the provider on %s', engine => {
  test.each(['a webhook', 'reconciliation'])(
    'in full cancels the order and mails owner and shopper, found by %s',
    async source => {
      const { shop, order, payment } = await placePaidOrder(engine)
      await shop.sandbox.createRefund(payment)
      if (source === 'a webhook') await shop.deliverWebhooks()
      else await shop.reconcile()
      expect(await shop.fetchOrder(order._id)).toMatchObject({ status: 'cancelled' })
      await shop.deliverWebhooks()
      shop.clock.advance(11 * MINUTE)
      await shop.reconcile()
      expect(await shop.fetchOrder(order._id)).toMatchObject({
        status: 'cancelled',
        paymentStatus: 'refunded',
        creditNoteNumber: 'CN/26-27/000001',
        reversals: [{ kind: 'refund', amount: 240, state: 'returned' }]
      })
      expect(await shop.stockOf('lemon')).toBe(50)
      expect(await ownerMails(shop)).toEqual([
        `Order ${order.orderNumber}: refund of ₹240.00 at Razorpay`
      ])
      expect(await shop.statusMails()).toContain(`Your order ${order.orderNumber} is cancelled`)
      expect(await shop.database.kysely.selectFrom('refunds').selectAll().execute()).toEqual([])
      expect(await shop.violations()).toEqual([])
    }
  )

  test('in part stops the order until an administrator acknowledges it', async () => {
    const paid = await placePaidOrder(engine)
    const { shop, order, payment } = paid
    const { id } = await shop.sandbox.createRefund(payment, { amount: 10_000 })
    await shop.deliverWebhooks()
    const refused = await shop.changeStatus(order._id, 'pending', 'packed')
    expect(statusAndCode(refused)).toBe('409 ORDER_ON_HOLD')
    expect(refused.text).toContain('Razorpay reports a refund or dispute')
    const batch = await shop.callAsAdmin('POST /admin/orders/move', {
      ids: [order._id],
      from: 'pending',
      to: 'packed'
    })
    expect((batch.body as OrderStatusReport).left).toMatchObject([
      { status: 'pending', reversals: [{ id }] }
    ])
    expect((await acknowledge(paid, id)).body).toMatchObject({
      reversals: [{ id, amount: 100, isAcknowledged: true }]
    })
    expect(statusAndCode(await shop.changeStatus(order._id, 'pending', 'packed'))).toBe('200')
    expect(await ownerMails(shop)).toEqual([
      `Order ${order.orderNumber}: refund of ₹100.00 at Razorpay`
    ])
    expect(await shop.auditLog(order._id)).toContainEqual(expect.stringContaining('acknowledged'))
    expect(await shop.violations()).toEqual([])
  })
})

describe('Refund at the provider', () => {
  test('in part leaves only the rest to a later cancellation', async () => {
    const paid = await placePaidOrder('sqlite')
    const { shop, order, payment } = paid
    await shop.sandbox.createRefund(payment, { amount: 12_000 })
    await shop.deliverWebhooks()
    expect(statusAndCode(await cancelAsAdmin(paid))).toBe('200')
    await shop.reconcile()
    expect(await shop.sandbox.fetchPayment(payment)).toMatchObject({
      amount_refunded: 24_000,
      refund_status: 'full'
    })
    expect(await shop.fetchOrder(order._id)).toMatchObject({
      status: 'cancelled',
      paymentStatus: 'refunded'
    })
    expect(await shop.violations()).toEqual([])
  })

  test('leaves only the rest also if it is made after the cancellation', async () => {
    const paid = await placePaidOrder('sqlite')
    const { shop, order, payment } = paid
    await shop.sandbox.createRefund(payment, { amount: 12_000 })
    await shop.deliverWebhooks()
    await cancelAsAdmin(paid)
    await shop.sandbox.createRefund(payment, { amount: 5_000 })
    await shop.reconcile()
    expect(
      await shop.database.kysely.selectFrom('refunds').select(['amount', 'state']).execute()
    ).toEqual([
      { amount: 12_000, state: 'failed' },
      { amount: 7_000, state: 'processed' }
    ])
    expect(await shop.fetchOrder(order._id)).toMatchObject({
      paymentStatus: 'refunded',
      reversals: [{}, {}]
    })
    expect(await shop.violations()).toEqual([])
  })

  test('in several parts cancels the order when everything has gone back', async () => {
    const { shop, order, payment } = await placePaidOrder('sqlite')
    for (const amount of [10_000, 14_000]) {
      await shop.sandbox.createRefund(payment, { amount })
      await shop.deliverWebhooks()
    }
    expect(await shop.fetchOrder(order._id)).toMatchObject({
      status: 'cancelled',
      paymentStatus: 'refunded'
    })
    expect(await shop.violations()).toEqual([])
  })

  test('that fails lets the order continue', async () => {
    const { shop, order, payment } = await placePaidOrder('sqlite')
    await shop.sandbox.control('PUT', '/faults', { refundFail: 1 })
    await shop.sandbox.createRefund(payment)
    await shop.reconcile()
    expect(statusAndCode(await shop.changeStatus(order._id, 'pending', 'packed'))).toBe(
      '409 ORDER_ON_HOLD'
    )
    expect(statusAndCode(await callAs(shop.anita, shop, `POST /orders/${order._id}/cancel`))).toBe(
      '409 ORDER_ON_HOLD'
    )
    shop.clock.advance(MINUTE)
    await shop.deliverWebhooks()
    await shop.deliverWebhooks()
    expect(await shop.fetchOrder(order._id)).toMatchObject({
      status: 'pending',
      reversals: [{ state: 'void' }]
    })
    expect(statusAndCode(await shop.changeStatus(order._id, 'pending', 'packed'))).toBe('200')
    expect(await shop.violations()).toEqual([])
  })
})

describe.each(ENGINES)('Dispute at the provider on %s', engine => {
  test.each(['a webhook', 'reconciliation'])(
    'stops the order until it is won, found by %s',
    async source => {
      const paid = await placePaidOrder(engine)
      const { shop, order } = paid
      const find = async (): Promise<void> => {
        shop.clock.advance(11 * MINUTE)
        await (source === 'a webhook' ? shop.deliverWebhooks() : shop.reconcile())
      }
      const dispute = await openDispute(paid)
      await find()
      await find()
      expect(statusAndCode(await shop.changeStatus(order._id, 'pending', 'packed'))).toBe(
        '409 ORDER_ON_HOLD'
      )
      expect(statusAndCode(await cancelAsAdmin(paid))).toBe('409 ORDER_ON_HOLD')
      await closeDispute(paid, dispute, 'won')
      await find()
      expect(statusAndCode(await shop.changeStatus(order._id, 'pending', 'packed'))).toBe('200')
      expect(await ownerMails(shop)).toEqual([
        `Order ${order.orderNumber}: dispute of ₹240.00 at Razorpay`
      ])
      expect(await myOrders(shop, shop.anita)).toMatchObject([
        { status: 'packed', paymentStatus: 'completed' }
      ])
      expect(await shop.violations()).toEqual([])
    }
  )
})

describe('Dispute at the provider', () => {
  test('that is lost stops the order again, and a cancellation refunds nothing more', async () => {
    const paid = await placePaidOrder('sqlite')
    const { shop, order } = paid
    const dispute = await openDispute(paid)
    await shop.deliverWebhooks()
    await acknowledge(paid, dispute)
    await closeDispute(paid, dispute, 'lost')
    await shop.deliverWebhooks()
    expect(statusAndCode(await shop.changeStatus(order._id, 'pending', 'packed'))).toBe(
      '409 ORDER_ON_HOLD'
    )
    const cancelled = (await cancelAsAdmin(paid)).body as AdminOrder
    expect(cancelled).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded' })
    expect(await shop.database.kysely.selectFrom('refunds').selectAll().execute()).toEqual([])
    expect(await shop.stockOf('lemon')).toBe(50)
    expect(await shop.violations()).toEqual([])
  })
})

describe('Reversal at the provider', () => {
  test('of a delivered order is shown and mailed, and the order stays delivered', async () => {
    const { shop, order, payment } = await placePaidOrder('sqlite')
    await shop.changeStatus(order._id, 'pending', 'packed')
    await shop.changeStatus(order._id, 'packed', 'delivered')
    await shop.sandbox.createRefund(payment)
    await shop.deliverWebhooks()
    expect(await shop.fetchOrder(order._id)).toMatchObject({
      status: 'delivered',
      reversals: [{ amount: 240 }]
    })
    expect(await ownerMails(shop)).toHaveLength(1)
    expect(await shop.violations()).toEqual([])
  })

  test('in full of an order on its way cancels it, without a mail that it is shipped', async () => {
    const { shop, order, payment } = await placePaidOrder('sqlite')
    await shop.write(trx =>
      trx
        .updateTable('orders')
        .set({ delivery_method: 'courier' })
        .where('id', '=', order._id)
        .execute()
    )
    await shop.changeStatus(order._id, 'pending', 'packed')
    const shipment = { courier: 'DTDC', trackingNumber: 'D 1', trackingLink: '' }
    await shop.callAsAdmin(`POST /admin/orders/${order._id}/move`, {
      from: 'packed',
      to: 'shipped',
      shipment
    })
    await shop.sandbox.createRefund(payment)
    await shop.deliverWebhooks()
    expect(await shop.fetchOrder(order._id)).toMatchObject({ status: 'cancelled', shipment })
    shop.clock.advance(MINUTE)
    await shop.deliverMails()
    expect(shop.mails.filter(({ subject }) => /packed|on its way/.test(subject))).toEqual([])
    expect(await shop.violations()).toEqual([])
  })

  test('is not believed from a webhook if the provider does not confirm it', async () => {
    const paid = await placePaidOrder('sqlite')
    const { shop, order } = paid
    const { gateway } = shop.app.payments
    const dispute = await openDispute(paid)
    await closeDispute(paid, dispute, 'closed')
    shop.app.payments.gateway = {
      ...gateway,
      fetchDispute: async id => ({
        ...(await gateway.fetchDispute(id)),
        payment_id: 'pay_ofAnotherShop'
      })
    }
    await shop.deliverWebhooks()
    expect(await shop.fetchOrder(order._id)).toMatchObject({ status: 'pending', reversals: [] })
  })

  test('can be acknowledged only by an administrator', async () => {
    const paid = await placePaidOrder('sqlite')
    const { shop, order } = paid
    const reversals = [await openDispute(paid)]
    await shop.deliverWebhooks()
    const line = `POST /admin/orders/${order._id}/acknowledge`
    expect((await callAs(shop.anita, shop, line, { reversals })).status).toBe(403)
    expect(
      statusAndCode(await shop.callAsAdmin('POST /admin/orders/nobody/acknowledge', { reversals }))
    ).toBe('404 ORDER_NOT_FOUND')
  })
})
