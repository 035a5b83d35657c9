import { describe, expect, test } from 'vitest'
import type { UnmatchedPayment } from '#lib/contract/admin.ts'
import { MINUTE } from '#lib/time.ts'
import type { Tables } from '#server/platform/db/tables.ts'
import { call, logInAsAdmin } from '../support/accounts.ts'
import {
  buy,
  myOrders,
  addShopper,
  openPayment,
  openCheckoutShop,
  type CheckoutShop
} from '../support/checkout.ts'
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
  'delivery_days',
  'orders',
  'order_lines',
  'stock_movements',
  'payments',
  'unmatched_payments',
  'refunds',
  'unitemised_payments'
] as (keyof Tables)[]

async function saveTables({
  database: { kysely },
  writeFromOtherProcess
}: CheckoutShop): Promise<() => Promise<void>> {
  const savedRows = await Promise.all(
    TABLES.map(table => kysely.selectFrom(table).selectAll().execute())
  )
  return () =>
    writeFromOtherProcess(async trx => {
      for (const table of TABLES.toReversed()) await trx.deleteFrom(table).execute()
      for (const [index, table] of TABLES.entries()) {
        for (const row of savedRows[index] ?? []) await trx.insertInto(table).values(row).execute()
      }
    })
}

describe.each(ENGINES)('Restored backup older than the last orders on %s', engine => {
  test('each payment found at the provider becomes an order, is listed for an administrator, or is refunded', async () => {
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
    expect(await myOrders(shop, velu)).toMatchObject([
      { _id: openedPayment.orderId, status: 'pending' }
    ])
    expect(await shop.stockOf('lemon')).toBe(8)
    const { body } = await shop.sandbox.call('GET', '/payments?count=100')
    const states = new Set((body['items'] as { status: string }[]).map(({ status }) => status))
    expect(states).toEqual(new Set(['captured']))
    const { token } = await logInAsAdmin(shop)
    const listed = (await call(shop, 'GET /admin/unmatched-payments', { token }))
      .body as UnmatchedPayment[]
    expect(listed).toHaveLength(2)
    expect(await shop.violations()).toEqual([])

    // The restored backup has no order for this payment window. Its payment is listed too.
    const { razorpay_payment_id: id } = await shop.sandbox.pay(unpaidOrder.id)
    await shop.deliverWebhooks()
    await call(shop, `POST /admin/unmatched-payments/${id}`, {
      token,
      body: { decision: 'refund' }
    })
    await shop.reconcile()
    const payments = (await shop.sandbox.call('GET', `/orders/${unpaidOrder.id}/payments`)).body[
      'items'
    ]
    expect(payments).toMatchObject([{ id, status: 'refunded' }])
    expect(await shop.violations()).toEqual([])
  })
})
