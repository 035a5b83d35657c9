import { describe, expect, test } from 'vitest'
import type { PaymentDecision } from '#lib/contract/admin.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import { updateRefund } from '#server/orders/payment/send-refunds.ts'
import { PaymentError, type ProviderRefund } from '#server/razorpay/client.ts'
import { ADMIN, call, logInAsAdmin, statusAndCode } from '../support/accounts.ts'
import {
  callAs,
  buy,
  myOrders,
  addShopper,
  openPayment,
  openCheckoutShop,
  placeOrder,
  stateOf,
  type CheckoutShop
} from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]

async function refundsOf(
  shop: CheckoutShop
): Promise<{ state: string; reason: string; seq: number }[]> {
  return shop.database.kysely
    .selectFrom('refunds')
    .select(['state', 'reason', 'seq'])
    .orderBy('seq')
    .execute()
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
    expect(again).toMatchObject({
      status: 200,
      body: { razorpay_payment_id: proof.razorpay_payment_id }
    })
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ reason: 'second_payment', state: 'processed' }])
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'pending', paymentStatus: 'completed' }
    ])
    expect(await shop.violations()).toEqual([])
  })
})

describe("Payment that can't become an order", () => {
  test('is refunded if its amount or currency differs from the order', async () => {
    for (const wrong of [{ amount: 100 }, { currency: 'USD' }]) {
      const shop = await openCheckoutShop('sqlite', { products })
      const anita = await addShopper(shop)
      const { gateway } = shop.app.payments
      shop.app.payments.gateway = {
        ...gateway,
        fetchPayment: async id => ({ ...(await gateway.fetchPayment(id)), ...wrong })
      }
      const { id } = await openPayment(shop, anita, { items: lemons })
      expect(statusAndCode(await placeOrder(shop, anita, await shop.sandbox.pay(id)))).toBe(
        '409 PAYMENT_REFUNDED'
      )
      expect(await refundsOf(shop)).toMatchObject([{ reason: 'mismatch', state: 'due' }])
      expect(await myOrders(shop, anita)).toEqual([])
    }
  })
})

async function cancelPaidOrder(shop: CheckoutShop): Promise<void> {
  const anita = await addShopper(shop)
  const { _id } = await buy(shop, anita, lemons)
  expect((await callAs(anita, shop, `POST /orders/${_id}/cancel`)).status).toBe(200)
}

describe.each(ENGINES)('Refund on %s', engine => {
  test("is created only once if the provider's reply is lost", async () => {
    const shop = await openCheckoutShop(engine, { products })
    await cancelPaidOrder(shop)
    const { gateway } = shop.app.payments
    shop.app.payments.gateway = {
      ...gateway,
      async refund(...request) {
        await gateway.refund(...request)
        throw new PaymentError('unavailable', 'The reply is lost')
      }
    }
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ state: 'due' }])
    shop.clock.advance(5 * MINUTE)
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ state: 'processed' }])
    expect(await shop.violations()).toEqual([])
  })
})

describe('Refund', () => {
  test("is not created again if it was already created on the provider's dashboard", async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    await cancelPaidOrder(shop)
    const { items } = (await shop.sandbox.call('GET', '/payments')).body as {
      items: { id: string }[]
    }
    await shop.sandbox.createRefund(items[0]?.id ?? '')
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ state: 'failed' }])
    expect(
      (await shop.database.kysely.selectFrom('orders').select('payment_state').execute())[0]
    ).toEqual({
      payment_state: 'refunded'
    })
    expect(await shop.violations()).toEqual([])
  })

  test('is tried three times if it fails at the provider, and then the shop gets a mail', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
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
    expect(shop.mails.map(({ subject }) => subject)).toContain(
      'Refund of ₹240.00 failed: please decide what to do'
    )
  })

  test('is delayed while the provider is unreachable, and the shop gets a mail after some hours', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
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
    expect(shop.mails.map(({ subject }) => subject)).toContain(
      'Refund of ₹240.00 failed: please check Razorpay'
    )
    expect(await shop.violations()).toEqual([])
  })

  test('that the bank has not made for hours is no failure of the shop, whose mail needs five failures', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    await cancelPaidOrder(shop)
    const { gateway } = shop.app.payments
    const toPending = (refund: ProviderRefund): ProviderRefund => ({ ...refund, status: 'pending' })
    shop.app.payments.gateway = {
      ...gateway,
      refund: async (...request) => toPending(await gateway.refund(...request)),
      fetchRefund: async id => toPending(await gateway.fetchRefund(id))
    }
    for (let n = 0; n < 5; n++) {
      await shop.reconcile()
      shop.clock.advance(HOUR)
    }
    await shop.sandbox.control('PUT', '/faults', { errorBefore: 1 })
    for (let n = 0; n < 2; n++) {
      await shop.reconcile()
      shop.clock.advance(HOUR)
    }
    await shop.deliverMails()
    expect(shop.mails.filter(({ subject }) => subject.includes('failed'))).toEqual([])
    expect(await refundsOf(shop)).toMatchObject([{ state: 'sent' }])
  })

  test('is not checked again if a webhook has ended it while a check was on its way', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    await cancelPaidOrder(shop)
    const { gateway } = shop.app.payments
    shop.app.payments.gateway = {
      ...gateway,
      refund: async (...request) => ({ ...(await gateway.refund(...request)), status: 'pending' }),
      async fetchRefund(id) {
        const refund = await gateway.fetchRefund(id)
        await updateRefund(shop.app, refund)
        return { ...refund, status: 'pending' }
      }
    }
    await shop.reconcile()
    shop.clock.advance(HOUR)
    await shop.reconcile()
    const refunds = await shop.database.kysely
      .selectFrom('refunds')
      .select(['state', 'next_at'])
      .execute()
    expect(refunds).toEqual([{ state: 'processed', next_at: null }])
  })
})

/** The provider account is replaced after the order was cancelled. */
async function openShopWithNewAccount(engine: Engine) {
  const shop = await openCheckoutShop(engine, { products })
  const [anita, { token }] = [await addShopper(shop), await logInAsAdmin(shop)]
  const { _id } = await buy(shop, anita, lemons)
  await callAs(anita, shop, `POST /orders/${_id}/cancel`)
  const { gateway } = shop.app.payments
  const calls: string[] = []
  const refuse = async (): Promise<never> => {
    calls.push('call')
    throw new PaymentError('refused', 'The id provided does not exist', { status: 400 })
  }
  shop.app.payments.gateway = { ...gateway, refund: refuse, listRefunds: refuse }
  const decide = async (decision: PaymentDecision['decision']) => {
    const { kysely } = shop.database
    const { id } = await kysely.selectFrom('payments').select('id').executeTakeFirstOrThrow()
    await call(shop, 'POST /admin/verification', {
      token,
      body: { proof: { password: ADMIN.password } }
    })
    return call(shop, `POST /admin/unmatched-payments/${id}`, { token, body: { decision } })
  }
  const listed = async () => (await call(shop, 'GET /admin/unmatched-payments', { token })).body
  return { shop, anita, orderId: _id, calls, gateway, decide, listed }
}

async function waitADay(shop: CheckoutShop): Promise<void> {
  for (let hour = 0; hour < 26; hour++) {
    shop.clock.advance(HOUR)
    await shop.reconcile()
  }
}

describe.each(ENGINES)('Refund that the provider refuses, on %s', engine => {
  test('is not tried any more after a day and is listed until an administrator marks it as done', async () => {
    const { shop, anita, orderId, calls, decide, listed } = await openShopWithNewAccount(engine)
    shop.clock.advance(HOUR)
    await shop.reconcile()
    expect(await listed()).toEqual([])
    await waitADay(shop)
    expect(await listed()).toMatchObject([
      { amount: 240, problem: 'refund_failed', orderNumber: expect.any(String) }
    ])
    await shop.deliverMails()
    expect(shop.mails.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining([
        'Refund of ₹240.00 failed: please check Razorpay',
        'Refund of ₹240.00 failed: please decide what to do'
      ])
    )
    const asked = calls.length
    await waitADay(shop)
    expect(calls).toHaveLength(asked)
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunding')
    expect((await decide('keep')).body).toEqual({ message: 'The refund is marked as done.' })
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunded')
    expect(await listed()).toEqual([])
    expect(statusAndCode(await decide('keep'))).toBe('409 EDIT_CONFLICT')
  })
})

describe('Refund that the provider refuses', () => {
  test('is sent once more if an administrator asks for it', async () => {
    const { shop, anita, orderId, gateway, decide, listed } = await openShopWithNewAccount('sqlite')
    await waitADay(shop)
    expect((await decide('refund')).status).toBe(200)
    expect(statusAndCode(await decide('refund'))).toBe('409 EDIT_CONFLICT')
    expect(await listed()).toEqual([])
    shop.app.payments.gateway = gateway
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ state: 'processed', seq: 1 }])
    expect(await stateOf(shop, anita, orderId)).toBe('cancelled refunded')
    expect(await shop.violations()).toEqual([])
  })

  test('is told again if it is refused again after an administrator has asked for it', async () => {
    const { shop, decide, listed } = await openShopWithNewAccount('sqlite')
    await waitADay(shop)
    expect((await decide('refund')).status).toBe(200)
    await waitADay(shop)
    expect(await listed()).toMatchObject([{ problem: 'refund_failed' }])
    await shop.deliverMails()
    const told = shop.mails.filter(
      ({ subject }) => subject === 'Refund of ₹240.00 failed: please decide what to do'
    )
    expect(told).toHaveLength(2)
  })

  test('has a new key if it has failed three times', async () => {
    const { shop, gateway, decide, listed } = await openShopWithNewAccount('sqlite')
    shop.app.payments.gateway = gateway
    await shop.sandbox.control('PUT', '/faults', { refundFail: 1 })
    for (let hours = 0; hours < 12; hours++) {
      await shop.reconcile()
      await shop.deliverWebhooks()
      shop.clock.advance(HOUR)
    }
    expect(await listed()).toMatchObject([{ problem: 'refund_failed' }])
    await shop.sandbox.control('PUT', '/faults', {})
    expect((await decide('refund')).status).toBe(200)
    await shop.reconcile()
    expect((await refundsOf(shop)).at(-1)).toMatchObject({ state: 'processed', seq: 4 })
    expect(await listed()).toEqual([])
    expect(await shop.violations()).toEqual([])
  })
})
