import { describe, expect, test } from 'vitest'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { ADMIN_TEXTS } from '#lib/contract/admin-texts.ts'
import type { LiveCatalog, Product } from '#lib/contract/catalog.ts'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { toPaise } from '#lib/money.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import { expectBody } from '../support/accounts.ts'
import { fieldsOf, openAdminShop } from '../support/admin-products.ts'
import {
  ADDRESS,
  addShopper,
  buy,
  callAs,
  CUSTOMER,
  expectInvariants,
  openCheckoutShop,
  quoteOf,
  requestPayment,
  type CheckoutShop
} from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { testClock } from '../support/shop.ts'

/** 21 November 2026, 10:00 to 18:00 in India. */
const SALE = { price: 80, from: '2026-11-21T04:30:00.000Z', until: '2026-11-21T12:30:00.000Z' }

test.for(ENGINES)(
  'A sale price is the price in the API only while the sale runs, and does not change a flash deal, on %s',
  async engine => {
    const deals = { today: { product: 'laddu', percent: 50, to: 24 * HOUR } }
    const shop = await openAdminShop(engine, {
      deals,
      clock: testClock('2026-11-21T04:29:59.999Z')
    })
    await expectBody(shop.changeProduct('laddu', { version: 1, sale: SALE }), {
      price: 100,
      sale: SALE
    })
    const prices = async () => {
      const product = (await shop.get('/products/laddu')).body as Product
      const { products } = (await shop.get('/catalog/live?ids=laddu')).body as LiveCatalog
      return [product, ...products].map(({ price, listPrice }) => [price, listPrice])
    }
    const [usual, reduced] = [
      [100, undefined],
      [80, 100]
    ]
    expect(await prices()).toEqual([usual, usual])
    shop.clock.advance(1)
    expect(await prices()).toEqual([reduced, reduced])
    expect((await shop.fetchProduct('laddu')).price).toBe(100)
    await expectBody(shop.get('/discounted-products'), [
      { originalPrice: 100, discountedPrice: 50, product: { price: 100 } }
    ])
    shop.clock.advance(Date.parse(SALE.until) - Date.parse(SALE.from) - 1)
    expect(await prices()).toEqual([reduced, reduced])
    shop.clock.advance(1)
    expect(await prices()).toEqual([usual, usual])
    await expectBody(shop.changeProduct('laddu', { version: 2, sale: null }), {
      sale: null
    })
    expect(await shop.history('laddu')).toHaveLength(2)
  }
)

test('A sale price is refused if it is not below the price, or its times are wrong', async () => {
  const shop = await openAdminShop('sqlite')
  for (const [changes, field, text] of [
    [{ price: 100 }, 'sale.price', ADMIN_MESSAGES.salePriceTooHigh],
    [{ price: 'x' }, 'sale.price', ADMIN_TEXTS.salePriceInvalid],
    [{ until: SALE.from }, 'sale.until', ADMIN_TEXTS.saleEndTooEarly],
    [{ from: '' }, 'sale.from', ADMIN_TEXTS.saleStartInvalid]
  ] as const) {
    const sale = { ...SALE, ...changes }
    const fields = { [field]: text }
    expect(fieldsOf(await shop.changeProduct('laddu', { version: 1, sale }))).toEqual(fields)
    const draft = { price: 100, sale: sale as never }
    expect(fieldsOf(await shop.createProduct(draft))).toEqual(fields)
  }
  await shop.changeProduct('laddu', { version: 1, sale: SALE })
  expect(fieldsOf(await shop.changeProduct('laddu', { version: 2, price: 80 }))).toEqual({
    'sale.price': ADMIN_MESSAGES.salePriceTooHigh
  })
})

const products = { laddu: { price: 180, stock: 10 }, lemon: { price: 120, stock: 10 } }
const items = [{ product: 'laddu', quantity: 2 }]

async function openSale(engine: Engine = 'sqlite') {
  const shop = await openCheckoutShop(engine, { products })
  expectInvariants(shop)
  return { shop, anita: await addShopper(shop) }
}

/** Puts the laddu on sale for an hour that begins `delay` ms from now. */
async function startSale(shop: CheckoutShop, delay = 0, price = 150) {
  const toTime = (offset: number) => new Date(shop.clock() + delay + offset).toISOString()
  const sale = {
    sale_price: toPaise(price * 100),
    sale_from: toTime(0),
    sale_until: toTime(HOUR)
  }
  await shop.write(trx => trx.updateTable('products').set(sale).where('id', '=', 'laddu').execute())
}

describe.each(ENGINES)('Sale price on %s', engine => {
  test('is charged while it runs, and the list price stays on the order', async () => {
    const { shop, anita } = await openSale(engine)
    await startSale(shop)
    const cart = [...items, { product: 'lemon', quantity: 1 }]
    expect(await quoteOf(shop, anita, cart)).toMatchObject({
      total: 420,
      lines: [
        { listPrice: 180, salePrice: 150, price: 150, reduction: 'sale', total: 300 },
        { price: 120 }
      ]
    })
    const order = await buy(shop, anita, items)
    const line = { listPrice: 180, price: 150, total: 300 }
    expect(order).toMatchObject({ totalAmount: 300, items: [line] })
    expect(order.items[0]).not.toHaveProperty('discount')
  })

  test('is compared again in the transaction that reserves the stock', async () => {
    const { shop, anita } = await openSale(engine)
    await startSale(shop)
    const { write } = shop.app
    shop.app.write = async change => {
      shop.app.write = write
      await startSale(shop, 0, 160)
      return write(change)
    }
    const reply = await requestPayment(shop, anita, { items, amount: 300 })
    expect(reply.body).toMatchObject({ code: 'PRICE_CHANGED', quote: { total: 320 } })
    expect(await shop.stockOf('laddu')).toBe(10)
  })
})

test('An unitemised payment that was created during a sale can be paid at the sale price afterwards', async () => {
  const { shop, anita } = await openSale()
  await startSale(shop, MINUTE - HOUR)
  const { body } = await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 300 })
  shop.clock.advance(10 * MINUTE)
  const proof = await shop.sandbox.pay((body as PaymentOrder).id ?? '')
  const order = { ...proof, items, customerDetails: CUSTOMER, shippingAddress: ADDRESS }
  await expectBody(callAs(anita, shop, 'POST /orders', order), {
    totalAmount: 300
  })
})
