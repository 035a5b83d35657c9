import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { mailedCode, typeCode, wrongCode } from '../support/accounts.ts'
import { buy, myOrders, newShopper, opened, openMarket, orderOf, place } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const items = [{ product: 'lemon', quantity: 1 }]

describe.each(ENGINES)('a clock that jumps on %s', engine => {
  test('two days ahead ends no hold before the provider was asked, and none that was paid', async () => {
    const shop = await openMarket(engine, { products })
    const [anita, velu] = [await newShopper(shop), await newShopper(shop)]
    const paid = await opened(shop, anita, { items })
    await opened(shop, velu, { items })
    await shop.sandbox.pay(paid.id)
    await shop.sandbox.control('PUT', '/faults', { errorBefore: 1 })
    shop.clock.advance(2 * DAY)
    await shop.reconcile()
    expect(await shop.stockOf('lemon')).toBe(8)
    await shop.sandbox.control('PUT', '/faults', {})
    shop.clock.advance(11 * MINUTE)
    await shop.reconcile()
    expect(await shop.stockOf('lemon')).toBe(9)
    expect(await myOrders(shop, anita)).toMatchObject([{ _id: paid.orderId, status: 'pending' }])
    expect(await shop.violations()).toEqual([])
  })

  test('an hour back loses no payment, keeps every hold, and gives each order its own invoice', async () => {
    const shop = await openMarket(engine, { products })
    const [anita, velu] = [await newShopper(shop), await newShopper(shop)]
    const first = await buy(shop, anita, items)
    const { id } = await opened(shop, anita, { items })
    const silent = await opened(shop, velu, { items })
    shop.clock.advance(-HOUR)
    await shop.sandbox.pay(silent.id)
    const second = orderOf(await place(shop, anita, await shop.sandbox.pay(id)))
    await shop.hear()
    await shop.reconcile()
    expect(await myOrders(shop, velu)).toMatchObject([{ status: 'pending' }])
    expect(second.invoiceNumber).not.toBe(first.invoiceNumber)
    expect(await shop.stockOf('lemon')).toBe(7)
    expect(await shop.violations()).toEqual([])
  })

  test('an hour back gives nobody another try at a one-time code', async () => {
    const shop = await openMarket(engine)
    const code = await mailedCode(shop)
    for (let attempt = 0; attempt < 5; attempt++) await typeCode(shop, wrongCode(code))
    shop.clock.advance(-HOUR)
    expect(await typeCode(shop, code)).toMatchObject({ status: 400 })
  })
})
