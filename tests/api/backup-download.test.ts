import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AuditEntry } from '#lib/contract/admin/audit.ts'
import type { BackupMade } from '#lib/contract/admin/backups.ts'
import { DOWNLOAD_LIFE, SECOND } from '#lib/time.ts'
import { administrator, call, outcome } from '../support/accounts.ts'
import { contentOf, folderOf, openPlace, openSafeMarket } from '../support/backups.ts'
import { ENGINES, type Engine } from '../support/database.ts'

vi.setConfig({ testTimeout: 60 * SECOND })

async function owner(engine: Engine) {
  const shop = await openSafeMarket(engine, { products: { lemon: { price: 120 } } })
  const { token, user } = await administrator(shop)
  const make = () => call(shop, 'POST /admin/backups', { token })
  return { shop, token, user, make }
}

describe.each(ENGINES)('a backup for the owner’s own keeping on %s', engine => {
  test('is made by one call, fetched by its ticket, and brings the shop back', async () => {
    const { shop, token, user, make } = await owner(engine)
    expect((await call(shop, 'GET /admin/backups', { token })).body).toEqual({ lastAt: null })
    const reply = await make()
    const made = reply.body as BackupMade
    expect([reply.status, made.name]).toEqual([201, 'palagaram-2026-11-21T04-00-00Z.tar.gz'])
    const file = await shop.get(`/backups/${made.ticket}`)
    expect(file.status).toBe(200)
    expect(file.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(made.size),
      'content-disposition': expect.stringMatching(/^attachment; filename="palagaram-.*\.tar\.gz"$/),
      'cache-control': 'no-store'
    })
    const archive = join(await folderOf('fetched'), made.name)
    await writeFile(archive, file.raw)
    const place = await openPlace(engine)
    await place.restore(archive)
    const [was, is] = [await contentOf(shop.store), await contentOf(place.store)]
    expect({ ...is, audit: [] }).toEqual({ ...was, audit: [] })

    expect((await call(shop, 'GET /admin/backups', { token })).body).toEqual({ lastAt: made.createdAt })
    const changes = (await call(shop, `GET /admin/audit?kind=user&id=${user._id}`, { token })).body as AuditEntry[]
    expect(changes).toMatchObject([{ what: 'backed up', actor: { id: user._id }, at: made.createdAt }])
  })
})

describe('the ticket of a backup', () => {
  test('works once, also for two who come at the same time', async () => {
    const { shop, make } = await owner('sqlite')
    const { ticket } = (await make()).body as BackupMade
    const path = `/api/backups/${ticket}`
    const looked = await shop.request({ method: 'HEAD', url: path })
    expect(looked.status).toBe(404)
    const replies = await Promise.all([shop.request({ url: path }), shop.request({ url: path })])
    expect(replies.map(outcome).toSorted()).toEqual(['200', '404 BACKUP_GONE'])
    expect(outcome(await shop.request({ url: path }))).toBe('404 BACKUP_GONE')
    expect(await readdir(join(shop.dataDir, 'downloads'))).toEqual([])
  })

  test('ends after ten minutes, and can’t be guessed from the disk', async () => {
    const { shop, make } = await owner('sqlite')
    const { ticket } = (await make()).body as BackupMade
    const [name = ''] = await readdir(join(shop.dataDir, 'downloads'))
    expect(name).not.toContain(ticket)
    shop.clock.advance(DOWNLOAD_LIFE)
    expect((await shop.get(`/backups/${ticket}`)).body).toMatchObject({ message: ADMIN_MESSAGES.backupGone })
    for (const wrong of ['x'.repeat(43), 'short', '..%2f..%2fshop.db', name]) {
      expect((await shop.get(`/backups/${wrong}`)).status).toBe(404)
    }
  })
})

test('two administrators who ask at once get one each', async () => {
  const { shop, make } = await owner('sqlite')
  const tickets = (await Promise.all([make(), make()])).map(({ body }) => (body as BackupMade).ticket)
  for (const ticket of tickets) expect((await shop.get(`/backups/${ticket}`)).status).toBe(200)
})

test('a backup that can’t be made is said to have failed, and nothing is left of it', async () => {
  const { shop, token, make } = await owner('sqlite')
  await shop.write(trx => trx.schema.alterTable('orders').renameTo('elsewhere').execute())
  await shop.write(trx => trx.schema.dropTable('kysely_migration').execute())
  expect(outcome(await make())).toBe('503 BACKUP_FAILED')
  expect((await call(shop, 'GET /admin/backups', { token })).body).toEqual({ lastAt: null })
  expect(await readdir(join(shop.dataDir, 'downloads'))).toEqual([])
  expect((await readdir(shop.dataDir)).filter(entry => entry.startsWith('.'))).toEqual([])
})
