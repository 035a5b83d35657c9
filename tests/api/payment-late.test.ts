import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import {
  addShopper,
  advanceAndReconcile,
  attemptPayment,
  callAs,
  buy,
  myOrders,
  openPayment,
  openCheckoutShop,
  placeOrder,
  stateOf
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]
const allLemons = [{ product: 'lemon', quantity: 10 }]

describe('Payment without a webhook', () => {
  test('keeps the stock reserved and gives the order the status "checking" while the payment is pending', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const [payment, bala] = [
      await openPayment(shop, anita, { items: lemons }),
      await addShopper(shop)
    ]
    const paymentId = await attemptPayment(shop, payment.id, 'pending')
    const sync = await callAs(anita, shop, `POST /payments/${payment.orderId}/sync`)
    expect(sync.body).toMatchObject({ state: 'checking', order: { status: 'checking' } })
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'checking', paymentStatus: 'pending' }
    ])
    await advanceAndReconcile(shop, 40 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(8)
    await shop.sandbox.control('POST', '/late', { payment_id: paymentId, outcome: 'failed' })
    await advanceAndReconcile(shop, 12 * MINUTE)
    expect(await myOrders(shop, anita)).toEqual([])
    expect(await shop.stockOf('lemon')).toBe(10)
    await buy(shop, bala, allLemons)
    expect(await shop.violations()).toEqual([])
  })

  test('is treated as failed if it is still pending after six days, and then its order expires', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    await attemptPayment(shop, id, 'pending')
    for (let day = 0; day < 6; day++) {
      shop.clock.advance(DAY)
      await shop.reconcile()
    }
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    expect((await callAs(anita, shop, `POST /payments/${orderId}/sync`)).body).toMatchObject({
      state: 'unpaid'
    })
    expect(await shop.stockOf('lemon')).toBe(10)
    expect(await shop.violations()).toEqual([])
  })

  test('is captured by the shop if it is only authorised', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    await attemptPayment(shop, id, 'authorized')
    const sync = await callAs(anita, shop, `POST /payments/${orderId}/sync`)
    expect(sync.body).toMatchObject({
      state: 'paid',
      order: { status: 'pending', paymentStatus: 'completed' }
    })
    expect(await shop.violations()).toEqual([])
  })

  test('keeps the stock reserved after a failed attempt and can be tried again', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    await attemptPayment(shop, id, 'failed')
    expect((await callAs(anita, shop, `POST /payments/${orderId}/sync`)).body).toMatchObject({
      state: 'unpaid'
    })
    expect(await shop.stockOf('lemon')).toBe(8)
    expect((await placeOrder(shop, anita, await shop.sandbox.pay(id))).status).toBe(201)
  })
})

describe.each(ENGINES)('Payment without a webhook on %s', engine => {
  test('is found by reconciliation within two minutes', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, { items: lemons })
    shop.clock.advance(17 * MINUTE)
    await shop.reconcile()
    await shop.sandbox.pay(id)
    shop.clock.advance(MINUTE)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
    expect(await shop.violations()).toEqual([])
  })
})

describe('Late payment', () => {
  test('is found by reconciliation even if it arrives days later and without a webhook', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, { items: lemons })
    const paymentId = await attemptPayment(shop, id, 'failed')
    await advanceAndReconcile(shop, 3 * HOUR)
    shop.clock.advance(3 * DAY)
    await shop.sandbox.control('POST', '/late', { payment_id: paymentId, outcome: 'captured' })
    shop.clock.advance(DAY)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'pending', razorpay_payment_id: paymentId }
    ])
    expect(await shop.violations()).toEqual([])
  })
})

describe.each(ENGINES)('Late payment on %s', engine => {
  test('completes its expired order at the original price if enough stock is left', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    const payment_id = await attemptPayment(shop, id, 'failed')
    await advanceAndReconcile(shop, HOUR)
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    await shop.write(trx =>
      trx
        .updateTable('products')
        .set({ price: 99 as never })
        .execute()
    )
    await shop.sandbox.control('POST', '/late', { payment_id, outcome: 'captured' })
    await shop.deliverWebhooks()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending', totalAmount: 240 }])
    expect(await shop.stockOf('lemon')).toBe(8)
    expect(await shop.violations()).toEqual([])
  })

  test('is refunded in full, with a mail to the shopper, if the product is sold out', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    const payment_id = await attemptPayment(shop, id, 'failed')
    await advanceAndReconcile(shop, HOUR)
    await buy(shop, bala, allLemons)
    await shop.sandbox.control('POST', '/late', { payment_id, outcome: 'captured' })
    await shop.deliverWebhooks()
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunding')
    await shop.reconcile()
    await shop.deliverWebhooks()
    await advanceAndReconcile(shop, 2 * HOUR)
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunded')
    expect(await myOrders(shop, anita)).toMatchObject([{ paymentStatus: 'refunded' }])
    expect((await callAs(anita, shop, `POST /payments/${orderId}/sync`)).body).toMatchObject({
      state: 'refunded'
    })
    await shop.deliverMails()
    const subjects = shop.mails
      .filter(({ to }) => to === 'anita@example.com')
      .map(({ subject }) => subject)
    expect(subjects.some(subject => /is being refunded/.test(subject))).toBe(true)
    expect(subjects.some(subject => /₹240.00 .* is on its way/.test(subject))).toBe(true)
    expect(await shop.violations()).toEqual([])
  })

  test('is captured by the shop only if enough stock is left', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    const first = await openPayment(shop, anita, { items: lemons })
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
    expect(await shop.sandbox.fetchPayment(payments[1] ?? '')).toMatchObject({
      status: 'authorized'
    })
    expect(await shop.stockOf('lemon')).toBe(0)
    const movements = await shop.database.kysely
      .selectFrom('stock_movements')
      .select('reason')
      .execute()
    expect(movements.map(({ reason }) => reason).toSorted()).toEqual([
      'expired',
      'expired',
      'reserved',
      'reserved',
      'revived'
    ])
  })
})

describe('Late payment', () => {
  test('is refunded in full if it was created more than a minute after the promised end of the reservation', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const first = await openPayment(shop, anita, { items: lemons })
    await advanceAndReconcile(shop, 31 * MINUTE)
    await placeOrder(shop, anita, await shop.sandbox.pay(first.id))
    expect(await stateOf(shop, anita, first.orderId)).toBe('pending completed')
    const second = await openPayment(shop, anita, { items: lemons })
    await advanceAndReconcile(shop, 32 * MINUTE)
    const late = await placeOrder(shop, anita, await shop.sandbox.pay(second.id))
    expect(late.body).toMatchObject({ code: 'PAYMENT_REFUNDED' })
    expect(await stateOf(shop, anita, second.orderId)).toBe('cancelled refunding')
    expect(await shop.stockOf('lemon')).toBe(8)
    expect(await shop.violations()).toEqual([])
  })

  test('is not accepted at the original price days later, even if the checkout was extended', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const key = randomUUID()
    const { id, orderId } = await openPayment(shop, anita, { items: lemons, key })
    await advanceAndReconcile(shop, 14 * MINUTE)
    await openPayment(shop, anita, { items: lemons, amount: 240, key })
    await advanceAndReconcile(shop, HOUR)
    shop.clock.advance(6 * DAY)
    await shop.sandbox.pay(id)
    await shop.deliverWebhooks()
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunding')
    expect(await shop.violations()).toEqual([])
  })

  test('does not revive an order that the shopper has cancelled', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    const other = await openPayment(shop, await addShopper(shop), { items: lemons })
    const payment_id = await attemptPayment(shop, id, 'failed')
    await callAs(anita, shop, `POST /orders/${orderId}/cancel`)
    await shop.sandbox.control('POST', '/late', { payment_id, outcome: 'authorized' })
    await shop.sandbox.pay(other.id)
    await shop.deliverWebhooks()
    await advanceAndReconcile(shop, 20 * MINUTE)
    expect(await shop.sandbox.fetchPayment(payment_id)).toMatchObject({ status: 'authorized' })
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled failed')
    await shop.sandbox.control('POST', '/late', { payment_id, outcome: 'captured' })
    await shop.deliverWebhooks()
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunding')
    expect(await shop.violations()).toEqual([])
  })

  test('is left alone if it is only authorised and was created after the reservation', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    await advanceAndReconcile(shop, HOUR)
    const paymentId = await attemptPayment(shop, id, 'authorized')
    await shop.deliverWebhooks()
    await advanceAndReconcile(shop, 20 * MINUTE)
    expect(await shop.sandbox.fetchPayment(paymentId)).toMatchObject({ status: 'authorized' })
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    expect(await shop.stockOf('lemon')).toBe(10)
  })

  test('becomes an order even if the shopper has started and paid another checkout', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const first = await openPayment(shop, anita, { items: lemons })
    const second = await openPayment(shop, anita, { items: lemons })
    await shop.sandbox.pay(first.id)
    await placeOrder(shop, anita, await shop.sandbox.pay(second.id))
    await shop.deliverWebhooks()
    expect(await myOrders(shop, anita)).toHaveLength(2)
    expect(await shop.violations()).toEqual([])
  })
})
