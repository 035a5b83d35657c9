import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { AdminOrder, AdminOrderList } from '#lib/contract/desk.ts'
import { listPapers } from '#lib/tax/invoice.ts'
import { MINUTE } from '#lib/time.ts'
import { tableFile } from '#server/backups/archive.ts'
import { openSnapshot } from '#server/backups/make-backup.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import {
  alterArchive,
  tableContents,
  openRestoreTarget,
  openBackupShop,
  restoreTo,
  type BackupShop
} from '../support/backups.ts'
import { call, logInAsAdmin } from '../support/accounts.ts'
import { withAdmin } from '../support/admin-products.ts'
import { buy, addShopper, openPayment, openCheckoutShop } from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { violations } from '../support/invariants.ts'
import { SELLER } from '../support/orders.ts'
import { testClock } from '../support/shop.ts'

const products = {
  lemon: { category: 'pickles', price: 120, stock: 40 },
  murukku: { price: 90.5 }
} as const
const items = [{ product: 'lemon', quantity: 1 }]
/** Restores on the same engine are tested with the commands. */
const ENGINE_PAIRS = [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite']
] as const

async function openShopWithData(engine: Engine) {
  const shop = await openBackupShop(engine, {
    products,
    deals: { diwali: { product: 'lemon' } },
    posts: {
      'how-to-fry': { content: 'A line\u2028that ends oddly, "quoted" \\ and\nfolded – எண்ணெய்' }
    }
  })
  const [anita, velu] = [await addShopper(shop, 'anita'), await addShopper(shop, 'velu')]
  await buy(shop, anita, items)
  const opened = await openPayment(shop, velu, { items })
  await call(shop, 'PUT /cart', { token: anita.token, body: { lines: items } })
  await shop.post('/contact', {
    name: 'Ravi',
    email: 'ravi@example.com',
    message: 'Do you deliver to Madurai?'
  })
  return { shop, anita, opened }
}

describe.each(ENGINE_PAIRS)('Backup on %s restored on %s', (from, to) => {
  test('has all rows and pictures but no sessions, codes or leases', async () => {
    const { shop } = await openShopWithData(from)
    const archive = await shop.backUp()
    expect((await stat(archive)).mode & 0o777).toBe(0o600)
    const target = await openRestoreTarget(to)
    const { manifest, unsent } = await target.restore(archive)
    expect(manifest).toMatchObject({ engine: from, rows: { products: 2, users: 2, orders: 2 } })
    const before = await tableContents(shop.store)
    // Waiting mails are given up without their texts, because the original shop sends them.
    const forgotten = { payload: '{}', state: 'given_up' }
    const mails = await shop.store.database.kysely.selectFrom('outbox').selectAll().execute()
    const outbox = mails.map(row =>
      JSON.stringify(Object.entries({ ...row, ...forgotten }).toSorted())
    )
    expect(await tableContents(target.store)).toEqual({ ...before, outbox: outbox.toSorted() })
    await alterArchive(archive, async folder =>
      expect(await readFile(join(folder, tableFile('outbox')), 'utf8')).not.toMatch(/@|#/)
    )
    expect(unsent).toBeGreaterThan(0)
    const { kysely } = target.store.database
    for (const table of ['sessions', 'leases', 'rate_counts', 'otp_codes', 'publishes'] as const) {
      expect(await kysely.selectFrom(table).selectAll().execute(), table).toEqual([])
    }
    expect(await violations(target.store.database)).toEqual([])
    await expectSamePictures(shop, target.dataDir)
    expect((await readdir(target.dataDir)).filter(name => name.startsWith('.'))).toEqual([])
  })
})

test.for(ENGINES)(
  'Half an emoji in an order of an older version is restored into %s',
  async engine => {
    const { shop } = await openShopWithData('sqlite')
    const stored = String.raw`{"name":"\ude00 Anita","street":"Car Street","country":"India\ud83d\u0000"}`
    await shop.database.kysely
      .updateTable('orders')
      .set({ customer: stored, address: stored })
      .execute()
    const target = await openRestoreTarget(engine)
    await target.restore(await shop.backUp())
    const { kysely } = target.store.database
    const orders = await kysely.selectFrom('orders').select(['customer', 'address']).execute()
    const readable = { name: '\ufffd Anita', street: 'Car Street', country: 'India\ufffd\ufffd' }
    for (const text of orders.flatMap(({ customer, address }) => [customer, address]))
      expect(JSON.parse(text)).toEqual(readable)
  }
)

async function expectSamePictures(shop: BackupShop, dataDir: string) {
  const [original, restored] = [join(shop.dataDir, 'assets'), join(dataDir, 'assets')]
  const names = await readdir(original)
  expect((await readdir(restored)).toSorted()).toEqual(names.toSorted())
  for (const name of names)
    expect(await readFile(join(restored, name), 'utf8')).toBe(`The picture ${name}`)
}

test.for(ENGINES)(
  'Backup contains the rows of every table as they were when the backup started on %s',
  async engine => {
    const { shop, anita } = await openShopWithData(engine)
    const snapshot = await openSnapshot(shop.store.url)
    const count = async (table: string) => {
      let rows = 0
      for await (const batch of snapshot.rows(table)) rows += batch.length
      return rows
    }
    const products = await count('products')
    await buy(shop, anita, items)
    expect([products, await count('orders'), await count('stock_movements')]).toEqual([2, 2, 2])
    await snapshot.close()
  }
)

test('After a restore, later orders are gone, their payments are found or listed, and counters are not lowered', async () => {
  const { shop, anita, opened } = await openShopWithData('sqlite')
  const archive = await shop.backUp()
  await shop.sandbox.pay(opened.id)
  await buy(shop, anita, items)
  const { kysely } = shop.database
  const readCounters = async () => [
    await readCounter(kysely, 'invoices 26-27'),
    await readCounter(kysely, 'catalog')
  ]
  const [invoices = 0, catalog = 0] = await readCounters()
  await restoreTo(shop, archive, true)
  expect(await readCounters()).toEqual([invoices, catalog + 1])
  for (let round = 0; round < 4; round++) {
    shop.clock.advance(11 * MINUTE)
    await shop.reconcile()
  }
  const paid = kysely.selectFrom('orders').select('payment_state').where('id', '=', opened.orderId)
  expect(await paid.execute()).toEqual([{ payment_state: 'paid' }])
  const { token } = await logInAsAdmin(shop)
  const unmatched = (await call(shop, 'GET /admin/unmatched-payments', { token })).body
  expect(unmatched).toMatchObject([{ amount: 120 }])
  const { body } = await shop.sandbox.call('GET', '/payments?count=100')
  const captured = { status: 'captured' }
  expect(body['items']).toMatchObject([captured, captured, captured])
})

describe.each(ENGINES)('A backup from before migration 027 on %s', engine => {
  /**
   * Made by that code for a shop that is registered for GST: orders with a coupon and a delivery
   * fee, changed up to twice, then delivered, cancelled or left open; and what that code answered.
   */
  const fixture = (type: string) =>
    fileURLToPath(new URL(`fixtures/backup-before-027.${type}`, import.meta.url))

  test('keeps its orders, invoices, credit notes, tax report and stock', async () => {
    const expected = JSON.parse(await readFile(fixture('json'), 'utf8')) as {
      now: number
      orders: { orderNumber: string }[]
      stock: Record<string, number>
      report: string
    }
    const target = await openRestoreTarget(engine)
    await target.restore(fixture('tar.gz'))
    const clock = testClock(new Date(expected.now).toISOString())
    const shop = await withAdmin(await openCheckoutShop(engine, { database: target.store, clock }))
    const { orders } = (await shop.callAsAdmin('GET /admin/orders')).body as AdminOrderList
    for (const order of expected.orders) {
      const id = orders.find(({ orderNumber }) => orderNumber === order.orderNumber)?._id
      const found = (await shop.callAsAdmin(`GET /admin/orders/${id}`)).body as AdminOrder
      const papers = listPapers(found, { seller: SELLER, taxText: '' }).map(
        ({ extras: [delivery], ...paper }) => ({
          ...paper,
          deliveryFee: delivery?.amount,
          deliveryTax: delivery && found.deliveryTax
        })
      )
      expect({ ...found, papers }).toMatchObject(order)
    }
    const { text } = await shop.callAsAdmin('GET /admin/tax-report?month=2026-11')
    expect(text).toBe(expected.report)
    for (const [product, stock] of Object.entries(expected.stock))
      expect(await shop.stockOf(product)).toBe(stock)
  })
})
