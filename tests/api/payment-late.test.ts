import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { reconcileRecent } from '#server/orders/payment/jobs.ts'
import { expectOk, expectOutcome } from '../support/accounts.ts'
import {
  addShopper,
  advanceAndReconcile,
  attemptPayment,
  buy,
  callAs,
  type CheckoutShop,
  myOrders,
  openCheckoutShop,
  openLemonShop,
  openPayment,
  placeOrder,
  refundsOf,
  requestPayment,
  type Shopper,
  stateOf,
  subjectsOf
} from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { payLate } from '../support/places.ts'

const allLemons = [{ product: 'lemon', quantity: 10 }]

/** Anita has tried to pay her checkout of two packs. */
async function openAttempt(
  outcome: 'pending' | 'authorized' | 'failed',
  engine: Engine = 'sqlite'
) {
  const opened = await openLemonShop(engine)
  const { id, orderId } = await openPayment(opened.shop, opened.anita)
  const payment = await attemptPayment(opened.shop, id, outcome)
  return { ...opened, id, orderId, payment }
}

const sync = async (shop: CheckoutShop, shopper: Shopper, orderId: string) =>
  (await callAs(shopper, shop, `POST /payments/${orderId}/sync`)).body

describe('Payment without a webhook', () => {
  test('keeps the stock reserved and gives the order the status "checking" while it is pending', async () => {
    const { shop, anita, bala, orderId, payment } = await openAttempt('pending')
    const checking = { state: 'checking', order: { status: 'checking' } }
    expect(await sync(shop, anita, orderId)).toMatchObject(checking)
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'checking', paymentStatus: 'pending' }
    ])
    await advanceAndReconcile(shop, 40 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(8)
    await shop.sandbox.control('POST', '/late', { payment_id: payment, outcome: 'failed' })
    await advanceAndReconcile(shop, 12 * MINUTE)
    expect(await myOrders(shop, anita)).toEqual([])
    await buy(shop, bala, allLemons)
  })

  test('is treated as failed if it is still pending after six days, and then its order expires', async () => {
    const { shop, anita, orderId } = await openAttempt('pending')
    for (let day = 0; day < 6; day++) {
      shop.clock.advance(DAY)
      await shop.reconcile()
    }
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    expect(await sync(shop, anita, orderId)).toMatchObject({ state: 'unpaid' })
    expect(await shop.stockOf('lemon')).toBe(10)
  })

  test('is captured by the shop if it is only authorised', async () => {
    const { shop, anita, orderId } = await openAttempt('authorized')
    const order = { status: 'pending', paymentStatus: 'completed' }
    expect(await sync(shop, anita, orderId)).toMatchObject({ state: 'paid', order })
  })

  test('does not keep the stock reserved if it has failed, although the browser reports it', async () => {
    const { shop, anita } = await openLemonShop()
    const { id, orderId } = await openPayment(shop, anita)
    const { body } = await shop.sandbox.control('POST', '/pay', {
      order_id: id,
      outcome: 'authorized'
    })
    await payLate(shop, String(body['razorpay_payment_id']), 'failed')
    expect((await placeOrder(shop, anita, body as never)).status).toBe(202)
    await advanceAndReconcile(shop, 40 * MINUTE)
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    expect(await shop.stockOf('lemon')).toBe(10)
  })

  test('is found by reconciliation within two minutes, and days later if its first attempt failed', async () => {
    const { shop, anita, bala } = await openLemonShop()
    const first = await openPayment(shop, anita)
    const second = await openPayment(shop, bala)
    const failed = await attemptPayment(shop, second.id, 'failed')
    shop.clock.advance(17 * MINUTE)
    await shop.reconcile()
    await shop.sandbox.pay(first.id)
    shop.clock.advance(MINUTE)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
    await advanceAndReconcile(shop, 3 * HOUR)
    shop.clock.advance(3 * DAY)
    await shop.sandbox.control('POST', '/late', { payment_id: failed, outcome: 'captured' })
    shop.clock.advance(DAY)
    await shop.reconcile()
    expect(await myOrders(shop, bala)).toMatchObject([
      { status: 'pending', razorpay_payment_id: failed }
    ])
  })
})

describe.each(ENGINES)('Late payment on %s', engine => {
  test('completes its expired order at the original price if enough stock is left', async () => {
    const { shop, anita, orderId, payment } = await openAttempt('failed', engine)
    await advanceAndReconcile(shop, HOUR)
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    const price = { price: 99 as never }
    await shop.write(trx => trx.updateTable('products').set(price).execute())
    await payLate(shop, payment)
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending', totalAmount: 240 }])
    expect(await shop.stockOf('lemon')).toBe(8)
  })

  test('is refunded in full, with a mail to the shopper, if the product is sold out', async () => {
    const { shop, anita, bala, orderId, payment } = await openAttempt('failed', engine)
    await advanceAndReconcile(shop, HOUR)
    await buy(shop, bala, allLemons)
    await payLate(shop, payment)
    await shop.reconcile()
    await shop.deliverWebhooks()
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunded')
    expect(await sync(shop, anita, orderId)).toMatchObject({ state: 'refunded' })
    const subjects = await subjectsOf(shop)
    expect(subjects).toContainEqual(expect.stringMatching(/is being refunded/))
    expect(subjects).toContainEqual(expect.stringMatching(/₹240.00 .* is on its way/))
  })

  test('is captured by the shop only if enough stock is left', async () => {
    const products = { lemon: { price: 120, stock: 10 } }
    const shop = await openCheckoutShop(engine, { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    const first = await openPayment(shop, anita)
    const second = await openPayment(shop, bala, { items: [{ product: 'lemon', quantity: 8 }] })
    const payments = [
      await attemptPayment(shop, first.id, 'failed'),
      await attemptPayment(shop, second.id, 'failed')
    ]
    await advanceAndReconcile(shop, HOUR)
    for (const payment_id of payments)
      await shop.sandbox.control('POST', '/late', { payment_id, outcome: 'authorized' })
    await shop.write(trx => trx.updateTable('products').set({ stock: 2 }).execute())
    await advanceAndReconcile(shop, 20 * MINUTE)
    expect(await stateOf(shop, anita, first.orderId)).toBe('pending completed')
    expect(await stateOf(shop, bala, second.orderId)).toBe('expired failed')
    expect((await shop.sandbox.fetchPayment(payments[1] ?? '')).status).toBe('authorized')
    expect(await shop.stockOf('lemon')).toBe(0)
  })
})

describe('Late payment', () => {
  test('is refunded if it was created more than a minute after the promised end of the reservation', async () => {
    const { shop, anita } = await openLemonShop()
    const first = await openPayment(shop, anita)
    await advanceAndReconcile(shop, 31 * MINUTE)
    await placeOrder(shop, anita, await shop.sandbox.pay(first.id))
    expect(await stateOf(shop, anita, first.orderId)).toBe('pending completed')
    const second = await openPayment(shop, anita)
    await advanceAndReconcile(shop, 32 * MINUTE)
    const late = await placeOrder(shop, anita, await shop.sandbox.pay(second.id))
    await expectOutcome(late, '409 PAYMENT_REFUNDED')
    expect(await stateOf(shop, anita, second.orderId)).toBe('cancelled refunding')
    expect(await shop.stockOf('lemon')).toBe(8)
  })

  test('does not revive an order that the shopper has cancelled', async () => {
    const { shop, anita, orderId, payment } = await openAttempt('failed')
    await callAs(anita, shop, `POST /orders/${orderId}/cancel`)
    await payLate(shop, payment, 'authorized')
    await advanceAndReconcile(shop, 20 * MINUTE)
    expect((await shop.sandbox.fetchPayment(payment)).status).toBe('authorized')
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled failed')
    await payLate(shop, payment)
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunding')
  })

  test('becomes an order even if the shopper has started and paid another checkout', async () => {
    const { shop, anita } = await openLemonShop()
    const [first, second] = [await openPayment(shop, anita), await openPayment(shop, anita)]
    await shop.sandbox.pay(first.id)
    await placeOrder(shop, anita, await shop.sandbox.pay(second.id))
    await shop.deliverWebhooks()
    expect(await myOrders(shop, anita)).toHaveLength(2)
  })
})

test.for(ENGINES)(
  'A payment that is too late while another is pending is refunded, and the stock released once, on %s',
  async engine => {
    const { shop, anita, id, orderId, payment: first } = await openAttempt('pending', engine)
    await advanceAndReconcile(shop, 40 * MINUTE)
    const reply = await placeOrder(shop, anita, await shop.sandbox.pay(id))
    await expectOutcome(reply, '409 PAYMENT_REFUNDED')
    expect(await shop.stockOf('lemon')).toBe(10)
    await payLate(shop, first, 'failed')
    await advanceAndReconcile(shop, HOUR)
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunded')
    expect(await refundsOf(shop)).toMatchObject([{ reason: 'too_late', amount: 24_000 }])
    expect(await shop.stockOf('lemon')).toBe(10)
  }
)

test('A known checkoutKey opens no payment that could be created after the promised end', async () => {
  const { shop, anita } = await openLemonShop()
  const key = randomUUID()
  await openPayment(shop, anita, { key })
  shop.clock.advance(15 * MINUTE)
  await expectOk(requestPayment(shop, anita, { key }))
  shop.clock.advance(1)
  await expectOutcome(requestPayment(shop, anita, { key }), '409 CHECKOUT_CHANGED')
  await expectOk(requestPayment(shop, anita))
  expect(await shop.stockOf('lemon')).toBe(8)
})

describe.each(ENGINES)('Sweep of the provider’s payments on %s', engine => {
  test('covers six days once a day and two days every ten minutes, in only one of several processes', async () => {
    const { shop } = await openLemonShop(engine)
    const { gateway } = shop.app.payments
    const sweeps: number[] = []
    const listPayments: typeof gateway.listPayments = period => {
      sweeps.push((period.to - period.from) / DAY)
      return gateway.listPayments(period)
    }
    shop.app.payments.gateway = { ...gateway, listPayments }
    const sweep = (holder: string) => reconcileRecent(shop.app, holder)
    await Promise.all([sweep('first process'), sweep('second process')])
    expect(sweeps).toEqual([6])
    shop.clock.advance(10 * MINUTE)
    await sweep('second process')
    await sweep('first process')
    expect(sweeps).toEqual([6, 2])
    shop.clock.advance(DAY)
    await sweep('first process')
    expect(sweeps).toEqual([6, 2, 6])
  })

  test('goes on with the other payments if the provider refuses to look up one', async () => {
    const { shop, anita } = await openLemonShop(engine)
    await shop.sandbox.pay((await openPayment(shop, anita)).id)
    const { gateway } = shop.app.payments
    shop.app.payments.gateway = {
      ...gateway,
      async listPayments(period) {
        const page = await gateway.listPayments(period)
        const lost = { id: 'pay_lost', order_id: 'order_lost' }
        return [...page.map(payment => ({ ...payment, ...lost })), ...page]
      }
    }
    await reconcileRecent(shop.app, 'this process')
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
  })
})
