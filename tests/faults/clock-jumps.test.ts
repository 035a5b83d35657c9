import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { requestCode, verifyCode, wrongCode } from '../support/accounts.ts'
import {
  buy,
  myOrders,
  addShopper,
  openPayment,
  openCheckoutShop,
  orderOf,
  placeOrder
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const items = [{ product: 'lemon', quantity: 1 }]

describe.each(ENGINES)('Clock jumps on %s', engine => {
  test('after the clock jumps two days ahead, stock is released only if the provider reports no payment', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, velu] = [await addShopper(shop), await addShopper(shop)]
    const paid = await openPayment(shop, anita, { items })
    await openPayment(shop, velu, { items })
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

  test('after the clock jumps one hour back, no payment or reservation is lost and no invoice number repeats', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, velu] = [await addShopper(shop), await addShopper(shop)]
    const first = await buy(shop, anita, items)
    const { id } = await openPayment(shop, anita, { items })
    const unreportedPayment = await openPayment(shop, velu, { items })
    shop.clock.advance(-HOUR)
    await shop.sandbox.pay(unreportedPayment.id)
    const second = orderOf(await placeOrder(shop, anita, await shop.sandbox.pay(id)))
    await shop.deliverWebhooks()
    await shop.reconcile()
    expect(await myOrders(shop, velu)).toMatchObject([{ status: 'pending' }])
    expect(second.invoiceNumber).not.toBe(first.invoiceNumber)
    expect(await shop.stockOf('lemon')).toBe(7)
    expect(await shop.violations()).toEqual([])
  })

  test('after the clock jumps one hour back, a one-time code still allows only five attempts', async () => {
    const shop = await openCheckoutShop(engine)
    const code = await requestCode(shop)
    for (let attempt = 0; attempt < 5; attempt++) await verifyCode(shop, wrongCode(code))
    shop.clock.advance(-HOUR)
    expect(await verifyCode(shop, code)).toMatchObject({ status: 400 })
  })
})
