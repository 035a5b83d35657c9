import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '#lib/time.ts'
import { expectOutcome } from '../support/accounts.ts'
import {
  buy,
  callAs,
  myOrders,
  openLemonShop,
  openPayment,
  placeOrder,
  quoteOf,
  requestPayment,
  type Shopper
} from '../support/checkout.ts'
import { BOTH_ENGINES, ENGINES, type Engine } from '../support/database.ts'

const dealLine = { product: 'laddu', quantity: 1, dealId: 'festival' }
const dealItems = [dealLine]

/** Anita draws; ₹180.50 less 17 % is ₹149.815, rounded half up to ₹149.82. */
async function openDrawShop(engine: Engine = 'sqlite', percent = 17) {
  const opened = await openLemonShop(engine, {
    deals: { festival: { product: 'laddu', percent: 100 } },
    randomInt: () => percent
  })
  const { shop, anita } = opened
  const draw = async () => (await callAs(anita, shop, 'POST /flash-deals/generate/laddu')).body
  await draw()
  return { ...opened, draw }
}

test.for(BOTH_ENGINES)(
  'A drawn discount is used by only one of three concurrent checkouts on %s',
  async engine => {
    const { shop, anita } = await openDrawShop(engine)
    const requests = [1, 2, 3].map(() =>
      requestPayment(shop, anita, { items: dealItems, amount: 149.82 })
    )
    const replies = await Promise.all(requests)
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    const { kysely } = shop.database
    const orders = kysely.selectFrom('orders').where('payment_state', '=', 'awaiting').selectAll()
    expect(await orders.execute()).toHaveLength(1)
  }
)

describe.each(ENGINES)('Drawn discount on %s', engine => {
  test('is available again after an unpaid order with it has expired', async () => {
    const { shop, anita } = await openDrawShop(engine)
    await openPayment(shop, anita, { items: dealItems })
    expect(await quoteOf(shop, anita, dealItems)).toMatchObject({ total: 149.82 })
    shop.clock.advance(31 * MINUTE)
    await shop.reconcile()
    const rows = await shop.database.kysely.selectFrom('draws').select('order_id').execute()
    expect(rows).toEqual([{ order_id: null }])
    expect(await openPayment(shop, anita, { items: dealItems })).toMatchObject({ amount: 14_982 })
  })

  test('cannot be used twice: a late payment is refunded if another order has already used it', async () => {
    const { shop, anita } = await openDrawShop(engine)
    const first = await openPayment(shop, anita, { items: dealItems })
    shop.clock.advance(31 * MINUTE)
    await shop.reconcile()
    await buy(shop, anita, dealItems)
    const late = await placeOrder(shop, anita, await shop.sandbox.pay(first.id))
    await expectOutcome(late, '409 PAYMENT_REFUNDED')
    await shop.reconcile()
    const statuses = (await myOrders(shop, anita)).map(({ paymentStatus }) => paymentStatus)
    expect(statuses.toSorted()).toEqual(['completed', 'refunded'])
  })

  test('applies to one pack, gives a price rounded half up to the paisa, and is used up by a paid order', async () => {
    const { shop, anita, draw } = await openDrawShop(engine)
    const lines = [dealLine, { product: 'laddu', quantity: 2 }]
    expect(await quoteOf(shop, anita, lines)).toMatchObject({
      total: 510.82,
      lines: [
        { price: 149.82, listPrice: 180.5, discount: 17, total: 149.82 },
        { price: 180.5, total: 361 }
      ]
    })
    expect(await draw()).toMatchObject({ discount: 17, price: 149.82, used: false })
    expect(await buy(shop, anita, lines)).toMatchObject({
      totalAmount: 510.82,
      items: [{ price: 149.82, discount: 17 }, { price: 180.5 }]
    })
    expect(await draw()).toMatchObject({ price: 149.82, used: true })
    expect(await quoteOf(shop, anita, dealItems)).toMatchObject({
      total: 180.5,
      canOrder: true,
      lines: [{ problem: 'discount_used' }]
    })
  })
})

describe('Drawn discount', () => {
  test('is refused for other shoppers, other products and more than one pack', async () => {
    const { shop, anita, bala } = await openDrawShop()
    const problemsOf = async (shopper: Shopper, line: typeof dealLine) =>
      (await quoteOf(shop, shopper, [line])).lines.map(({ problem, price }) => [problem, price])
    expect(await problemsOf(bala, dealLine)).toEqual([['discount_ended', 180.5]])
    expect(await problemsOf(anita, { ...dealLine, product: 'lemon' })).toEqual([
      ['discount_ended', 120]
    ])
    const request = async (shopper: Shopper, amount: number, ...items: (typeof dealLine)[]) =>
      (await requestPayment(shop, shopper, { items, amount })).body
    expect(await request(anita, 299.64, { ...dealLine, quantity: 2 })).toMatchObject({
      code: 'INVALID_INPUT'
    })
    expect(await request(anita, 299.64, dealLine, dealLine)).toMatchObject({
      code: 'PRICE_CHANGED',
      quote: { total: 149.82 }
    })
    expect(await request(bala, 149.82, dealLine)).toMatchObject({
      code: 'PRICE_CHANGED',
      quote: { total: 180.5 }
    })
  })

  test('ends with its deal, but still applies to a payment that was opened before', async () => {
    const { shop, anita } = await openDrawShop()
    shop.clock.advance(55 * MINUTE)
    const { id } = await openPayment(shop, anita, { items: dealItems })
    shop.clock.advance(10 * MINUTE)
    expect(await quoteOf(shop, anita, dealItems)).toMatchObject({
      lines: [{ problem: 'discount_ended', price: 180.5 }]
    })
    const { body } = await placeOrder(shop, anita, await shop.sandbox.pay(id))
    expect(body).toMatchObject({ totalAmount: 149.82 })
  })

  test('of 100 % leads to a free order without a payment', async () => {
    const { shop, anita } = await openDrawShop('sqlite', 100)
    const { body } = await requestPayment(shop, anita, { items: dealItems })
    const order = { totalAmount: 0, items: [{ discount: 100 }] }
    expect(body).toMatchObject({ id: null, amount: 0, order })
    shop.clock.advance(HOUR)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
  })
})
