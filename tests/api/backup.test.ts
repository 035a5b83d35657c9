import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { digestFiles } from '#server/backups/archive.ts'
import { openSnapshot } from '#server/backups/make-backup.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import {
  alterArchive,
  tableContents,
  manifestOf,
  openRestoreTarget,
  openBackupShop,
  restoreTo,
  type BackupShop
} from '../support/backups.ts'
import { call, logInAsAdmin, statusAndCode } from '../support/accounts.ts'
import { ADDRESS, buy, addShopper, openPayment, openCheckoutShop } from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { violations } from '../support/invariants.ts'

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
    // A restore sets the state of waiting mails to given_up, because the original shop sends them.
    const outbox = before['outbox']?.map(row => row.replace('"waiting"', '"given_up"'))
    expect(await tableContents(target.store)).toEqual({ ...before, outbox: outbox?.toSorted() })
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

test('A restored shop takes orders after it is confirmed as live, from users who log in again', async () => {
  const { shop, anita } = await openShopWithData('sqlite')
  const target = await openRestoreTarget('postgres')
  await target.restore(await shop.backUp())
  await migrate(target.store.database)
  const database = { ...target.store, close: async () => undefined }
  const restoredShop = await openCheckoutShop('postgres', { database })
  expect(statusAndCode(await call(restoredShop, 'GET /auth/me', { token: anita.token }))).toBe(
    '401 UNAUTHORIZED'
  )
  await call(restoredShop, 'POST /admin/confirm-live', {
    token: (await logInAsAdmin(restoredShop)).token
  })
  const order = await buy(restoredShop, await addShopper(restoredShop), items)
  expect(order).toMatchObject({ status: 'pending', invoiceNumber: expect.stringMatching(/2$/) })
  await restoredShop.deliverMails()
  expect(restoredShop.mails).not.toEqual([])
  expect(restoredShop.mails.filter(({ id }) => !id.includes(order._id))).toEqual([])
})

test.for(ENGINES)('An archive with half an emoji is restored into %s', async engine => {
  const { shop, anita } = await openShopWithData('sqlite')
  await openPayment(shop, anita, { items })
  const address = JSON.stringify({ ...ADDRESS, street: 'Car Street', country: 'HALF' })
  await shop.database.kysely.updateTable('orders').set({ address }).execute()
  const archive = await alterArchive(await shop.backUp(), async folder => {
    const file = join(folder, 'database', 'orders.jsonl')
    const rows = (await readFile(file, 'utf8')).replaceAll('HALF', String.raw`India\\ud83d\\u0000`)
    await writeFile(file, rows.replaceAll('Anita', String.raw`\\ude00 Anita`))
    const manifest = await manifestOf(await shop.backUp())
    const [changed] = await digestFiles(folder, ['database/orders.jsonl'])
    const files = manifest.files.map(each => (each.name === changed?.name ? changed : each))
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, files }))
  })
  const target = await openRestoreTarget(engine)
  await target.restore(archive)
  const orders = await target.store.database.kysely
    .selectFrom('orders')
    .select(['customer', 'address'])
    .execute()
  for (const order of orders) {
    expect(JSON.parse(order.address)).toMatchObject({
      street: 'Car Street',
      country: 'India\ufffd\ufffd'
    })
    expect(JSON.parse(order.customer)).toMatchObject({ name: '\ufffd Anita Kumar' })
  }
})

async function expectSamePictures(shop: BackupShop, dataDir: string): Promise<void> {
  const [original, restored] = [join(shop.dataDir, 'assets'), join(dataDir, 'assets')]
  const names = await readdir(original)
  expect((await readdir(restored)).toSorted()).toEqual(names.toSorted())
  for (const name of names)
    expect(await readFile(join(restored, name), 'utf8')).toBe(`The picture ${name}`)
}

describe.each(ENGINES)('Backup on %s', engine => {
  test('contains the rows of every table as they were when the backup started', async () => {
    const { shop, anita } = await openShopWithData(engine)
    const snapshot = await openSnapshot(shop.store.url)
    const count = async (table: string): Promise<number> => {
      let rows = 0
      for await (const batch of snapshot.rows(table)) rows += batch.length
      return rows
    }
    const products = await count('products')
    await buy(shop, anita, items)
    expect([products, await count('orders'), await count('stock_movements')]).toEqual([2, 2, 2])
    await snapshot.close()
  })
})

test('After a restore, later orders are gone, their payments are found or listed, and counters are not lowered', async () => {
  const { shop, anita, opened } = await openShopWithData('sqlite')
  const archive = await shop.backUp()
  await shop.sandbox.pay(opened.id)
  await buy(shop, anita, items)
  const { kysely } = shop.database
  const readCounters = async (): Promise<number[]> => [
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
