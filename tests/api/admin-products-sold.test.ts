import { describe, expect, test } from 'vitest'
import { statusAndCode } from '../support/accounts.ts'
import { withAdmin } from '../support/admin-products.ts'
import {
  requestPayment,
  myOrders,
  addShopper,
  openPayment,
  openCheckoutShop,
  placeOrder,
  quoteOf
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { price: 120, stock: 10 }, laddu: {} }
const items = [{ product: 'lemon', quantity: 1 }]

describe.each(ENGINES)('Product in carts and orders on %s', engine => {
  test('cannot be ordered after it is hidden, and the quote reports it as no longer sold', async () => {
    const shop = await withAdmin(await openCheckoutShop(engine, { products }))
    const anita = await addShopper(shop)
    await shop.changeProduct('lemon', { version: 1, hidden: true })
    const quote = await quoteOf(shop, anita, items)
    expect([quote.canOrder, quote.lines.map(({ problem }) => problem)]).toEqual([false, ['gone']])
    expect(statusAndCode(await requestPayment(shop, anita, { items, amount: 120 }))).toBe(
      '409 PRICE_CHANGED'
    )
    expect(await shop.stockOf('lemon')).toBe(10)
  })

  test('can still be ordered with a payment that was opened before the product was hidden', async () => {
    const shop = await withAdmin(await openCheckoutShop(engine, { products }))
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, { items })
    await shop.changeProduct('lemon', { version: 1, hidden: true })
    expect((await placeOrder(shop, anita, await shop.sandbox.pay(id))).status).toBe(201)
    expect(await shop.stockOf('lemon')).toBe(9)
  })

  test('is hidden instead of deleted and stays in past orders', async () => {
    const shop = await withAdmin(await openCheckoutShop(engine, { products }))
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, { items })
    await placeOrder(shop, anita, await shop.sandbox.pay(id))
    expect([
      (await shop.fetchProduct('lemon')).isReferred,
      (await shop.fetchProduct('laddu')).isReferred
    ]).toEqual([true, false])
    expect((await shop.callAsAdmin('DELETE /admin/products/lemon?version=1')).body).toEqual({
      outcome: 'hidden'
    })
    expect(await shop.publicProductIds()).toEqual(['laddu'])
    const [order] = await myOrders(shop, anita)
    expect(order?.items.map(({ product, price }) => [product.name, price])).toEqual([
      ['lemon', 120]
    ])
  })

  test('refuses a stock change if packs were reserved after the administrator read the stock', async () => {
    const shop = await withAdmin(await openCheckoutShop(engine, { products }))
    const anita = await addShopper(shop)
    await openPayment(shop, anita, { items })
    const reply = await shop.changeProduct('lemon', { version: 1, stock: { from: 10, to: 14 } })
    expect([statusAndCode(reply), reply.text]).toEqual([
      '409 EDIT_CONFLICT',
      expect.stringContaining('changed to 9')
    ])
    expect(
      statusAndCode(await shop.changeProduct('lemon', { version: 1, stock: { from: 9, to: 13 } }))
    ).toBe('200')
    expect(await shop.stockOf('lemon')).toBe(13)
  })
})
