import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AuditEntry } from '#lib/contract/admin/audit.ts'
import type { CreatedBackup } from '#lib/contract/admin/backups.ts'
import { DOWNLOAD_LIFETIME, SECOND } from '#lib/time.ts'
import { logInAsAdmin, call, statusAndCode } from '../support/accounts.ts'
import { tableContents, temporaryFolder, openRestoreTarget, openBackupShop } from '../support/backups.ts'
import { ENGINES, type Engine } from '../support/database.ts'

vi.setConfig({ testTimeout: 60 * SECOND })

async function owner(engine: Engine) {
  const shop = await openBackupShop(engine, { products: { lemon: { price: 120 } } })
  const { token, user } = await logInAsAdmin(shop)
  const make = () => call(shop, 'POST /admin/backups', { token })
  return { shop, token, user, make }
}

describe.each(ENGINES)('Backup download on %s', engine => {
  test('is created by one call, fetched by its ticket and can be restored', async () => {
    const { shop, token, user, make } = await owner(engine)
    expect((await call(shop, 'GET /admin/backups', { token })).body).toEqual({ lastAt: null })
    const reply = await make()
    const made = reply.body as CreatedBackup
    expect([reply.status, made.name]).toEqual([201, 'palagaram-2026-11-21T04-00-00Z.tar.gz'])
    const file = await shop.get(`/backups/${made.ticket}`)
    expect(file.status).toBe(200)
    expect(file.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(made.size),
      'content-disposition': expect.stringMatching(/^attachment; filename="palagaram-.*\.tar\.gz"$/),
      'cache-control': 'no-store'
    })
    const archive = join(await temporaryFolder('fetched'), made.name)
    await writeFile(archive, file.raw)
    const place = await openRestoreTarget(engine)
    await place.restore(archive)
    const [was, is] = [await tableContents(shop.store), await tableContents(place.store)]
    expect({ ...is, audit: [] }).toEqual({ ...was, audit: [] })

    expect((await call(shop, 'GET /admin/backups', { token })).body).toEqual({ lastAt: made.createdAt })
    const changes = (await call(shop, `GET /admin/audit?kind=user&id=${user._id}`, { token })).body as AuditEntry[]
    expect(changes).toMatchObject([{ action: 'backed up', actor: { id: user._id }, at: made.createdAt }])
  })
})

describe('Ticket of a backup download', () => {
  test('works once, even for two concurrent requests', async () => {
    const { shop, make } = await owner('sqlite')
    const { ticket } = (await make()).body as CreatedBackup
    const path = `/api/backups/${ticket}`
    const looked = await shop.request({ method: 'HEAD', url: path })
    expect(looked.status).toBe(404)
    const replies = await Promise.all([shop.request({ url: path }), shop.request({ url: path })])
    expect(replies.map(statusAndCode).toSorted()).toEqual(['200', '404 BACKUP_GONE'])
    expect(statusAndCode(await shop.request({ url: path }))).toBe('404 BACKUP_GONE')
    expect(await readdir(join(shop.dataDir, 'downloads'))).toEqual([])
  })

  test('expires after ten minutes and is not derived from the file name', async () => {
    const { shop, make } = await owner('sqlite')
    const { ticket } = (await make()).body as CreatedBackup
    const [name = ''] = await readdir(join(shop.dataDir, 'downloads'))
    expect(name).not.toContain(ticket)
    shop.clock.advance(DOWNLOAD_LIFETIME)
    expect((await shop.get(`/backups/${ticket}`)).body).toMatchObject({ message: ADMIN_MESSAGES.backupNotFound })
    for (const wrong of ['x'.repeat(43), 'short', '..%2f..%2fshop.db', name]) {
      expect((await shop.get(`/backups/${wrong}`)).status).toBe(404)
    }
  })
})

test('two concurrent backup requests get separate archives', async () => {
  const { shop, make } = await owner('sqlite')
  const tickets = (await Promise.all([make(), make()])).map(({ body }) => (body as CreatedBackup).ticket)
  for (const ticket of tickets) expect((await shop.get(`/backups/${ticket}`)).status).toBe(200)
})

test('a failed backup returns BACKUP_FAILED and leaves no file', async () => {
  const { shop, token, make } = await owner('sqlite')
  await shop.write(trx => trx.schema.alterTable('orders').renameTo('elsewhere').execute())
  await shop.write(trx => trx.schema.dropTable('kysely_migration').execute())
  expect(statusAndCode(await make())).toBe('503 BACKUP_FAILED')
  expect((await call(shop, 'GET /admin/backups', { token })).body).toEqual({ lastAt: null })
  expect(await readdir(join(shop.dataDir, 'downloads'))).toEqual([])
  expect((await readdir(shop.dataDir)).filter(entry => entry.startsWith('.'))).toEqual([])
})
