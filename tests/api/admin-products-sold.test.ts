import { describe, expect, test } from 'vitest'
import { outcome } from '../support/accounts.ts'
import { withOwner } from '../support/admin-products.ts'
import { checkOut, myOrders, newShopper, opened, openMarket, place, quoteOf } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { price: 120, stock: 10 }, laddu: {} }
const items = [{ product: 'lemon', quantity: 1 }]

describe.each(ENGINES)('a product that is in carts and orders on %s', engine => {
  test('can’t be ordered once it is hidden, and carts say that it is no longer sold', async () => {
    const shop = await withOwner(await openMarket(engine, { products }))
    const anita = await newShopper(shop)
    await shop.change('lemon', { version: 1, hidden: true })
    const quote = await quoteOf(shop, anita, items)
    expect([quote.canOrder, quote.lines.map(({ problem }) => problem)]).toEqual([false, ['gone']])
    expect(outcome(await checkOut(shop, anita, { items, amount: 120 }))).toBe('409 PRICE_CHANGED')
    expect(await shop.stockOf('lemon')).toBe(10)
  })

  test('is still packed for who was paying for it when it was hidden', async () => {
    const shop = await withOwner(await openMarket(engine, { products }))
    const anita = await newShopper(shop)
    const { id } = await opened(shop, anita, { items })
    await shop.change('lemon', { version: 1, hidden: true })
    expect((await place(shop, anita, await shop.sandbox.pay(id))).status).toBe(201)
    expect(await shop.stockOf('lemon')).toBe(9)
  })

  test('is never removed from the orders of the past', async () => {
    const shop = await withOwner(await openMarket(engine, { products }))
    const anita = await newShopper(shop)
    const { id } = await opened(shop, anita, { items })
    await place(shop, anita, await shop.sandbox.pay(id))
    expect([(await shop.product('lemon')).isReferred, (await shop.product('laddu')).isReferred]).toEqual([true, false])
    expect((await shop.ask('DELETE /admin/products/lemon?version=1')).body).toEqual({ outcome: 'hidden' })
    expect(await shop.visible()).toEqual(['laddu'])
    const [order] = await myOrders(shop, anita)
    expect(order?.items.map(({ product, price }) => [product.name, price])).toEqual([['lemon', 120]])
  })

  test('takes a count of the owner only if nobody has bought meanwhile', async () => {
    const shop = await withOwner(await openMarket(engine, { products }))
    const anita = await newShopper(shop)
    await opened(shop, anita, { items })
    const counted = await shop.change('lemon', { version: 1, stock: { from: 10, to: 14 } })
    expect([outcome(counted), counted.text]).toEqual(['409 CHANGED_MEANWHILE', expect.stringContaining('it is 9 now')])
    expect(outcome(await shop.change('lemon', { version: 1, stock: { from: 9, to: 13 } }))).toBe('200')
    expect(await shop.stockOf('lemon')).toBe(13)
  })
})
