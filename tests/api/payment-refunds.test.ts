import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { razorpay } from '#server/gateways/payments.ts'
import { outcome } from '../support/accounts.ts'
import {
  as,
  buy,
  makeImpatient,
  myOrders,
  newShopper,
  opened,
  openMarket,
  place,
  type Market
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 }, laddu: { price: 200 } } as const
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

describe.each(ENGINES)('cancelling an order on %s', engine => {
  test('on its day gives goods and money back, with mails and a credit note, however often it is asked', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const { _id, canCancel } = await buy(shop, anita, lemons)
    expect(canCancel).toBe(true)
    const replies = await Promise.all([1, 2, 3].map(() => as(anita, shop, `POST /orders/${_id}/cancel`)))
    expect(replies.some(({ status }) => status === 200)).toBe(true)
    expect((await as(anita, shop, `POST /orders/${_id}/cancel`)).body).toMatchObject({
      status: 'cancelled',
      paymentStatus: 'refunding',
      canCancel: false,
      creditNoteNumber: 'CN/26-27/000001',
      history: [{ status: 'pending' }, { status: 'cancelled' }]
    })
    expect(await shop.stockOf('lemon')).toBe(10)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'cancelled', paymentStatus: 'refunded' }])
    await shop.deliver()
    const told = shop.mails.filter(({ subject }) => /cancelled/.test(subject)).map(({ to }) => to)
    expect(told.toSorted()).toEqual(['anita@example.com', 'hello@palagaram.example'])
    expect(await shop.violations()).toEqual([])
  })

  test('is over at midnight in India, once it is packed, and for what is cooked for it', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const cancel = async (id: string) => outcome(await as(anita, shop, `POST /orders/${id}/cancel`))
    const mixed = await buy(shop, anita, [...lemons, { product: 'laddu', quantity: 1 }])
    expect([mixed.canCancel, await cancel(mixed._id)]).toEqual([false, '409 ORDER_NOT_CANCELLABLE'])
    const today = await buy(shop, anita, lemons)
    shop.clock.advance(14.75 * HOUR)
    expect(await cancel(today._id)).toBe('409 ORDER_NOT_CANCELLABLE')
    const packed = await buy(shop, anita, lemons)
    await shop.write(trx =>
      trx.updateTable('orders').set({ fulfil_state: 'packed' }).where('id', '=', packed._id).execute()
    )
    expect(await cancel(packed._id)).toBe('409 ORDER_NOT_CANCELLABLE')
    shop.clock.advance(DAY)
    expect(await refundsOf(shop)).toEqual([])
  })

  test('that is not paid lets its goods go, unless it is being paid', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const first = await opened(shop, anita, { items: lemons })
    expect((await as(anita, shop, `POST /orders/${first.orderId}/cancel`)).body).toMatchObject({ status: 'cancelled' })
    expect(await shop.stockOf('lemon')).toBe(10)
    const second = await opened(shop, anita, { items: lemons })
    await shop.sandbox.control('POST', '/pay', { order_id: second.id, outcome: 'pending' })
    const reply = await as(anita, shop, `POST /orders/${second.orderId}/cancel`)
    expect(outcome(reply)).toBe('409 ORDER_NOT_CANCELLABLE')
  })
})

describe.each(ENGINES)('a provider in trouble on %s', engine => {
  test('that is away: nothing is charged, the same press of the button goes on later', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const key = randomUUID()
    for (const trouble of ['errorBefore', 'tooMany', 'html', 'hang']) {
      await shop.sandbox.control('PUT', '/faults', { [trouble]: 1 })
      if (trouble === 'hang') makeImpatient(shop, 200)
      await expect(opened(shop, anita, { items: lemons, key })).rejects.toThrow('503')
      expect((await shop.get('/products')).status).toBe(200)
    }
    await shop.sandbox.control('PUT', '/faults', {})
    makeImpatient(shop, 5000)
    const { id } = await opened(shop, anita, { items: lemons, key })
    await place(shop, anita, await shop.sandbox.pay(id))
    expect(await shop.stockOf('lemon')).toBe(8)
    expect(await shop.violations()).toEqual([])
  })

  test.for(['loseAnswer', 'errorAfter'])(
    'that does its work and %s: its order is adopted, not made twice',
    async trouble => {
      const shop = await openMarket(engine, { products })
      const anita = await newShopper(shop)
      const key = randomUUID()
      await shop.sandbox.control('PUT', '/faults', { [trouble]: 1 })
      await expect(opened(shop, anita, { items: lemons, key })).rejects.toThrow('503')
      await shop.sandbox.control('PUT', '/faults', {})
      await opened(shop, anita, { items: lemons, key })
      expect((await shop.sandbox.ask('GET', '/orders')).body['count']).toBe(1)
    }
  )

  test('when a payment comes: the shopper is told that it is being checked, the goods are kept, and it ends well', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const { id } = await opened(shop, anita, { items: lemons })
    const proof = await shop.sandbox.pay(id)
    await shop.sandbox.control('PUT', '/faults', { hang: 1 })
    makeImpatient(shop, 200)
    const reply = await place(shop, anita, proof)
    expect(reply).toMatchObject({ status: 202, body: { status: 'checking', paymentStatus: 'pending' } })
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'checking' }])
    await shop.sandbox.control('PUT', '/faults', { errorBefore: 1 })
    shop.clock.advance(2 * DAY)
    await shop.reconcile()
    expect(await shop.stockOf('lemon')).toBe(8)
    await shop.sandbox.control('PUT', '/faults', {})
    makeImpatient(shop, 5000)
    shop.clock.advance(10 * MINUTE)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
    expect(await shop.violations()).toEqual([])
  })

  test('that says with a wrong key nothing: no hold is let go for it', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    await opened(shop, anita, { items: lemons })
    const settings = { ...shop.app.payments.settings, keySecret: 'wrong' }
    shop.app.payments.gateway = razorpay(settings, { pauses: [] })
    shop.clock.advance(HOUR)
    await shop.reconcile()
    expect(await shop.stockOf('lemon')).toBe(8)
  })
})
