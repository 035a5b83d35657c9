import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '#lib/time.ts'
import { outcome } from '../support/accounts.ts'
import { as, buy, myOrders, newShopper, opened, openMarket } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 }, laddu: { price: 200 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]

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
    expect(await shop.database.kysely.selectFrom('refunds').selectAll().execute()).toEqual([])
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
