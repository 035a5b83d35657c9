import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { toPaise } from '#lib/money.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import {
  ADDRESS,
  addShopper,
  buy,
  callAs,
  CUSTOMER,
  openCheckoutShop,
  openPayment,
  placeOrder,
  quoteOf,
  requestPayment,
  type CheckoutShop
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const catalog = {
  products: { laddu: { price: 180, stock: 10 }, lemon: { price: 120, stock: 10 } }
} as const
const items = [{ product: 'laddu', quantity: 2 }]

/** Puts the product on sale at 150 rupees for an hour that begins `delay` ms from now. */
async function startSale(
  shop: CheckoutShop,
  product: string,
  delay = 0,
  price: number | null = 150
): Promise<void> {
  const toTime = (offset: number): string => new Date(shop.clock() + delay + offset).toISOString()
  const sale = {
    sale_price: price === null ? null : toPaise(price * 100),
    sale_from: toTime(0),
    sale_until: toTime(HOUR)
  }
  await shop.write(trx => trx.updateTable('products').set(sale).where('id', '=', product).execute())
}

describe.each(ENGINES)('Sale price on %s', engine => {
  test('is charged while the sale runs, and the list price stays on the order', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await addShopper(shop)
    await startSale(shop, 'laddu')
    expect(await quoteOf(shop, anita, [...items, { product: 'lemon', quantity: 1 }])).toMatchObject(
      {
        total: 420,
        lines: [
          { listPrice: 180, salePrice: 150, price: 150, reduction: 'sale', total: 300 },
          { price: 120 }
        ]
      }
    )
    const order = await buy(shop, anita, items)
    expect(order).toMatchObject({
      totalAmount: 300,
      items: [{ listPrice: 180, price: 150, total: 300 }]
    })
    expect(order.items[0]).not.toHaveProperty('discount')
    expect(await shop.violations()).toEqual([])
  })

  test('counts from its first to just before its last moment', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await addShopper(shop)
    await startSale(shop, 'laddu', MINUTE)
    const totals = [(await quoteOf(shop, anita, items)).total]
    for (const step of [MINUTE, HOUR - 1, 1]) {
      shop.clock.advance(step)
      totals.push((await quoteOf(shop, anita, items)).total)
    }
    expect(totals).toEqual([360, 300, 300, 360])
  })

  test('is compared again in the transaction that reserves the stock', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await addShopper(shop)
    await startSale(shop, 'laddu')
    const { write } = shop.app
    shop.app.write = async change => {
      shop.app.write = write
      await startSale(shop, 'laddu', 0, 160)
      return write(change)
    }
    const reply = await requestPayment(shop, anita, { items, amount: 300 })
    expect(reply.body).toMatchObject({ code: 'PRICE_CHANGED', quote: { total: 320 } })
    expect(await shop.stockOf('laddu')).toBe(10)
  })
})

describe('Sale price', () => {
  test.for(['ends', 'changes'])(
    'is refused with a new quote if the sale %s before the payment',
    async how => {
      const shop = await openCheckoutShop('sqlite', catalog)
      const anita = await addShopper(shop)
      await startSale(shop, 'laddu')
      if (how === 'ends') shop.clock.advance(HOUR)
      else await startSale(shop, 'laddu', 0, 160)
      const reply = await requestPayment(shop, anita, { items, amount: 300 })
      expect(reply.body).toMatchObject({
        code: 'PRICE_CHANGED',
        quote: { total: how === 'ends' ? 360 : 320 }
      })
      expect(await shop.stockOf('laddu')).toBe(10)
    }
  )

  test('stays the price of a checkout that was opened during the sale', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    await startSale(shop, 'laddu', MINUTE - HOUR)
    const { id } = await openPayment(shop, anita, { items })
    shop.clock.advance(10 * MINUTE)
    expect((await placeOrder(shop, anita, await shop.sandbox.pay(id))).body).toMatchObject({
      totalAmount: 300
    })
    expect(await shop.violations()).toEqual([])
  })

  test('is taken for an unitemised payment that was created during the sale', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    await startSale(shop, 'laddu', MINUTE - HOUR)
    const { body } = await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 300 })
    shop.clock.advance(10 * MINUTE)
    const proof = await shop.sandbox.pay((body as PaymentOrder).id ?? '')
    const order = { ...proof, items, customerDetails: CUSTOMER, shippingAddress: ADDRESS }
    expect((await callAs(anita, shop, 'POST /orders', order)).body).toMatchObject({
      totalAmount: 300
    })
    expect(await shop.violations()).toEqual([])
  })
})
