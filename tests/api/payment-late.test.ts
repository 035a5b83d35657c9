import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import {
  callAs,
  buy,
  myOrders,
  addShopper,
  openPayment,
  openCheckoutShop,
  placeOrder,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]
const allLemons = [{ product: 'lemon', quantity: 10 }]

async function attemptPayment(
  shop: CheckoutShop,
  order_id: string,
  outcome: 'pending' | 'authorized' | 'failed'
): Promise<string> {
  await shop.sandbox.control('POST', '/pay', { order_id, outcome })
  const { body } = await shop.sandbox.call('GET', `/orders/${order_id}/payments`)
  return (body['items'] as { id: string }[])[0]?.id ?? ''
}

async function stateOf(shop: CheckoutShop, shopper: Shopper, orderId: string): Promise<string> {
  const { status, paymentStatus } = (await callAs(shopper, shop, `GET /orders/${orderId}`)).body as {
    status: string
    paymentStatus: string
  }
  return `${status} ${paymentStatus}`
}

async function advanceAndReconcile(shop: CheckoutShop, ms: number): Promise<void> {
  for (const until = shop.clock() + ms; shop.clock() < until;) {
    shop.clock.advance(Math.min(10 * MINUTE, until - shop.clock()))
    await shop.reconcile()
  }
}

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
    await advanceAndReconcile(shop, 32 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
  })
})

describe.each(ENGINES)('Unpaid order on %s', engine => {
  test('releases its stock after 30 minutes and not earlier', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { orderId } = await openPayment(shop, anita, { items: lemons })
    await advanceAndReconcile(shop, 29 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(8)
    await advanceAndReconcile(shop, 2 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    expect(await myOrders(shop, anita)).toEqual([])
    expect(await shop.violations()).toEqual([])
  })
})

describe('Payment without a webhook', () => {
  test('keeps the stock reserved and gives the order the status "checking" while the payment is pending', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const [payment, bala] = [await openPayment(shop, anita, { items: lemons }), await addShopper(shop)]
    const paymentId = await attemptPayment(shop, payment.id, 'pending')
    const sync = await callAs(anita, shop, `POST /payments/${payment.orderId}/sync`)
    expect(sync.body).toMatchObject({ state: 'checking', order: { status: 'checking' } })
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'checking', paymentStatus: 'pending' }])
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
    expect((await callAs(anita, shop, `POST /payments/${orderId}/sync`)).body).toMatchObject({ state: 'unpaid' })
    expect(await shop.stockOf('lemon')).toBe(10)
    expect(await shop.violations()).toEqual([])
  })

  test('is captured by the shop if it is only authorised', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    await attemptPayment(shop, id, 'authorized')
    const sync = await callAs(anita, shop, `POST /payments/${orderId}/sync`)
    expect(sync.body).toMatchObject({ state: 'paid', order: { status: 'pending', paymentStatus: 'completed' } })
    expect(await shop.violations()).toEqual([])
  })

  test('keeps the stock reserved after a failed attempt and can be tried again', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    await attemptPayment(shop, id, 'failed')
    expect((await callAs(anita, shop, `POST /payments/${orderId}/sync`)).body).toMatchObject({ state: 'unpaid' })
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
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending', razorpay_payment_id: paymentId }])
    expect(await shop.violations()).toEqual([])
  })
})

describe.each(ENGINES)('Late payment on %s', engine => {
  test('completes its expired order at the original price if enough stock is left', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    await advanceAndReconcile(shop, HOUR)
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    await shop.write(trx =>
      trx
        .updateTable('products')
        .set({ price: 99 as never })
        .execute()
    )
    await shop.sandbox.pay(id)
    await shop.deliverWebhooks()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending', totalAmount: 240 }])
    expect(await shop.stockOf('lemon')).toBe(8)
    expect(await shop.violations()).toEqual([])
  })

  test('is refunded in full, with a mail to the shopper, if the product is sold out', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    await advanceAndReconcile(shop, HOUR)
    await buy(shop, bala, allLemons)
    const proof = await shop.sandbox.pay(id)
    expect((await placeOrder(shop, anita, proof)).body).toMatchObject({ code: 'PAYMENT_REFUNDED' })
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunding')
    await shop.reconcile()
    await shop.deliverWebhooks()
    await advanceAndReconcile(shop, 2 * HOUR)
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunded')
    expect(await myOrders(shop, anita)).toMatchObject([{ paymentStatus: 'refunded' }])
    expect((await callAs(anita, shop, `POST /payments/${orderId}/sync`)).body).toMatchObject({ state: 'refunded' })
    await shop.deliverMails()
    const subjects = shop.mails.filter(({ to }) => to === 'anita@example.com').map(({ subject }) => subject)
    expect(subjects.some(subject => /is being refunded/.test(subject))).toBe(true)
    expect(subjects.some(subject => /₹240.00 .* is on its way/.test(subject))).toBe(true)
    expect(await shop.violations()).toEqual([])
  })

  test('is captured by the shop only if enough stock is left', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    const first = await openPayment(shop, anita, { items: lemons })
    const second = await openPayment(shop, bala, { items: [{ product: 'lemon', quantity: 8 }] })
    const payments = [await attemptPayment(shop, first.id, 'failed'), await attemptPayment(shop, second.id, 'failed')]
    await advanceAndReconcile(shop, HOUR)
    for (const payment_id of payments)
      await shop.sandbox.control('POST', '/late', { payment_id, outcome: 'authorized' })
    await shop.write(trx => trx.updateTable('products').set({ stock: 2 }).execute())
    await advanceAndReconcile(shop, 20 * MINUTE)
    expect(await stateOf(shop, anita, first.orderId)).toBe('pending completed')
    expect(await stateOf(shop, bala, second.orderId)).toBe('expired failed')
    expect(await shop.sandbox.fetchPayment(payments[1] ?? '')).toMatchObject({ status: 'authorized' })
    expect(await shop.stockOf('lemon')).toBe(0)
    const movements = await shop.database.kysely.selectFrom('stock_movements').select('reason').execute()
    expect(movements.map(({ reason }) => reason).toSorted()).toEqual([
      'expired',
      'expired',
      'reserved',
      'reserved',
      'revived'
    ])
  })

  test('becomes an order even if the shopper has started and paid another checkout', async () => {
    const shop = await openCheckoutShop(engine, { products })
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
