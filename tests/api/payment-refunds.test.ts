import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '#lib/time.ts'
import { outcome } from '../support/accounts.ts'
import { as, buy, myOrders, newShopper, opened, openMarket, place, type Market } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]

async function refundsOf(shop: Market): Promise<{ state: string; reason: string; seq: number }[]> {
  return shop.database.kysely.selectFrom('refunds').select(['state', 'reason', 'seq']).orderBy('seq').execute()
}

describe.each(ENGINES)('money that can’t become an order on %s', engine => {
  test('goes back when an order is paid twice, and the order stays', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const { id } = await opened(shop, anita, { items: lemons })
    const proof = await shop.sandbox.pay(id)
    await place(shop, anita, proof)
    const { body } = await shop.sandbox.control('POST', '/pay2', { order_id: id })
    const again = await place(shop, anita, body as never)
    expect(again).toMatchObject({ status: 200, body: { razorpay_payment_id: proof.razorpay_payment_id } })
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ reason: 'second_payment', state: 'processed' }])
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending', paymentStatus: 'completed' }])
    expect(await shop.violations()).toEqual([])
  })

  test('goes back when the amount or the currency is not the order’s', async () => {
    for (const wrong of [{ amount: 100 }, { currency: 'USD' }]) {
      const shop = await openMarket(engine, { products })
      const anita = await newShopper(shop)
      const { gateway } = shop.app.payments
      shop.app.payments.gateway = {
        ...gateway,
        fetchPayment: async id => ({ ...(await gateway.fetchPayment(id)), ...wrong })
      }
      const { id } = await opened(shop, anita, { items: lemons })
      expect(outcome(await place(shop, anita, await shop.sandbox.pay(id)))).toBe('409 PAYMENT_REFUNDED')
      expect(await refundsOf(shop)).toMatchObject([{ reason: 'mismatch', state: 'due' }])
      expect(await myOrders(shop, anita)).toEqual([])
    }
  })

  test('goes back when it bears the shop’s marks, and stays where it is when it is another’s', async () => {
    const shop = await openMarket(engine, { products })
    const { siteUrl } = shop.app.config
    const lost = await shop.sandbox.order(24_000, { receipt: randomUUID(), notes: { shop: siteUrl, order: 'lost' } })
    const foreign = await shop.sandbox.order(24_000, { notes: { shop: 'https://other.example' } })
    for (const id of [lost, foreign]) await shop.sandbox.pay(id)
    await shop.hear()
    await shop.reconcile()
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ reason: 'unknown_order', state: 'processed' }])
    expect(await shop.violations()).toEqual([expect.stringContaining('is captured and unknown')])
  })
})

describe.each(ENGINES)('a refund on %s', engine => {
  async function owed(shop: Market): Promise<void> {
    const anita = await newShopper(shop)
    const { _id } = await buy(shop, anita, lemons)
    expect((await as(anita, shop, `POST /orders/${_id}/cancel`)).status).toBe(200)
  }

  test('whose answer was lost is made once', async () => {
    const shop = await openMarket(engine, { products })
    await owed(shop)
    await shop.sandbox.control('PUT', '/faults', { loseAnswer: 1 })
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ state: 'due' }])
    await shop.sandbox.control('PUT', '/faults', {})
    shop.clock.advance(5 * MINUTE)
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ state: 'processed' }])
    expect(await shop.violations()).toEqual([])
  })

  test('that a person has made already is not made again', async () => {
    const shop = await openMarket(engine, { products })
    await owed(shop)
    const { items } = (await shop.sandbox.ask('GET', '/payments')).body as { items: { id: string }[] }
    await shop.sandbox.refund(items[0]?.id ?? '')
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ state: 'processed' }])
  })

  test('that the provider gives up is begun anew, and then given to a person', async () => {
    const shop = await openMarket(engine, { products })
    await owed(shop)
    await shop.sandbox.control('PUT', '/faults', { refundFail: 1 })
    for (let hours = 0; hours < 12; hours++) {
      await shop.reconcile()
      await shop.hear()
      shop.clock.advance(HOUR)
    }
    expect(await refundsOf(shop)).toMatchObject([
      { seq: 1, state: 'failed' },
      { seq: 2, state: 'failed' },
      { seq: 3, state: 'failed' }
    ])
    await shop.deliver()
    expect(shop.mails.map(({ subject }) => subject)).toContain('A refund of ₹240.00 does not get through')
  })

  test('waits for a provider that is away, and tells the owner when that lasts', async () => {
    const shop = await openMarket(engine, { products })
    await owed(shop)
    await shop.sandbox.control('PUT', '/faults', { errorBefore: 1 })
    for (let n = 0; n < 8; n++) {
      await shop.reconcile()
      shop.clock.advance(HOUR)
    }
    await shop.sandbox.control('PUT', '/faults', {})
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([{ state: 'processed' }])
    await shop.deliver()
    expect(shop.mails.map(({ subject }) => subject)).toContain('A refund of ₹240.00 does not get through')
    expect(await shop.violations()).toEqual([])
  })
})
