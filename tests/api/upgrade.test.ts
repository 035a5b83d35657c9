import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { AdminOrder, AdminOrderList } from '#lib/contract/desk.ts'
import { listPapers } from '#lib/tax/invoice.ts'
import { withAdmin } from '../support/admin-products.ts'
import { openRestoreTarget } from '../support/backups.ts'
import { openCheckoutShop } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { SELLER } from '../support/orders.ts'
import { testClock } from '../support/shop.ts'

/**
 * Created by the code before migration 027, for a shop that is registered for GST: orders with a
 * coupon and a delivery fee, changed up to twice, then delivered, cancelled or left open.
 */
const ARCHIVE = fixture('backup-before-027.tar.gz')
/** What that code answered, with the orders' invoices and credit notes. */
const EXPECTED = JSON.parse(await readFile(fixture('backup-before-027.json'), 'utf8')) as {
  now: number
  orders: { orderNumber: string }[]
  stock: Record<string, number>
  report: string
}

describe.each(ENGINES)('A shop that was upgraded on %s', engine => {
  test('keeps its orders, invoices, credit notes, tax report and stock', async () => {
    const target = await openRestoreTarget(engine)
    await target.restore(ARCHIVE)
    const shop = await withAdmin(
      await openCheckoutShop(engine, {
        database: target.store,
        clock: testClock(new Date(EXPECTED.now).toISOString())
      })
    )
    const { orders } = (await shop.callAsAdmin('GET /admin/orders')).body as AdminOrderList
    for (const expected of EXPECTED.orders) {
      const id = orders.find(({ orderNumber }) => orderNumber === expected.orderNumber)?._id
      const order = (await shop.callAsAdmin(`GET /admin/orders/${id}`)).body as AdminOrder
      const papers = listPapers(order, { seller: SELLER, taxText: '' })
      expect({ ...order, papers }).toMatchObject(expected)
    }
    const { text } = await shop.callAsAdmin('GET /admin/tax-report?month=2026-11')
    expect(text).toBe(EXPECTED.report)
    for (const [product, stock] of Object.entries(EXPECTED.stock))
      expect(await shop.stockOf(product)).toBe(stock)
  })
})

function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
}
