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
const dealLine = { product: 'laddu', quantity: 1, dealId: 'festival' }

async function insertDraw(
  shop: CheckoutShop,
  { id }: Shopper,
  percent = 17,
  deal_id = 'festival'
): Promise<void> {
  const drawn_at = new Date(shop.clock()).toISOString()
  await shop.write(trx =>
    trx
      .insertInto('draws')
      .values({ deal_id, user_id: id, percent, drawn_at, order_id: null })
      .execute()
  )
}

describe.each(ENGINES)('Drawn discount on %s', engine => {
  test('is used by only one of three concurrent checkouts', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await addShopper(shop)
    await insertDraw(shop, anita)
    for (let round = 0; round < 3; round++) {
      const requests = [1, 2, 3].map(() =>
        requestPayment(shop, anita, { items: [dealLine], amount: 149.82 })
      )
      const replies = await Promise.all(requests)
      expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
      expect(await shop.violations()).toEqual([])
      const openOrders = await shop.database.kysely
        .selectFrom('orders')
        .select('id')
        .where('payment_state', '=', 'awaiting')
        .execute()
      expect(openOrders).toHaveLength(1)
      await callAs(anita, shop, `POST /orders/${openOrders[0]?.id}/cancel`)
    }
  })

  test('is available again after an unpaid order with the discount has expired', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await addShopper(shop)
    await insertDraw(shop, anita)
    await openPayment(shop, anita, { items: [dealLine] })
    expect(await quoteOf(shop, anita, [dealLine])).toMatchObject({ total: 149.82 })
    shop.clock.advance(31 * MINUTE)
    await shop.reconcile()
    const rows = await shop.database.kysely.selectFrom('draws').select('order_id').execute()
    expect(rows).toEqual([{ order_id: null }])
    expect(await openPayment(shop, anita, { items: [dealLine] })).toMatchObject({ amount: 14_982 })
  })

  test('cannot be used twice: a late payment is refunded if another order has already used the discount', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await addShopper(shop)
    await insertDraw(shop, anita)
    const first = await openPayment(shop, anita, { items: [dealLine] })
    shop.clock.advance(31 * MINUTE)
    await shop.reconcile()
    const second = await openPayment(shop, anita, { items: [dealLine] })
    await placeOrder(shop, anita, await shop.sandbox.pay(second.id))
    expect(statusAndCode(await placeOrder(shop, anita, await shop.sandbox.pay(first.id)))).toBe(
      '409 PAYMENT_REFUNDED'
    )
    await shop.reconcile()
    expect(
      (await myOrders(shop, anita)).map(({ paymentStatus }) => paymentStatus).toSorted()
    ).toEqual(['completed', 'refunded'])
    expect(await shop.violations()).toEqual([])
  })
})

describe('Drawn discount', () => {
  test('applies to one pack, gives a price rounded half up to the paisa, and cannot be used again', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    await insertDraw(shop, anita)
    const lines = [dealLine, { product: 'laddu', quantity: 2 }]
    expect(await quoteOf(shop, anita, lines)).toMatchObject({
      total: 510.82,
      lines: [
        { price: 149.82, listPrice: 180.5, discount: 17, total: 149.82 },
        { price: 180.5, total: 361 }
      ]
    })
    const order = await buy(shop, anita, lines)
    expect(order).toMatchObject({
      totalAmount: 510.82,
      items: [{ price: 149.82, discount: 17 }, { price: 180.5 }]
    })
    expect(await quoteOf(shop, anita, [dealLine])).toMatchObject({
      total: 180.5,
      canOrder: true,
      lines: [{ problem: 'discount_used' }]
    })
    expect(await shop.violations()).toEqual([])
  })

  test('is refused for other shoppers, other products and more than one pack', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    await insertDraw(shop, anita)
    const problemsOf = async (shopper: Shopper, line: typeof dealLine) =>
      (await quoteOf(shop, shopper, [line])).lines.map(({ problem, price }) => [problem, price])
    expect(await problemsOf(bala, dealLine)).toEqual([['discount_ended', 180.5]])
    expect(await problemsOf(anita, { ...dealLine, product: 'lemon' })).toEqual([
      ['discount_ended', 120]
    ])
    const twoPacks = await requestPayment(shop, anita, {
      items: [{ ...dealLine, quantity: 2 }],
      amount: 299.64
    })
    expect(twoPacks.body).toMatchObject({ code: 'INVALID_INPUT' })
    const twoLines = await requestPayment(shop, anita, {
      items: [dealLine, dealLine],
      amount: 299.64
    })
    expect(twoLines.body).toMatchObject({ code: 'PRICE_CHANGED', quote: { total: 149.82 } })
    const otherShopper = await requestPayment(shop, bala, { items: [dealLine], amount: 149.82 })
    expect(otherShopper.body).toMatchObject({ code: 'PRICE_CHANGED', quote: { total: 180.5 } })
  })

  test('ends with its deal, but still applies to a payment that was opened before the deal ended', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    await insertDraw(shop, anita)
    shop.clock.advance(55 * MINUTE)
    const { id } = await openPayment(shop, anita, { items: [dealLine] })
    shop.clock.advance(10 * MINUTE)
    expect(await quoteOf(shop, anita, [dealLine])).toMatchObject({
      lines: [{ problem: 'discount_ended', price: 180.5 }]
    })
    expect((await placeOrder(shop, anita, await shop.sandbox.pay(id))).body).toMatchObject({
      totalAmount: 149.82
    })
    expect(await shop.violations()).toEqual([])
  })

  test('leads to a free order without a payment if the discount is 100 %', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    await insertDraw(shop, anita, 100)
    const reply = await requestPayment(shop, anita, { items: [dealLine], key: randomUUID() })
    expect(reply.body).toMatchObject({
      id: null,
      amount: 0,
      order: { totalAmount: 0, items: [{ discount: 100 }] }
    })
    shop.clock.advance(HOUR)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
    expect(await shop.violations()).toEqual([])
  })
})
