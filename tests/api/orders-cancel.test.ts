import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '#lib/time.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  callAs,
  buy,
  myOrders,
  addShopper,
  openPayment,
  openCheckoutShop
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import type { Reply } from '../support/shop.ts'

const products = {
  lemon: { category: 'pickles', price: 120, stock: 10 },
  laddu: { price: 200 }
} as const
const lemons = [{ product: 'lemon', quantity: 2 }]

describe.each(ENGINES)('Cancelling an order on %s', engine => {
  test('restores the stock, refunds the payment, sends mails and creates a credit note, each only once', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { _id, canCancel } = await buy(shop, anita, lemons)
    expect(canCancel).toBe(true)
    const replies = await Promise.all(
      [1, 2, 3].map(() => callAs(anita, shop, `POST /orders/${_id}/cancel`))
    )
    expect(replies.some(({ status }) => status === 200)).toBe(true)
    expect((await callAs(anita, shop, `POST /orders/${_id}/cancel`)).body).toMatchObject({
      status: 'cancelled',
      paymentStatus: 'refunding',
      canCancel: false,
      creditNoteNumber: 'CN/26-27/000001',
      history: [{ status: 'pending' }, { status: 'cancelled' }]
    })
    expect(await shop.stockOf('lemon')).toBe(10)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'cancelled', paymentStatus: 'refunded' }
    ])
    await shop.deliverMails()
    const recipients = shop.mails
      .filter(({ subject }) => /cancelled/.test(subject))
      .map(({ to }) => to)
    expect(recipients.toSorted()).toEqual(['anita@example.com', 'hello@palagaram.example'])
    expect(await shop.violations()).toEqual([])
  })

  test('is refused if a payment is settled while the provider is asked about payments', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    const { gateway } = shop.app.payments
    shop.app.payments.gateway = {
      ...gateway,
      async listOrderPayments(providerOrder) {
        const payments = await gateway.listOrderPayments(providerOrder)
        await shop.sandbox.pay(id)
        await shop.deliverWebhooks()
        return payments
      }
    }
    const reply = await callAs(anita, shop, `POST /orders/${orderId}/cancel`)
    expect(statusAndCode(reply)).toBe('409 ORDER_NOT_CANCELLABLE')
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'pending', paymentStatus: 'completed' }
    ])
    expect(await shop.violations()).toEqual([])
  })
})

describe('Cancelling an order', () => {
  test('is refused on later days (India time), for packed orders and for orders with a perishable item', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const cancel = async (id: string) =>
      statusAndCode(await callAs(anita, shop, `POST /orders/${id}/cancel`))
    const mixed = await buy(shop, anita, [...lemons, { product: 'laddu', quantity: 1 }])
    expect([mixed.canCancel, await cancel(mixed._id)]).toEqual([false, '409 ORDER_NOT_CANCELLABLE'])
    expect(mixed.cancelBlock).toBe('perishable')
    const today = await buy(shop, anita, lemons)
    shop.clock.advance(14.75 * HOUR)
    expect(await cancel(today._id)).toBe('409 ORDER_NOT_CANCELLABLE')
    const packed = await buy(shop, anita, lemons)
    await shop.write(trx =>
      trx
        .updateTable('orders')
        .set({ fulfilment_status: 'packed' })
        .where('id', '=', packed._id)
        .execute()
    )
    expect(await cancel(packed._id)).toBe('409 ORDER_NOT_CANCELLABLE')
    const blocks = (await myOrders(shop, anita)).map(({ cancelBlock }) => cancelBlock)
    expect(blocks.toSorted()).toEqual(['later_day', 'packed', 'perishable'])
    shop.clock.advance(DAY)
    expect(await shop.database.kysely.selectFrom('refunds').selectAll().execute()).toEqual([])
  })

  test('is refused for the fourth paid order in a day, and possible again the next day', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const cancelNew = async (): Promise<Reply> => {
      const { _id } = await buy(shop, anita, lemons)
      return callAs(anita, shop, `POST /orders/${_id}/cancel`)
    }
    for (let order = 1; order <= 3; order++) expect((await cancelNew()).status).toBe(200)
    const refused = await cancelNew()
    expect(statusAndCode(refused)).toBe('409 ORDER_NOT_CANCELLABLE')
    expect(refused.text).toContain('Please call us to cancel this one.')
    const statuses = (await myOrders(shop, anita)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual(['cancelled', 'cancelled', 'cancelled', 'pending'])
    expect(await shop.stockOf('lemon')).toBe(8)
    shop.clock.advance(DAY)
    expect((await cancelNew()).status).toBe(200)
    expect(await shop.violations()).toEqual([])
  })

  test('releases the stock of an unpaid order, but is refused while a payment is in progress', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const first = await openPayment(shop, anita, { items: lemons })
    expect((await callAs(anita, shop, `POST /orders/${first.orderId}/cancel`)).body).toMatchObject({
      status: 'cancelled'
    })
    expect(await shop.stockOf('lemon')).toBe(10)
    const again = await callAs(anita, shop, `POST /orders/${first.orderId}/cancel`)
    expect(again).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    const second = await openPayment(shop, anita, { items: lemons })
    await shop.sandbox.control('POST', '/pay', { order_id: second.id, outcome: 'pending' })
    const reply = await callAs(anita, shop, `POST /orders/${second.orderId}/cancel`)
    expect(statusAndCode(reply)).toBe('409 ORDER_NOT_CANCELLABLE')
  })
})
