import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as waitForEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { digestFiles } from '#server/backups/archive.ts'
import { makeBackup, openSnapshot } from '#server/backups/make-backup.ts'
import { migrate, MIGRATIONS } from '#server/platform/db/migrate.ts'
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
import { ENGINES, openEmptyDatabase, type Engine } from '../support/database.ts'
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
  await openPayment(shop, velu, { items })
  await call(shop, 'PUT /cart', { token: anita.token, body: { lines: items } })
  await shop.post('/contact', {
    name: 'Ravi',
    email: 'ravi@example.com',
    message: 'Do you deliver to Madurai?'
  })
  return { shop, anita }
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

  test('is a working shop in which users can order after it is confirmed as live and they log in again', async () => {
    const { shop, anita } = await openShopWithData(from)
    const archive = await shop.backUp()
    const target = await openRestoreTarget(to)
    await target.restore(archive)
    await migrate(target.store.database)
    const restoredShop = await openCheckoutShop(to, {
      database: { ...target.store, close: async () => undefined }
    })
    expect(statusAndCode(await call(restoredShop, 'GET /auth/me', { token: anita.token }))).toBe(
      '401 UNAUTHORIZED'
    )
    await call(restoredShop, 'POST /admin/confirm-live', {
      token: (await logInAsAdmin(restoredShop)).token
    })
    const order = await buy(restoredShop, await addShopper(restoredShop), items)
    expect(order.status).toBe('pending')
    const { kysely } = target.store.database
    const numbers = await kysely
      .selectFrom('orders')
      .select('invoice_no')
      .where('invoice_no', 'is not', null)
      .execute()
    expect(numbers.map(({ invoice_no }) => invoice_no).toSorted()).toEqual([1, 2])
    await restoredShop.deliverMails()
    expect(new Set(restoredShop.mails.map(({ id }) => id.includes(order._id)))).toEqual(
      new Set([true])
    )
  })
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

  test('contains consistent data even if orders are placed while it is made', async () => {
    const { shop } = await openShopWithData(engine)
    let selling = true
    const sell = async (): Promise<void> => {
      while (selling) {
        // Always another shopper, because the checkouts of one account are limited.
        if ((await shop.stockOf('lemon')) > 2) await buy(shop, await addShopper(shop), items)
        await waitForEventLoop()
      }
    }
    const sellers = [sell(), sell()]
    const archives: string[] = []
    for (let round = 0; round < 2; round++) archives.push(await shop.backUp())
    selling = false
    await Promise.all(sellers)
    for (const archive of archives) {
      const target = await openRestoreTarget(engine)
      await target.restore(archive)
      expect(
        await violations(target.store.database, { initial: { lemon: 40, murukku: 20 } })
      ).toEqual([])
    }
  })

  test('is migrated after the restore if it comes from an older version', async () => {
    const oldDatabase = await openEmptyDatabase(engine)
    const { kysely } = oldDatabase.database
    const firstMigrations = Object.entries(MIGRATIONS).slice(0, 5)
    await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
      kysely
    )
    for (const [name, { up }] of firstMigrations) {
      await up(kysely)
      await sql`insert into kysely_migration values (${name}, '2026-01-01')`.execute(kysely)
    }
    await oldDatabase.write(trx =>
      trx.insertInto('counters').values({ name: 'invoices 26-27', value: 7 }).execute()
    )
    const post = {
      id: 'one',
      title: 'One',
      author: 'Meena',
      excerpt: '',
      content: '',
      created_at: '2026-01-01'
    }
    await sql`insert into posts (id, title, author, excerpt, content, created_at)
      values (${post.id}, ${post.title}, ${post.author}, ${post.excerpt}, ${post.content}, ${post.created_at})`.execute(
      kysely
    )
    const target = await openRestoreTarget(engine)
    const file = join(target.dataDir, 'old.tar.gz')
    await makeBackup({ databaseUrl: oldDatabase.url, dataDir: target.dataDir, file }, Date.now)
    expect((await manifestOf(file)).migrations).toEqual(firstMigrations.map(([name]) => name))
    await target.restore(file)
    await migrate(target.store.database)
    expect(
      await target.store.database.kysely.selectFrom('publishes').selectAll().execute()
    ).toEqual([])
    expect(
      await target.store.database.kysely.selectFrom('posts').selectAll().execute()
    ).toMatchObject([{ ...post, version: 1, hidden_at: null }])
    expect(await readCounter(target.store.database.kysely, 'invoices 26-27')).toBe(7)
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(
      target.store.database.kysely
    )
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(MIGRATIONS))
    await oldDatabase.close()
  })
})

describe('Backup', () => {
  test('does not contain later orders, and after a restore the payments of these orders are listed', async () => {
    const { shop, anita } = await openShopWithData('sqlite')
    const archive = await shop.backUp()
    await buy(shop, anita, items)
    await restoreTo(shop, archive, true)
    for (let round = 0; round < 4; round++) {
      shop.clock.advance(11 * MINUTE)
      await shop.reconcile()
    }
    const { token } = await logInAsAdmin(shop)
    expect((await call(shop, 'GET /admin/unmatched-payments', { token })).body).toMatchObject([
      { amount: 120 }
    ])
    const { body } = await shop.sandbox.call('GET', '/payments?count=100')
    expect(body['items']).toMatchObject([{ status: 'captured' }, { status: 'captured' }])
    expect(await shop.violations()).toEqual([])
  })

  test('is restored without lowering the counters, to avoid duplicate invoice numbers', async () => {
    const { shop, anita } = await openShopWithData('sqlite')
    const archive = await shop.backUp()
    await buy(shop, anita, items)
    const { kysely } = shop.database
    const [invoices, catalog] = [
      await readCounter(kysely, 'invoices 26-27'),
      await readCounter(kysely, 'catalog')
    ]
    await restoreTo(shop, archive, true)
    expect(await readCounter(kysely, 'invoices 26-27')).toBe(invoices)
    expect(await readCounter(kysely, 'catalog')).toBe(catalog + 1)
  })
})
