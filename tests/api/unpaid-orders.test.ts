import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '#lib/time.ts'
import {
  addShopper,
  advanceAndReconcile,
  myOrders,
  openCheckoutShop,
  openPayment,
  stateOf
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]

describe('Unpaid order', () => {
  test('keeps its stock reserved while the provider is unreachable and releases it afterwards', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    await openPayment(shop, anita, { items: lemons })
    await shop.sandbox.control('PUT', '/faults', { errorBefore: 1 })
    await advanceAndReconcile(shop, 2 * HOUR)
    expect(await shop.stockOf('lemon')).toBe(8)
    await shop.sandbox.control('PUT', '/faults', {})
    await advanceAndReconcile(shop, 12 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
    expect(await shop.violations()).toEqual([])
  })

  test('releases its stock even if no order was created at the provider', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    await shop.sandbox.control('PUT', '/faults', { errorBefore: 1 })
    await expect(openPayment(shop, anita, { items: lemons })).rejects.toThrow('PAYMENTS_UNAVAILABLE')
    expect(await shop.stockOf('lemon')).toBe(8)
    await advanceAndReconcile(shop, 32 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
  })
})

describe.each(ENGINES)('Unpaid order on %s', engine => {
  test('releases its stock after 30 minutes and not earlier', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { orderId } = await openPayment(shop, anita, { items: lemons })
    await advanceAndReconcile(shop, 29 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(8)
    await advanceAndReconcile(shop, 2 * MINUTE)
    expect(await shop.stockOf('lemon')).toBe(10)
    expect(await stateOf(shop, anita, orderId)).toBe('expired failed')
    expect(await myOrders(shop, anita)).toEqual([])
    expect(await shop.violations()).toEqual([])
  })
})
