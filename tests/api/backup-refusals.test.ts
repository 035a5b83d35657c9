import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { create, Header } from 'tar'
import { describe, expect, test } from 'vitest'
import { migrate } from '#server/platform/db/migrate.ts'
import type { Manifest } from '#server/backups/archive.ts'
import {
  tableContents,
  isEmptyDatabase,
  openRestoreTarget,
  openBackupShop,
  restoreTo,
  alterArchive
} from '../support/backups.ts'
import { ENGINES } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const changeManifest =
  (change: (manifest: Manifest) => object) =>
  async (folder: string): Promise<void> => {
    const file = join(folder, 'manifest.json')
    const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest
    await writeFile(file, JSON.stringify(change(manifest)))
  }

async function openShopWithArchive(engine: 'sqlite' | 'postgres') {
  const shop = await openBackupShop(engine, { products: { lemon: { price: 120 } } })
  return { shop, archive: await shop.backUp() }
}

const INVALID_ARCHIVES: [change: (folder: string) => Promise<unknown>, message: RegExp][] = [
  [
    folder => appendFile(join(folder, 'database', 'orders.jsonl'), '{}\n'),
    /database\/orders\.jsonl does not match its checksum/
  ],
  [
    folder =>
      writeFile(join(folder, 'pictures', 'lemon-00000000.jpg'), 'The picture lemon-00000000.jpx'),
    /pictures\/lemon-00000000\.jpg does not match its checksum/
  ],
  [
    folder => writeFile(join(folder, 'pictures', 'more.jpg'), ''),
    /pictures\/more\.jpg is not in the manifest/
  ],
  [
    changeManifest(manifest => ({ ...manifest, format: 2 })),
    /newer version of the shop \(format 2\)/
  ],
  [
    changeManifest(({ migrations, ...others }) => ({
      ...others,
      migrations: [...migrations, '999-future']
    })),
    /newer version of the shop \(999-future\)/
  ],
  [
    changeManifest(manifest => ({ ...manifest, migrations: ['001-storefront'] })),
    /is too old; restore it with the version of commit 1678b053/
  ],
  [changeManifest(() => ({ format: 1 })), /is not a backup of a shop/],
  [
    changeManifest(({ rows, ...others }) => ({ ...others, rows: { ...rows, products: 0 } })),
    /products has 1 rows instead of 0/
  ]
]

describe('Restore fails and changes nothing for an archive', () => {
  test('that was changed or is of another version', async () => {
    const { archive } = await openShopWithArchive('sqlite')
    const target = await openRestoreTarget('sqlite')
    for (const [change, message] of INVALID_ARCHIVES) {
      const altered = await alterArchive(archive, change)
      await expect(target.restore(altered)).rejects.toThrow(message)
      expect(await isEmptyDatabase(target), String(message)).toBe(true)
    }
  })

  test('that is truncated or is not an archive', async () => {
    const { archive } = await openShopWithArchive('sqlite')
    const target = await openRestoreTarget('sqlite')
    await truncate(archive, (await stat(archive)).size - 40)
    await expect(target.restore(archive)).rejects.toThrow(/is damaged or not a backup/)
    await writeFile(archive, 'Dear shop')
    await expect(target.restore(archive)).rejects.toThrow(/damaged or not a backup/)
    await expect(target.restore(`${archive}.none`)).rejects.toThrow(/does not exist/)
    expect(await isEmptyDatabase(target)).toBe(true)
  })

  test('that would unpack to more than a backup of its size', async () => {
    const target = await openRestoreTarget('sqlite')
    const size = 1024 ** 3
    const header = new Header({ path: 'database/orders.jsonl', type: 'File', mode: 0o600, size })
    header.encode()
    const file = join(await temporaryFolder(), 'bomb.tar.gz')
    await writeFile(file, gzipSync(header.block ?? ''))
    await expect(target.restore(file)).rejects.toThrow(/would unpack to more than 1 GB/)
    expect(await isEmptyDatabase(target)).toBe(true)
  })

  test.for(['../outside.jpg', '/tmp/outside.jpg', 'pictures/../../outside.jpg'])(
    'that contains the path %s',
    async path => {
      const folder = await temporaryFolder()
      await writeFile(join(folder, 'a.jpg'), 'outside')
      const file = join(folder, 'bad.tar.gz')
      const onWriteEntry = (entry: { path: string }) => void (entry.path = path)
      await create(
        { file, cwd: folder, gzip: true, portable: true, preservePaths: true, onWriteEntry },
        ['a.jpg']
      )
      const target = await openRestoreTarget('sqlite')
      await expect(target.restore(file)).rejects.toThrow(/unexpected entry|damaged/)
      await expect(stat(join(target.dataDir, '..', 'outside.jpg'))).rejects.toThrow(/ENOENT/)
    }
  )
})

describe.each(ENGINES)('Restore on %s', engine => {
  test('refuses to replace an existing shop without --force and lists the existing data', async () => {
    const { archive } = await openShopWithArchive(engine)
    const other = await openBackupShop(engine, { products: { halwa: {}, laddu: {} } })
    const target = { store: other.store, dataDir: other.dataDir }
    const before = await tableContents(other.store)
    await expect(restoreTo(target, archive)).rejects.toThrow(
      /is not empty \(products: 2\); use --force to replace all data/
    )
    expect(await tableContents(other.store)).toEqual(before)
    await restoreTo(target, archive, true)
    const products = await other.database.kysely.selectFrom('products').select('id').execute()
    expect(products).toEqual([{ id: 'lemon' }])
    expect(await readFile(join(other.dataDir, 'assets', 'halwa-00000000.jpg'), 'utf8')).toContain(
      'halwa'
    )
  })

  test('refuses a database of a newer version even with --force', async () => {
    const { archive } = await openShopWithArchive(engine)
    const target = await openRestoreTarget(engine)
    await migrate(target.store.database)
    const { kysely } = target.store.database
    await kysely
      .insertInto('kysely_migration' as never)
      .values({ name: '999-future', timestamp: '' } as never)
      .execute()
    await expect(target.restore(archive, true)).rejects.toThrow(
      /was migrated by a newer version of the shop \(999-future\)/
    )
  })
})

test('Restore refuses a data folder with pictures of another shop without --force', async () => {
  const { archive } = await openShopWithArchive('sqlite')
  const other = await openBackupShop('sqlite', { products: { halwa: {} } })
  const { store } = await openRestoreTarget('sqlite')
  await migrate(store.database)
  const mixed = { store, dataDir: other.dataDir }
  await expect(restoreTo(mixed, archive)).rejects.toThrow(
    /assets contains pictures that are not in the archive \(1\)/
  )
  await restoreTo(mixed, archive, true)
  expect(await store.database.kysely.selectFrom('products').select('id').execute()).toEqual([
    { id: 'lemon' }
  ])
})
