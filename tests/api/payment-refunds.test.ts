import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE, DAY } from '#lib/time.ts'
import { PaymentError, createRazorpay } from '#server/razorpay/client.ts'
import { expectOk, expectOutcome } from '../support/accounts.ts'
import { cancel } from '../support/admin-orders.ts'
import {
  myOrders,
  openCheckoutShop,
  addShopper,
  openLemonShop,
  openPayment,
  placeOrder,
  refundsOf,
  stateOf,
  subjectsOf,
  requestPayment,
  setProviderTimeout
} from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { failHourly, openCase } from '../support/failed-refunds.ts'

describe.each(ENGINES)("Payment that can't become an order on %s", engine => {
  test('is refunded if its order is already paid, and the order stays paid', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const { id } = await openPayment(shop, anita)
    const proof = await shop.sandbox.pay(id)
    await placeOrder(shop, anita, proof)
    const { body } = await shop.sandbox.control('POST', '/pay2', { order_id: id })
    expect(await placeOrder(shop, anita, body as never)).toMatchObject({
      status: 200,
      body: { razorpay_payment_id: proof.razorpay_payment_id }
    })
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ reason: 'second_payment', state: 'processed' }])
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'pending', paymentStatus: 'completed' }
    ])
  })

  test.for([{ amount: 100 }, { currency: 'USD' }])(
    'is refunded if its amount or currency differs from the order: %o',
    async wrong => {
      const shop = await openCheckoutShop(engine, { products: { lemon: {} } })
      const anita = await addShopper(shop)
      const { gateway } = shop.app.payments
      shop.app.payments.gateway = {
        ...gateway,
        fetchPayment: async id => ({ ...(await gateway.fetchPayment(id)), ...wrong })
      }
      const { id } = await openPayment(shop, anita)
      const reply = await placeOrder(shop, anita, await shop.sandbox.pay(id))
      await expectOutcome(reply, '409 PAYMENT_REFUNDED')
      expect(await refundsOf(shop)).toMatchObject([{ reason: 'mismatch', state: 'due' }])
      expect(await myOrders(shop, anita)).toEqual([])
    }
  )
})

describe.each(ENGINES)('Refund of a cancelled order on %s', engine => {
  test("is created only once if the provider's reply is lost", async () => {
    const { shop, id } = await openCase(engine)
    await cancel(shop, id)
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
  })

  test('is tried three times if it fails at the provider, and is then still to come until the shop decides', async () => {
    const { shop, id, decide, listed, settled } = await openCase(engine)
    await shop.sandbox.setFaults({ refundFail: 1 })
    await cancel(shop, id)
    await failHourly(shop, 8)
    await shop.sandbox.setFaults({})
    expect(await refundsOf(shop)).toMatchObject(
      [1, 2, 3].map(seq => ({ seq, amount: 54_050, state: 'failed' }))
    )
    expect(await subjectsOf(shop)).toContain('Refund of ₹540.50 failed: please decide what to do')
    expect(await listed()).toEqual([540.5])
    expect(await myOrders(shop, shop.anita)).toMatchObject([
      { paymentStatus: 'refunding', refunds: { processed: 0, due: 540.5 } }
    ])
    await expectOk(decide('refund'))
    expect(await settled()).toBe(540.5)
  })

  test('is delayed while the provider is unreachable, and the shop gets a mail after some hours', async () => {
    const { shop, id } = await openCase(engine)
    await cancel(shop, id)
    await shop.sandbox.setFaults({ errorBefore: 1 })
    await failHourly(shop, 8)
    await shop.sandbox.setFaults({})
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ state: 'processed' }])
    expect(await subjectsOf(shop)).toContain('Refund of ₹540.50 failed: please check Razorpay')
  })
})

/** The provider account is replaced after the order was cancelled. */
async function openShopWithNewAccount(engine: Engine) {
  const found = await openCase(engine)
  const { shop, id } = found
  await cancel(shop, id)
  const { gateway } = shop.app.payments
  const calls: string[] = []
  const refuse = async () => {
    calls.push('call')
    throw new PaymentError('refused', 'The id provided does not exist', { status: 400 })
  }
  shop.app.payments.gateway = { ...gateway, refund: refuse, listRefunds: refuse }
  return { ...found, calls, gateway }
}

describe.each(ENGINES)('Refund that the provider refuses, on %s', engine => {
  test('is not tried any more after a day and is listed until an administrator marks it as done', async () => {
    const { shop, id, calls, decide, listed } = await openShopWithNewAccount(engine)
    shop.clock.advance(HOUR)
    await shop.reconcile()
    expect(await listed()).toEqual([])
    await failHourly(shop, 26)
    expect(await listed()).toEqual([540.5])
    expect(await subjectsOf(shop)).toContain('Refund of ₹540.50 failed: please decide what to do')
    const asked = calls.length
    await failHourly(shop, 26)
    expect(calls).toHaveLength(asked)
    expect((await decide('keep')).body).toEqual({ message: 'The refund is marked as done.' })
    expect(await stateOf(shop, shop.anita, id)).toBe('cancelled refunded')
    expect(await listed()).toEqual([])
    await expectOutcome(decide('keep'), '409 EDIT_CONFLICT')
  })

  test('is sent once more if an administrator asks for it', async () => {
    const { shop, gateway, decide, listed, settled } = await openShopWithNewAccount(engine)
    await failHourly(shop, 26)
    await expectOk(decide('refund'))
    await expectOutcome(decide('refund'), '409 EDIT_CONFLICT')
    expect(await listed()).toEqual([])
    shop.app.payments.gateway = gateway
    expect(await settled()).toBe(540.5)
    expect(await refundsOf(shop)).toMatchObject([{ state: 'processed', seq: 1 }])
  })
})

const UNAVAILABLE = '503 PAYMENTS_UNAVAILABLE'

describe('Payment provider faults', () => {
  test('opening a payment fails while the provider is unreachable, and the same checkout works later', async () => {
    const { shop, anita } = await openLemonShop()
    const key = randomUUID()
    for (const fault of ['errorBefore', 'tooMany', 'html', 'hang']) {
      await shop.sandbox.setFaults({ [fault]: 1 })
      if (fault === 'hang') setProviderTimeout(shop, 200)
      await expectOutcome(requestPayment(shop, anita, { key }), UNAVAILABLE)
      await expectOk(shop.get('/products'))
    }
    await shop.sandbox.setFaults({})
    setProviderTimeout(shop, 5000)
    const { id } = await openPayment(shop, anita, { key })
    await placeOrder(shop, anita, await shop.sandbox.pay(id))
    expect(await shop.stockOf('lemon')).toBe(8)
  })

  test.for(['loseAnswer', 'errorAfter'])(
    'after the fault %s, the shop finds the provider order by its receipt and does not create another',
    async fault => {
      const { shop, anita } = await openLemonShop()
      const key = randomUUID()
      await shop.sandbox.setFaults({ [fault]: 1 })
      await expectOutcome(requestPayment(shop, anita, { key }), UNAVAILABLE)
      await shop.sandbox.setFaults({})
      await openPayment(shop, anita, { key })
      expect((await shop.sandbox.call('GET', '/orders')).body['count']).toBe(1)
    }
  )

  test('a paid order has the status "checking" and keeps its stock until the provider can be reached again', async () => {
    const { shop, anita } = await openLemonShop()
    const proof = await shop.sandbox.pay((await openPayment(shop, anita)).id)
    await shop.sandbox.setFaults({ hang: 1 })
    setProviderTimeout(shop, 200)
    expect(await placeOrder(shop, anita, proof)).toMatchObject({
      status: 202,
      body: { status: 'checking', paymentStatus: 'pending' }
    })
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'checking' }])
    await shop.sandbox.setFaults({ errorBefore: 1 })
    shop.clock.advance(2 * DAY)
    await shop.reconcile()
    expect(await shop.stockOf('lemon')).toBe(8)
    await shop.sandbox.setFaults({})
    setProviderTimeout(shop, 5000)
    shop.clock.advance(10 * MINUTE)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
  })

  test('an amount over the limit of the provider is refused with what to do', async () => {
    const products = { hamper: { price: 90_000 } }
    const { shop, anita } = await openLemonShop('sqlite', { products })
    const items = [{ product: 'hamper', quantity: 6 }]
    const reply = await requestPayment(shop, anita, { items })
    await expectOutcome(reply, '422 PAYMENT_ORDER_REFUSED')
    expect(reply.text).toContain('Please order fewer packs, or call us.')
    expect(await shop.stockOf('hamper')).toBe(20)
  })

  test('a wrong API key refuses payments until it is corrected, and the owner gets one mail', async () => {
    const { shop, anita } = await openLemonShop()
    const { gateway, settings } = shop.app.payments
    shop.app.payments.gateway = createRazorpay({ ...settings, keySecret: 'wrong' }, { backoff: [] })
    const key = randomUUID()
    for (let n = 0; n < 2; n++)
      await expectOutcome(requestPayment(shop, anita, { key }), UNAVAILABLE)
    expect(await subjectsOf(shop)).toEqual(['Razorpay refuses the shop’s API key: nobody can pay'])
    shop.app.payments.gateway = gateway
    await openPayment(shop, anita, { key })
    expect(await shop.stockOf('lemon')).toBe(8)
  })
})
