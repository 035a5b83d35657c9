import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuditEntry, CreatedBackup } from '#lib/contract/admin.ts'
import { archiveName } from '#server/backups/archive.ts'
import { restoreBackup } from '#server/backups/restore.ts'
import { openObjectStore } from '#server/platform/storage/open-store.ts'
import { call, expectBody, expectOk, expectOutcome, logInAsAdmin } from '../support/accounts.ts'
import { openRestoreTarget, openBackupShop } from '../support/backups.ts'
import { openShop, type ShopOptions } from '../support/shop.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function openShopWithAdmin(options: ShopOptions = {}) {
  const shop = await openBackupShop('sqlite', { products: { lemon: { price: 120 } }, ...options })
  const { token, user } = await logInAsAdmin(shop)
  return {
    shop,
    userId: user._id,
    callAsAdmin: (line: string) => call(shop, line, { token }),
    createBackup: async () =>
      (await call(shop, 'POST /admin/backups', { token })).body as CreatedBackup,
    listDownloads: () => readdir(join(shop.dataDir, 'downloads'))
  }
}

test('A backup is downloaded with a ticket, also again after a lost connection', async () => {
  const { shop, userId, callAsAdmin, createBackup, listDownloads } = await openShopWithAdmin()
  expect((await callAsAdmin('GET /admin/backups')).body).toEqual({ lastAt: null })
  const { name, createdAt, ticket, size } = await createBackup()
  expect(name).toBe(archiveName(Date.parse(createdAt)))
  expect((await listDownloads())[0]).not.toContain(ticket)
  const url = `/api/backups/${ticket}`
  await expectOk(shop.request({ method: 'HEAD', url }))
  const [file, again] = [await shop.request({ url }), await shop.request({ url })]
  expect(file.raw).toHaveLength(size)
  expect(again.raw).toEqual(file.raw)
  expect(file.headers).toMatchObject({
    'content-type': 'application/gzip',
    'content-length': String(size),
    // From the time of the file, which may be in the next second.
    'content-disposition': expect.stringMatching(
      /^attachment; filename="palagaram-[\dT-]+Z\.tar\.gz"$/
    ),
    'cache-control': 'no-store'
  })
  expect((await callAsAdmin('GET /admin/backups')).body).toEqual({ lastAt: createdAt })
  const changes = (await callAsAdmin(`GET /admin/audit?kind=user&id=${userId}`))
    .body as AuditEntry[]
  expect(changes).toMatchObject([{ action: 'backed up', actor: { id: userId } }])
})

test('Backups requested at the same time are separate, and a ticket expires after ten minutes', async () => {
  const { shop, createBackup, listDownloads } = await openShopWithAdmin()
  const [first, second] = await Promise.all([createBackup(), createBackup()])
  await expectOk(shop.get(`/backups/${first.ticket}`))
  const until = new Date().toISOString()
  await shop.write(trx => trx.updateTable('leases').set({ until }).execute())
  await expectBody(shop.get(`/backups/${second.ticket}`), {
    message: 'This backup is no longer available. Please download a new one.'
  })
  const [name = ''] = await listDownloads()
  for (const wrong of ['x'.repeat(43), 'short', '..%2f..%2fshop.db', name])
    expect((await shop.get(`/backups/${wrong}`)).status).toBe(404)
})

test('A failed backup returns BACKUP_FAILED and leaves no file', async () => {
  const { shop, callAsAdmin } = await openShopWithAdmin()
  await shop.write(trx => trx.schema.alterTable('orders').renameTo('elsewhere').execute())
  await shop.write(trx => trx.schema.dropTable('kysely_migration').execute())
  await expectOutcome(callAsAdmin('POST /admin/backups'), '503 BACKUP_FAILED')
  expect((await callAsAdmin('GET /admin/backups')).body).toEqual({ lastAt: null })
  const left = await readdir(shop.dataDir, { recursive: true })
  expect(left.filter(name => name.includes('.tar') || name.startsWith('.'))).toEqual([])
})

test('With an object store, a ticket works at any node, and the archive has the pictures of the store', async () => {
  const storage = { type: 'folder' as const, folder: await temporaryFolder() }
  const objects = openObjectStore(storage)
  const { shop, createBackup } = await openShopWithAdmin({ objects, config: { storage } })
  const pictures = await readdir(join(shop.dataDir, 'assets'))
  await mkdir(join(storage.folder, 'assets'))
  for (const name of pictures)
    await rename(join(shop.dataDir, 'assets', name), join(storage.folder, 'assets', name))
  const { ticket } = await createBackup()

  const dataDir = await temporaryFolder()
  const database = { ...shop.store, close: async () => undefined }
  const config = { storage, dataDir, databaseUrl: shop.store.url }
  const other = await openShop('sqlite', { objects, database, config, clock: shop.clock })
  const { status, raw } = await other.get(`/backups/${ticket}`)
  expect(status).toBe(200)

  const target = await openRestoreTarget('sqlite')
  const newStore = openObjectStore({ type: 'folder', folder: await temporaryFolder() })
  const task = { database: target.store.database, dataDir: target.dataDir, objects: newStore }
  const file = join(await temporaryFolder(), 'archive.tar.gz')
  await writeFile(file, raw)
  await restoreBackup({ ...task, file, force: false, siteUrl: null }, Date.now)
  for (const name of pictures)
    expect(String(await newStore.get(`assets/${name}`))).toBe(`The picture ${name}`)
})
