import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { archiveName } from '#server/backups/archive.ts'
import { readIdentity } from '#server/live-shop/live-shop.ts'
import { RESTORE_POINTS } from '#server/platform/process/failpoints.ts'
import { LAST_BACKUP, readCounter } from '#server/platform/db/counters.ts'
import {
  tableContents,
  isEmptyDatabase,
  openRestoreTarget,
  openBackupShop,
  type RestoreTarget,
  type BackupShop
} from '../support/backups.ts'
import { startCommand } from '../support/command.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { freePort } from '../support/server.ts'

const PRODUCTS = { products: { lemon: { price: 120 } } }

interface CommandResult {
  code: number | null
  output: string
}

function settingsOf({
  store,
  dataDir
}: Pick<RestoreTarget, 'store' | 'dataDir'>): Record<string, string> {
  return { DATA_DIR: dataDir, ...(store.url.startsWith('postgres') && { DATABASE_URL: store.url }) }
}

async function run(
  command: 'backup' | 'restore',
  args: string[],
  settings: Record<string, string>
): Promise<CommandResult> {
  const port = String(await freePort())
  const started = startCommand([`server/commands/${command}.ts`, ...args], {
    PORT: port,
    ...settings
  })
  const code = await started.waitForExit()
  return { code, output: started.output() }
}

const openSampleShop = (engine: Engine): Promise<BackupShop> => openBackupShop(engine, PRODUCTS)

describe.each(ENGINES)('npm run backup and npm run restore on %s', engine => {
  test('write an archive and restore it into another database and folder', async () => {
    const shop = await openSampleShop(engine)
    const settings = settingsOf(shop)
    const backup = await run('backup', [], settings)
    expect(backup).toMatchObject({
      code: 0,
      output: expect.stringMatching(/1 products, 0 orders, 0 accounts, 1 pictures/)
    })
    expect(await readCounter(shop.database.kysely, LAST_BACKUP)).toBeGreaterThan(0)
    const [name = ''] = await readdir(join(shop.dataDir, 'backups'))
    const archive = join(shop.dataDir, 'backups', name)
    expect((await stat(archive)).mode & 0o777).toBe(0o600)

    const target = await openRestoreTarget(engine)
    const restored = await run('restore', [archive], settingsOf(target))
    expect(restored).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Restored 1 products, 0 orders, 0 accounts as of /)
    })
    expect(await tableContents(target.store)).toEqual(await tableContents(shop.store))
  })

  // Pictures do not depend on the database.
  const points = engine === 'sqlite' ? RESTORE_POINTS : (['restore-precommit'] as const)
  test.for(points)(
    'change nothing if the restore is killed at %s, and the restore can be run again',
    async point => {
      const shop = await openSampleShop(engine)
      const archive = await shop.backUp()
      const target = await openRestoreTarget(engine)
      const killed = await run('restore', [archive], { ...settingsOf(target), FAILPOINT: point })
      expect(killed.code).toBeNull()
      expect(await isEmptyDatabase(target)).toBe(true)
      await target.restore(archive)
      expect(await tableContents(target.store)).toEqual(await tableContents(shop.store))
      expect((await readdir(target.dataDir)).filter(name => name.startsWith('.'))).toEqual([])

      await shop.addToCatalog({ products: { halwa: {} } })
      const before = await tableContents(shop.store)
      const forced = await run('restore', [archive, '--force'], {
        ...settingsOf(shop),
        FAILPOINT: point
      })
      expect(forced.code).toBeNull()
      expect(await tableContents(shop.store)).toEqual(before)
    }
  )
})

test('npm run restore restores a shop that is not live, except with --live', async () => {
  const archive = await (await openSampleShop('sqlite')).backUp()
  const address = { SITE_URL: 'https://shop.example', SANDBOX: 'true' }
  for (const [options, siteUrl] of [
    [[], null],
    [['--live'], address.SITE_URL]
  ] as const) {
    const target = await openRestoreTarget('sqlite')
    const { output } = await run('restore', [archive, ...options], {
      ...settingsOf(target),
      ...address
    })
    expect(output.includes(ADMIN_MESSAGES.notLive)).toBe(siteUrl === null)
    expect((await readIdentity(target.store.database.kysely)).site_url).toBe(siteUrl)
  }
})

test('npm run restore refuses to run while the shop is running', async () => {
  const shop = await openSampleShop('sqlite')
  const archive = await shop.backUp()
  await shop.app.listen({ host: '127.0.0.1', port: 0 })
  const address = shop.app.server.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const result = await run('restore', [archive, '--force'], { ...settingsOf(shop), PORT: port })
  expect(result).toMatchObject({
    code: 1,
    output: expect.stringMatching(/the shop is running .*stop it first/)
  })
})

test('npm run restore fails with one line if the database is not empty', async () => {
  const shop = await openSampleShop('sqlite')
  expect(await run('restore', [await shop.backUp()], settingsOf(shop))).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      /^Restore failed: .*is not empty \(products: 1\); use --force[^\n]*\n$/
    )
  })
})

test('npm run backup fails with one line if there is no database', async () => {
  const target = await openRestoreTarget('sqlite')
  await rm(join(target.dataDir, 'shop.db'), { force: true })
  expect(await run('backup', [], settingsOf(target))).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Backup failed: The database .* does not exist\n$/)
  })
})

test('Options of backup and restore are checked', async () => {
  expect((await run('restore', [], {})).output).toMatch(/Specify one archive/)
  const backup = await run('backup', ['--keep', 'all'], {})
  expect(backup.output).toMatch(/--keep must be a whole number/)
  expect((await run('backup', ['--help'], {})).output).toMatch(/^Creates an archive/)
})

describe('Backup archives', () => {
  const archiveOfDay = (n: number): string => archiveName(Date.UTC(2026, 10, n, 4))

  test('have their creation time in the file name', () => {
    expect(archiveOfDay(21)).toBe('palagaram-2026-11-21T04-00-00Z.tar.gz')
  })

  test('are deleted by --keep=2 except for the newest two, and other files are kept', async () => {
    const shop = await openSampleShop('sqlite')
    const folder = join(shop.dataDir, 'archives')
    await mkdir(folder)
    const others = ['notes.txt', archiveName(0).replace('palagaram', 'other'), 'palagaram.tar.gz']
    for (const name of [archiveOfDay(1), archiveOfDay(2), ...others])
      await writeFile(join(folder, name), '')
    await utimes(folder, 0, 0)
    await run('backup', [folder, '--keep=2'], settingsOf(shop))
    const names = await readdir(folder)
    expect(names).toHaveLength(2 + others.length)
    expect(names).toEqual(expect.arrayContaining(others))
    expect(names).toContain(archiveOfDay(2))
  })
})
