import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '#lib/time.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  callAs,
  buy,
  requestPayment,
  myOrders,
  addShopper,
  openPayment,
  openCheckoutShop,
  placeOrder,
  quoteOf,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

// ₹180.50 less 17 % is ₹149.815, rounded half up to ₹149.82.
const catalog = {
  products: { laddu: { price: 180.5, stock: 10 }, lemon: { category: 'pickles', price: 120 } },
  deals: { festival: { product: 'laddu', percent: 20 } }
} as const
const deal = { product: 'laddu', quantity: 1, dealId: 'festival' }

async function draw(shop: CheckoutShop, { id }: Shopper, percent = 17, deal_id = 'festival'): Promise<void> {
  const drawn_at = new Date(shop.clock()).toISOString()
  await shop.write(trx =>
    trx.insertInto('draws').values({ deal_id, user_id: id, percent, drawn_at, order_id: null }).execute()
  )
}

describe.each(ENGINES)('Drawn discount on %s', engine => {
  test('applies to one pack, rounds half up to the paisa and is used by the order', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await addShopper(shop)
    await draw(shop, anita)
    const lines = [deal, { product: 'laddu', quantity: 2 }]
    expect(await quoteOf(shop, anita, lines)).toMatchObject({
      total: 510.82,
      lines: [
        { price: 149.82, listPrice: 180.5, discount: 17, total: 149.82 },
        { price: 180.5, total: 361 }
      ]
    })
    const order = await buy(shop, anita, lines)
    expect(order).toMatchObject({ totalAmount: 510.82, items: [{ price: 149.82, discount: 17 }, { price: 180.5 }] })
    expect(await quoteOf(shop, anita, [deal])).toMatchObject({
      total: 180.5,
      canOrder: true,
      lines: [{ problem: 'discount_used' }]
    })
    expect(await shop.violations()).toEqual([])
  })

  test('is refused for other shoppers, other products and more than one pack', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    await draw(shop, anita)
    const problems = async (shopper: Shopper, line: typeof deal) =>
      (await quoteOf(shop, shopper, [line])).lines.map(({ problem, price }) => [problem, price])
    expect(await problems(bala, deal)).toEqual([['discount_ended', 180.5]])
    expect(await problems(anita, { ...deal, product: 'lemon' })).toEqual([['discount_ended', 120]])
    const two = await requestPayment(shop, anita, { items: [{ ...deal, quantity: 2 }], amount: 299.64 })
    expect(two.body).toMatchObject({ code: 'INVALID_INPUT' })
    const twice = await requestPayment(shop, anita, { items: [deal, deal], amount: 299.64 })
    expect(twice.body).toMatchObject({ code: 'PRICE_CHANGED', quote: { total: 149.82 } })
    const stolen = await requestPayment(shop, bala, { items: [deal], amount: 149.82 })
    expect(stolen.body).toMatchObject({ code: 'PRICE_CHANGED', quote: { total: 180.5 } })
  })

  test('is claimed by only one of two concurrent checkouts', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await addShopper(shop)
    await draw(shop, anita)
    for (let round = 0; round < 3; round++) {
      const presses = [1, 2, 3].map(() => requestPayment(shop, anita, { items: [deal], amount: 149.82 }))
      const replies = await Promise.all(presses)
      expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
      expect(await shop.violations()).toEqual([])
      const open = await shop.database.kysely
        .selectFrom('orders')
        .select('id')
        .where('payment_state', '=', 'awaiting')
        .execute()
      expect(open).toHaveLength(1)
      await callAs(anita, shop, `POST /orders/${open[0]?.id}/cancel`)
    }
  })

  test('is released when its order expires but not while a payment is in progress', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await addShopper(shop)
    await draw(shop, anita)
    await openPayment(shop, anita, { items: [deal] })
    expect(await quoteOf(shop, anita, [deal])).toMatchObject({ total: 149.82 })
    shop.clock.advance(31 * MINUTE)
    await shop.reconcile()
    const rows = await shop.database.kysely.selectFrom('draws').select('order_id').execute()
    expect(rows).toEqual([{ order_id: null }])
    expect(await openPayment(shop, anita, { items: [deal] })).toMatchObject({ amount: 14_982 })
  })

  test('ends with its deal except for an open payment', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await addShopper(shop)
    await draw(shop, anita)
    shop.clock.advance(55 * MINUTE)
    const { id } = await openPayment(shop, anita, { items: [deal] })
    shop.clock.advance(10 * MINUTE)
    expect(await quoteOf(shop, anita, [deal])).toMatchObject({ lines: [{ problem: 'discount_ended', price: 180.5 }] })
    expect((await placeOrder(shop, anita, await shop.sandbox.pay(id))).body).toMatchObject({ totalAmount: 149.82 })
    expect(await shop.violations()).toEqual([])
  })

  test('is claimed again for a late payment or the payment is refunded', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await addShopper(shop)
    await draw(shop, anita)
    const first = await openPayment(shop, anita, { items: [deal] })
    shop.clock.advance(31 * MINUTE)
    await shop.reconcile()
    const second = await openPayment(shop, anita, { items: [deal] })
    await placeOrder(shop, anita, await shop.sandbox.pay(second.id))
    expect(statusAndCode(await placeOrder(shop, anita, await shop.sandbox.pay(first.id)))).toBe('409 PAYMENT_REFUNDED')
    await shop.reconcile()
    expect((await myOrders(shop, anita)).map(({ paymentStatus }) => paymentStatus).toSorted()).toEqual([
      'completed',
      'refunded'
    ])
    expect(await shop.violations()).toEqual([])
  })

  test('of 100 % makes a free order without a payment', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await addShopper(shop)
    await draw(shop, anita, 100)
    const reply = await requestPayment(shop, anita, { items: [deal], key: randomUUID() })
    expect(reply.body).toMatchObject({ id: null, amount: 0, order: { totalAmount: 0, items: [{ discount: 100 }] } })
    shop.clock.advance(HOUR)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
    expect(await shop.violations()).toEqual([])
  })
})
