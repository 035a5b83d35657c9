import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
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
  type RestoreTarget
} from '../support/backups.ts'
import { startCommand } from '../support/command.ts'
import { ENGINES } from '../support/database.ts'
import { freePort } from '../support/server.ts'

const PRODUCTS = { products: { lemon: { price: 120 } } }
const LIVE_URL = 'https://shop.example'

/** Runs the command in a process of its own. */
async function run(
  command: 'backup' | 'restore',
  args: string[],
  { store, dataDir }: Pick<RestoreTarget, 'store' | 'dataDir'>,
  settings: Record<string, string> = {}
): Promise<{ code: number | null; output: string }> {
  const started = startCommand([`server/commands/${command}.ts`, ...args], {
    ...{ PORT: String(await freePort()), SITE_URL: LIVE_URL, SANDBOX: 'true', DATA_DIR: dataDir },
    ...(store.url.startsWith('postgres') && { DATABASE_URL: store.url }),
    ...settings
  })
  const code = await started.waitForExit()
  return { code, output: started.output() }
}

describe.each(ENGINES)('npm run backup and npm run restore on %s', engine => {
  test('write an archive and restore it into another database and folder', async () => {
    const shop = await openBackupShop(engine, PRODUCTS)
    expect(await run('backup', [], shop)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/1 products, 0 orders, 0 accounts, 1 pictures/)
    })
    expect(await readCounter(shop.database.kysely, LAST_BACKUP)).toBeGreaterThan(0)
    const [name = ''] = await readdir(join(shop.dataDir, 'backups'))
    const archive = join(shop.dataDir, 'backups', name)
    expect((await stat(archive)).mode & 0o777).toBe(0o600)
    for (const [options, siteUrl] of [
      [[], null],
      [['--live'], LIVE_URL]
    ] as const) {
      const target = await openRestoreTarget(engine)
      const { code, output } = await run('restore', [archive, ...options], target)
      expect(code).toBe(0)
      expect(output).toMatch(/^Restored 1 products, 0 orders, 0 accounts as of /)
      expect(output.includes(ADMIN_MESSAGES.notLive)).toBe(siteUrl === null)
      expect((await readIdentity(target.store.database.kysely)).site_url).toBe(siteUrl)
      expect(await tableContents(target.store)).toEqual(await tableContents(shop.store))
    }
  })

  // Pictures do not depend on the database.
  const points = engine === 'sqlite' ? RESTORE_POINTS : (['restore-precommit'] as const)
  test.for(points)(
    'change nothing if the restore is killed at %s, and the restore can be run again',
    async FAILPOINT => {
      const shop = await openBackupShop(engine, PRODUCTS)
      const archive = await shop.backUp()
      const target = await openRestoreTarget(engine)
      expect((await run('restore', [archive], target, { FAILPOINT })).code).toBeNull()
      expect(await isEmptyDatabase(target)).toBe(true)
      await target.restore(archive)
      expect(await tableContents(target.store)).toEqual(await tableContents(shop.store))
      expect((await readdir(target.dataDir)).filter(name => name.startsWith('.'))).toEqual([])
    }
  )
})

test('npm run restore refuses a shop that is running', async () => {
  const shop = await openBackupShop('sqlite', PRODUCTS)
  const archive = await shop.backUp()
  await shop.app.listen({ host: '127.0.0.1', port: 0 })
  const PORT = String((shop.app.server.address() as AddressInfo).port)
  expect(await run('restore', [archive, '--force'], shop, { PORT })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Restore failed: the shop is running .*stop it first[^\n]*\n$/i)
  })
})

test.for([
  ['backup', [], /^Backup failed: The database .* does not exist\n$/],
  ['backup', ['--keep', 'all'], /--keep must be a whole number/],
  ['restore', [], /Specify one archive/]
] as const)('npm run %s %o fails without a database', async ([command, options, message]) => {
  const target = await openRestoreTarget('sqlite')
  await rm(join(target.dataDir, 'shop.db'), { force: true })
  const { code, output } = await run(command, [...options], target)
  expect(code).toBe(1)
  expect(output).toMatch(message)
})

test('Backup archives have their time in the name, and --keep=2 deletes all but the newest two', async () => {
  const archiveOfDay = (n: number) => archiveName(Date.UTC(2026, 10, n, 4))
  expect(archiveOfDay(21)).toBe('palagaram-2026-11-21T04-00-00Z.tar.gz')
  const shop = await openBackupShop('sqlite')
  const folder = join(shop.dataDir, 'archives')
  await mkdir(folder)
  const others = ['notes.txt', archiveName(0).replace('palagaram', 'other'), 'palagaram.tar.gz']
  for (const name of [archiveOfDay(1), archiveOfDay(2), ...others])
    await writeFile(join(folder, name), '')
  await run('backup', [folder, '--keep=2'], shop)
  const names = await readdir(folder)
  expect(names).toHaveLength(2 + others.length)
  expect(names).toEqual(expect.arrayContaining([archiveOfDay(2), ...others]))
})
