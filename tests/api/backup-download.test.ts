import { mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AuditEntry, CreatedBackup } from '#lib/contract/admin.ts'
import { DOWNLOAD_LIFETIME } from '#lib/time.ts'
import { archiveName } from '#server/backups/archive.ts'
import { restoreBackup } from '#server/backups/restore.ts'
import { openObjectStore } from '#server/platform/storage/open-store.ts'
import { logInAsAdmin, call, statusAndCode } from '../support/accounts.ts'
import { tableContents, openRestoreTarget, openBackupShop } from '../support/backups.ts'
import type { Engine } from '../support/database.ts'
import { openShop } from '../support/shop.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function openShopWithAdmin(engine: Engine) {
  const shop = await openBackupShop(engine, { products: { lemon: { price: 120 } } })
  const { token, user } = await logInAsAdmin(shop)
  const createBackup = () => call(shop, 'POST /admin/backups', { token })
  return { shop, token, user, createBackup }
}

describe('Backup download', () => {
  test('creates an archive that can be downloaded with a ticket and restored', async () => {
    const { shop, token, user, createBackup } = await openShopWithAdmin('sqlite')
    expect((await call(shop, 'GET /admin/backups', { token })).body).toEqual({ lastAt: null })
    const reply = await createBackup()
    const backup = reply.body as CreatedBackup
    expect([reply.status, backup.name]).toEqual([201, archiveName(Date.parse(backup.createdAt))])
    const file = await shop.get(`/backups/${backup.ticket}`)
    expect(file.status).toBe(200)
    expect(file.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(backup.size),
      'content-disposition': expect.stringMatching(
        /^attachment; filename="palagaram-.*\.tar\.gz"$/
      ),
      'cache-control': 'no-store'
    })
    const archive = join(await temporaryFolder(), backup.name)
    await writeFile(archive, file.raw)
    const target = await openRestoreTarget('sqlite')
    await target.restore(archive)
    const [original, restored] = [
      await tableContents(shop.store),
      await tableContents(target.store)
    ]
    expect({ ...restored, audit: [] }).toEqual({ ...original, audit: [] })

    expect((await call(shop, 'GET /admin/backups', { token })).body).toEqual({
      lastAt: backup.createdAt
    })
    const changes = (await call(shop, `GET /admin/audit?kind=user&id=${user._id}`, { token }))
      .body as AuditEntry[]
    expect(changes).toMatchObject([{ action: 'backed up', actor: { id: user._id } }])
  })
})

describe('Ticket of a backup download', () => {
  test('works only once, even if two requests use it at the same time', async () => {
    const { shop, createBackup } = await openShopWithAdmin('sqlite')
    const { ticket } = (await createBackup()).body as CreatedBackup
    const path = `/api/backups/${ticket}`
    const head = await shop.request({ method: 'HEAD', url: path })
    expect(head.status).toBe(404)
    const replies = await Promise.all([shop.request({ url: path }), shop.request({ url: path })])
    expect(replies.map(statusAndCode).toSorted()).toEqual(['200', '404 BACKUP_GONE'])
    expect(statusAndCode(await shop.request({ url: path }))).toBe('404 BACKUP_GONE')
    expect(await readdir(join(shop.dataDir, 'downloads'))).toEqual([])
  })

  test('expires after ten minutes and does not appear in the file name of the archive', async () => {
    const { shop, createBackup } = await openShopWithAdmin('sqlite')
    const { ticket } = (await createBackup()).body as CreatedBackup
    const [name = ''] = await readdir(join(shop.dataDir, 'downloads'))
    expect(name).not.toContain(ticket)
    const expired = new Date(Date.now() - DOWNLOAD_LIFETIME)
    await utimes(join(shop.dataDir, 'downloads', name), expired, expired)
    expect((await shop.get(`/backups/${ticket}`)).body).toMatchObject({
      message: 'This backup is no longer available. Please download a new one.'
    })
    for (const wrong of ['x'.repeat(43), 'short', '..%2f..%2fshop.db', name]) {
      expect((await shop.get(`/backups/${wrong}`)).status).toBe(404)
    }
  })
})

test('Two concurrent backup requests get separate archives', async () => {
  const { shop, createBackup } = await openShopWithAdmin('sqlite')
  const tickets = (await Promise.all([createBackup(), createBackup()])).map(
    ({ body }) => (body as CreatedBackup).ticket
  )
  for (const ticket of tickets) expect((await shop.get(`/backups/${ticket}`)).status).toBe(200)
})

test('A failed backup returns BACKUP_FAILED and leaves no file', async () => {
  const { shop, token, createBackup } = await openShopWithAdmin('sqlite')
  await shop.write(trx => trx.schema.alterTable('orders').renameTo('elsewhere').execute())
  await shop.write(trx => trx.schema.dropTable('kysely_migration').execute())
  expect(statusAndCode(await createBackup())).toBe('503 BACKUP_FAILED')
  expect((await call(shop, 'GET /admin/backups', { token })).body).toEqual({ lastAt: null })
  expect(
    (await readdir(shop.dataDir, { recursive: true })).filter(name => name.includes('.tar'))
  ).toEqual([])
  expect((await readdir(shop.dataDir)).filter(entry => entry.startsWith('.'))).toEqual([])
})

test('With an object store, a ticket works once at any node, and the archive has the pictures of the store', async () => {
  const storage = { type: 'folder' as const, folder: await temporaryFolder() }
  const objects = openObjectStore(storage)
  const options = { products: { lemon: { price: 120 } }, objects, config: { storage } }
  const shop = await openBackupShop('sqlite', options)
  const { token } = await logInAsAdmin(shop)
  const pictures = await readdir(join(shop.dataDir, 'assets'))
  await mkdir(join(storage.folder, 'assets'))
  for (const name of pictures)
    await rename(join(shop.dataDir, 'assets', name), join(storage.folder, 'assets', name))
  const { ticket } = (await call(shop, 'POST /admin/backups', { token })).body as CreatedBackup

  const dataDir = await temporaryFolder()
  const database = { ...shop.store, close: async () => undefined }
  const config = { storage, dataDir, databaseUrl: shop.store.url }
  const other = await openShop('sqlite', { objects, database, config, clock: shop.clock })
  const reply = await other.get(`/backups/${ticket}`)
  expect(reply.status).toBe(200)
  for (const node of [other, shop])
    expect(statusAndCode(await node.get(`/backups/${ticket}`))).toBe('404 BACKUP_GONE')
  expect(await readdir(join(dataDir, 'downloads'))).toEqual([])

  const archive = join(await temporaryFolder(), 'archive.tar.gz')
  await writeFile(archive, reply.raw)
  const target = await openRestoreTarget('sqlite')
  const newStore = openObjectStore({ type: 'folder', folder: await temporaryFolder() })
  const task = {
    database: target.store.database,
    dataDir: target.dataDir,
    file: archive,
    force: false,
    siteUrl: null
  }
  await restoreBackup({ ...task, objects: newStore }, Date.now)
  for (const name of pictures) {
    expect(String(await newStore.get(`assets/${name}`))).toBe(`The picture ${name}`)
  }
})
