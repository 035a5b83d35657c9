import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { create, extract } from 'tar'
import { onTestFinished } from 'vitest'
import { listPictureFiles } from '#lib/images.ts'
import { makeBackup } from '#server/backups/make-backup.ts'
import { ALL_TABLES, BACKUP_TABLES } from '#server/backups/archive.ts'
import { restoreBackup, type RestoreResult } from '#server/backups/restore.ts'
import { openCheckoutShop } from './checkout.ts'
import { openEmptyDatabase, type Engine, type TestDatabase } from './database.ts'
import type { ShopOptions } from './shop.ts'
import { prepareDatabase } from './prepare-database.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type BackupShop = Awaited<ReturnType<typeof openBackupShop>>
export type RestoreTarget = Awaited<ReturnType<typeof openRestoreTarget>>

export async function openBackupShop(engine: Engine, options: ShopOptions = {}) {
  const dataDir = await temporaryFolder()
  const store = await openEmptyDatabase(engine, dataDir)
  await prepareDatabase(store.database)
  const shop = await openCheckoutShop(engine, {
    ...options,
    database: store,
    config: { ...options.config, dataDir, databaseUrl: store.url }
  })
  const archives = await temporaryFolder()
  let count = 0
  await mkdir(join(dataDir, 'assets'))
  for (const { key, width } of await store.database.kysely
    .selectFrom('pictures')
    .selectAll()
    .execute()) {
    for (const file of listPictureFiles(key, width))
      await writeFile(join(dataDir, 'assets', file), `The picture ${file}`)
  }
  return {
    ...shop,
    dataDir,
    store,
    async backUp() {
      const file = join(archives, `${++count}.tar.gz`)
      await makeBackup({ databaseUrl: store.url, dataDir, file }, shop.clock)
      return file
    }
  }
}

export async function openRestoreTarget(engine: Engine) {
  const dataDir = await temporaryFolder()
  const store = await openEmptyDatabase(engine, dataDir)
  onTestFinished(() => store.close().catch(() => undefined))
  return {
    store,
    dataDir,
    restore: (archive: string, force = false) => restoreTo({ store, dataDir }, archive, force)
  }
}

export function restoreTo(
  { store, dataDir }: { store: TestDatabase; dataDir: string },
  file: string,
  force = false
): Promise<RestoreResult> {
  return restoreBackup({ database: store.database, dataDir, file, force, siteUrl: null }, Date.now)
}

/**
 * Returns the rows of each table as JSON, without the address and the counters that a restore
 * changes.
 */
export async function tableContents({ database }: TestDatabase): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {}
  const existing = new Set(
    (await database.kysely.introspection.getTables()).map(({ name }) => name)
  )
  for (const table of BACKUP_TABLES.filter(name => existing.has(name))) {
    const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(database.kysely)
    content[table] = rows.map(row => JSON.stringify(Object.entries(row).toSorted())).toSorted()
  }
  delete content['shop_identity']
  return {
    ...content,
    counters: (content['counters'] ?? []).filter(row => !/"(catalog|last backup)"/.test(row))
  }
}

export async function isEmptyDatabase({
  store: { database }
}: Pick<RestoreTarget, 'store'>): Promise<boolean> {
  const tables = await database.kysely.introspection.getTables()
  return !tables.some(({ name }) => (ALL_TABLES as string[]).includes(name))
}

export async function alterArchive(
  archive: string,
  change: (folder: string) => Promise<unknown>
): Promise<string> {
  const folder = await temporaryFolder()
  await extract({ file: archive, cwd: folder })
  await change(folder)
  const file = `${folder}.tar.gz`
  onTestFinished(() => rm(file, { force: true }))
  await create({ file, cwd: folder, gzip: true, portable: true }, [
    'manifest.json',
    'database',
    'pictures'
  ])
  return file
}
