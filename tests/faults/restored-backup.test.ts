import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import type { Tables } from '#server/platform/db/tables.ts'
import { buy, myOrders, addShopper, openPayment, openCheckoutShop, type CheckoutShop } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const items = [{ product: 'lemon', quantity: 1 }]

/** Tables that a sale changes, in insertion order. */
const TABLES = [
  'products',
  'counters',
  'leases',
  'outbox',
  'webhook_events',
  'orders',
  'order_lines',
  'stock_movements',
  'payments',
  'refunds',
  'unitemised_payments'
] as (keyof Tables)[]

async function saveTables({ database: { kysely }, writeFromOtherProcess }: CheckoutShop): Promise<() => Promise<void>> {
  const savedRows = await Promise.all(TABLES.map(table => kysely.selectFrom(table).selectAll().execute()))
  return () =>
    writeFromOtherProcess(async trx => {
      for (const table of TABLES.toReversed()) await trx.deleteFrom(table).execute()
      for (const [index, table] of TABLES.entries()) {
        for (const row of savedRows[index] ?? []) await trx.insertInto(table).values(row).execute()
      }
    })
}

describe.each(ENGINES)('Restored backup older than the last orders (%s)', engine => {
  test('each payment found at the provider becomes an order or is refunded in full', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, velu] = [await addShopper(shop), await addShopper(shop)]
    const keptOrder = await buy(shop, anita, items)
    const openedPayment = await openPayment(shop, velu, { items })
    const restore = await saveTables(shop)

    await shop.sandbox.pay(openedPayment.id)
    await buy(shop, anita, items)
    await buy(shop, anita, items)
    const unpaidOrder = await openPayment(shop, anita, { items })
    await restore()

    for (let round = 0; round < 4; round++) {
      shop.clock.advance(11 * MINUTE)
      await shop.reconcile()
    }
    expect(await myOrders(shop, anita)).toMatchObject([{ _id: keptOrder._id, status: 'pending' }])
    expect(await myOrders(shop, velu)).toMatchObject([{ _id: openedPayment.orderId, status: 'pending' }])
    expect(await shop.stockOf('lemon')).toBe(8)
    const { body } = await shop.sandbox.call('GET', '/payments?count=100')
    const states = (body['items'] as { status: string }[]).map(({ status }) => status).sort()
    expect(states).toEqual(['captured', 'captured', 'refunded', 'refunded'])
    expect(await shop.violations()).toEqual([])

    // The restored backup has no order for this payment window. Its payment is refunded too.
    await shop.sandbox.pay(unpaidOrder.id)
    await shop.deliverWebhooks()
    shop.clock.advance(MINUTE)
    await shop.reconcile()
    const payments = (await shop.sandbox.call('GET', `/orders/${unpaidOrder.id}/payments`)).body['items']
    expect(payments).toMatchObject([{ status: 'refunded' }])
    expect(await shop.violations()).toEqual([])
  })
})
