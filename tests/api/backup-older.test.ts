import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Migrator, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeBackup } from '#server/backups/make-backup.ts'
import { readIdentity, registerShop } from '#server/live-shop/live-shop.ts'
import type { Database } from '#server/platform/db/connect.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { MIGRATIONS } from '#server/platform/db/migrations/index.ts'
import { openRestoreTarget } from '../support/backups.ts'
import { ENGINES } from '../support/database.ts'
import { violations } from '../support/invariants.ts'

/**
 * Created by the code of November 2026. Contains a paid order, an open reservation and an
 * unitemised payment.
 */
const ARCHIVE = fileURLToPath(new URL('fixtures/backup-before-008.tar.gz', import.meta.url))

describe.each(ENGINES)('Restoring an archive from before migration 008 on %s', engine => {
  test('stores the rows under the current names of the tables and columns', async () => {
    const target = await openRestoreTarget(engine)
    await target.restore(ARCHIVE)
    const { database } = target.store
    const orders = await database.kysely.selectFrom('orders').selectAll().orderBy('total').execute()
    expect(orders).toMatchObject([
      { payment_state: 'paid', fulfilment_status: 'pending', anonymised_at: null },
      {
        payment_state: 'awaiting',
        fulfilment_status: null,
        reserved_until: '2026-11-21T04:30:00.000Z'
      }
    ])
    const movements = await database.kysely
      .selectFrom('stock_movements')
      .select(['delta', 'reason'])
      .execute()
    expect(movements.toSorted((a, b) => b.delta - a.delta)).toEqual([
      { delta: -1, reason: 'reserved' },
      { delta: -2, reason: 'reserved' }
    ])
    const unitemised = await database.kysely
      .selectFrom('unitemised_payments')
      .select(['state', 'total'])
      .execute()
    expect(unitemised).toEqual([{ state: 'open', total: 24_000 }])
    expect(await violations(database, { initial: { lemon: 40, murukku: 20 } })).toEqual([])
  })

  test('keeps the id of the shop that it replaces', async () => {
    const { store, restore } = await openRestoreTarget(engine)
    await migrate(store.database)
    await store.write(trx => registerShop(trx, 'https://shop.example', 0))
    const { id } = await readIdentity(store.database.kysely)
    await restore(ARCHIVE, true)
    expect(await readIdentity(store.database.kysely)).toMatchObject({ id, site_url: null })
  })

  test('replaces the data of a database that is not yet migrated', async () => {
    const target = await openRestoreTarget(engine)
    await createOldDatabase(target.store.database)
    await target.restore(ARCHIVE, true)
    const rows = await target.store.database.kysely
      .selectFrom('unitemised_payments')
      .select('total')
      .execute()
    expect(rows).toEqual([{ total: 24_000 }])
  })
})

describe.each(ENGINES)('Backup of a database from before migration 008 on %s', engine => {
  test('contains the tables with their old names and can be restored', async () => {
    const source = await openRestoreTarget(engine)
    await createOldDatabase(source.store.database)
    const file = join(source.dataDir, 'backup.tar.gz')
    await makeBackup({ databaseUrl: source.store.url, dataDir: source.dataDir, file }, Date.now)
    const target = await openRestoreTarget(engine)
    await target.restore(file)
    const rows = await target.store.database.kysely
      .selectFrom('unitemised_payments')
      .select(['id', 'total'])
      .execute()
    expect(rows).toEqual([{ id: 'u1', total: 5000 }])
  })
})

async function createOldDatabase({ kysely }: Database): Promise<void> {
  const oldMigrations = Object.fromEntries(
    Object.entries(MIGRATIONS).filter(([name]) => name < '008')
  )
  const { error } = await new Migrator({
    db: kysely,
    provider: { getMigrations: async () => oldMigrations }
  }).migrateToLatest()
  if (error) throw error as Error
  const createdAt = '2026-11-20T04:00:00.000Z'
  await sql`insert into users (id, email, name, role, phone, created_at)
    values ('anita', 'anita@example.com', 'Anita', 'user', '', ${createdAt})`.execute(kysely)
  await sql`insert into bare_payments (id, user_id, state, total, created_at)
    values ('u1', 'anita', 'open', 5000, ${createdAt})`.execute(kysely)
}
