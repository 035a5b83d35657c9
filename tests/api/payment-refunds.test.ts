import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '#lib/time.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  callAs,
  buy,
  myOrders,
  addShopper,
  openPayment,
  openCheckoutShop,
  placeOrder,
  type CheckoutShop
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]

async function refundsOf(shop: CheckoutShop): Promise<{ state: string; reason: string; seq: number }[]> {
  return shop.database.kysely.selectFrom('refunds').select(['state', 'reason', 'seq']).orderBy('seq').execute()
}

describe.each(ENGINES)("Payment that can't become an order on %s", engine => {
  test('is refunded if its order is already paid, and the order stays paid', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, { items: lemons })
    const proof = await shop.sandbox.pay(id)
    await placeOrder(shop, anita, proof)
    const { body } = await shop.sandbox.control('POST', '/pay2', { order_id: id })
    const again = await placeOrder(shop, anita, body as never)
    expect(again).toMatchObject({ status: 200, body: { razorpay_payment_id: proof.razorpay_payment_id } })
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ reason: 'second_payment', state: 'processed' }])
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending', paymentStatus: 'completed' }])
    expect(await shop.violations()).toEqual([])
  })

  test('is refunded if its amount or currency differs from the order', async () => {
    for (const wrong of [{ amount: 100 }, { currency: 'USD' }]) {
      const shop = await openCheckoutShop(engine, { products })
      const anita = await addShopper(shop)
      const { gateway } = shop.app.payments
      shop.app.payments.gateway = {
        ...gateway,
        fetchPayment: async id => ({ ...(await gateway.fetchPayment(id)), ...wrong })
      }
      const { id } = await openPayment(shop, anita, { items: lemons })
      expect(statusAndCode(await placeOrder(shop, anita, await shop.sandbox.pay(id)))).toBe('409 PAYMENT_REFUNDED')
      expect(await refundsOf(shop)).toMatchObject([{ reason: 'mismatch', state: 'due' }])
      expect(await myOrders(shop, anita)).toEqual([])
    }
  })
})

describe.each(ENGINES)('Refund on %s', engine => {
  async function cancelPaidOrder(shop: CheckoutShop): Promise<void> {
    const anita = await addShopper(shop)
    const { _id } = await buy(shop, anita, lemons)
    expect((await callAs(anita, shop, `POST /orders/${_id}/cancel`)).status).toBe(200)
  }

  test("is created only once if the provider's reply is lost", async () => {
    const shop = await openCheckoutShop(engine, { products })
    await cancelPaidOrder(shop)
    await shop.sandbox.control('PUT', '/faults', { loseAnswer: 1 })
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ state: 'due' }])
    await shop.sandbox.control('PUT', '/faults', {})
    shop.clock.advance(5 * MINUTE)
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ state: 'processed' }])
    expect(await shop.violations()).toEqual([])
  })

  test("is not created again if it was already created on the provider's dashboard", async () => {
    const shop = await openCheckoutShop(engine, { products })
    await cancelPaidOrder(shop)
    const { items } = (await shop.sandbox.call('GET', '/payments')).body as { items: { id: string }[] }
    await shop.sandbox.createRefund(items[0]?.id ?? '')
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ state: 'processed' }])
  })

  test('is tried three times if it fails at the provider, and then the shop gets a mail', async () => {
    const shop = await openCheckoutShop(engine, { products })
    await cancelPaidOrder(shop)
    await shop.sandbox.control('PUT', '/faults', { refundFail: 1 })
    for (let hours = 0; hours < 12; hours++) {
      await shop.reconcile()
      await shop.deliverWebhooks()
      shop.clock.advance(HOUR)
    }
    expect(await refundsOf(shop)).toMatchObject([
      { seq: 1, state: 'failed' },
      { seq: 2, state: 'failed' },
      { seq: 3, state: 'failed' }
    ])
    await shop.deliverMails()
    expect(shop.mails.map(({ subject }) => subject)).toContain('Refund of ₹240.00 failed: please check Razorpay')
  })

  test('is delayed while the provider is unreachable, and the shop gets a mail after some hours', async () => {
    const shop = await openCheckoutShop(engine, { products })
    await cancelPaidOrder(shop)
    await shop.sandbox.control('PUT', '/faults', { errorBefore: 1 })
    for (let n = 0; n < 8; n++) {
      await shop.reconcile()
      shop.clock.advance(HOUR)
    }
    await shop.sandbox.control('PUT', '/faults', {})
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ state: 'processed' }])
    await shop.deliverMails()
    expect(shop.mails.map(({ subject }) => subject)).toContain('Refund of ₹240.00 failed: please check Razorpay')
    expect(await shop.violations()).toEqual([])
  })
})
