import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import type { Tables } from '#server/db/tables.ts'
import { buy, myOrders, newShopper, opened, openMarket, type Market } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const items = [{ product: 'lemon', quantity: 1 }]

/** What a sale changes, in an order in which it can be put back. */
const TABLES = [
  ...['products', 'counters', 'leases', 'outbox', 'webhook_events', 'orders', 'order_lines', 'stock_moves'],
  ...['payments', 'refunds', 'bare_payments']
] as (keyof Tables)[]

/** Remembers everything that has been sold so far; the answer puts it back, and nothing else. */
async function backUp({ database: { kysely }, writeElsewhere }: Market): Promise<() => Promise<void>> {
  const kept = await Promise.all(TABLES.map(table => kysely.selectFrom(table).selectAll().execute()))
  return () =>
    writeElsewhere(async trx => {
      for (const table of TABLES.toReversed()) await trx.deleteFrom(table).execute()
      for (const [index, table] of TABLES.entries()) {
        for (const row of kept[index] ?? []) await trx.insertInto(table).values(row).execute()
      }
    })
}

describe.each(ENGINES)('a shop whose backup is older than its last orders on %s', engine => {
  test('finds every payment at the provider: it is an order, or goes back in full', async () => {
    const shop = await openMarket(engine, { products })
    const [anita, velu] = [await newShopper(shop), await newShopper(shop)]
    const kept = await buy(shop, anita, items)
    const open = await opened(shop, velu, { items })
    const restore = await backUp(shop)

    await shop.sandbox.pay(open.id)
    await buy(shop, anita, items)
    await buy(shop, anita, items)
    const unpaid = await opened(shop, anita, { items })
    await restore()

    for (let turn = 0; turn < 4; turn++) {
      shop.clock.advance(11 * MINUTE)
      await shop.reconcile()
    }
    expect(await myOrders(shop, anita)).toMatchObject([{ _id: kept._id, status: 'pending' }])
    expect(await myOrders(shop, velu)).toMatchObject([{ _id: open.orderId, status: 'pending' }])
    expect(await shop.stockOf('lemon')).toBe(8)
    const { body } = await shop.sandbox.ask('GET', '/payments?count=100')
    const states = (body['items'] as { status: string }[]).map(({ status }) => status).sort()
    expect(states).toEqual(['captured', 'captured', 'refunded', 'refunded'])
    expect(await shop.violations()).toEqual([])

    // Whoever still has the window of a lost order open gets the money back too.
    await shop.sandbox.pay(unpaid.id)
    await shop.hear()
    shop.clock.advance(MINUTE)
    await shop.reconcile()
    const payments = (await shop.sandbox.ask('GET', `/orders/${unpaid.id}/payments`)).body['items']
    expect(payments).toMatchObject([{ status: 'refunded' }])
    expect(await shop.violations()).toEqual([])
  })
})
