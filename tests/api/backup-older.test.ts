import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { SECOND } from '#lib/time.ts'
import { openRestoreTarget } from '../support/backups.ts'
import { ENGINES } from '../support/database.ts'
import { violations } from '../support/invariants.ts'

vi.setConfig({ testTimeout: 60 * SECOND })

/** Made by the code of November 2026: one paid order, one open reservation, one unitemised payment. */
const ARCHIVE = fileURLToPath(new URL('fixtures/backup-before-008.tar.gz', import.meta.url))

describe.each(ENGINES)('Restoring an archive from before migration 008 on %s', engine => {
  test('loads its rows under the current names of tables and columns', async () => {
    const place = await openRestoreTarget(engine)
    await place.restore(ARCHIVE)
    const { database } = place.store
    const orders = await database.kysely.selectFrom('orders').selectAll().orderBy('total').execute()
    expect(orders).toMatchObject([
      { payment_state: 'paid', fulfilment_status: 'pending', anonymised_at: null },
      { payment_state: 'awaiting', fulfilment_status: null, reserved_until: '2026-11-21T04:30:00.000Z' }
    ])
    const movements = await database.kysely.selectFrom('stock_movements').select(['delta', 'reason']).execute()
    expect(movements.toSorted((a, b) => b.delta - a.delta)).toEqual([
      { delta: -1, reason: 'reserved' },
      { delta: -2, reason: 'reserved' }
    ])
    const unitemised = await database.kysely.selectFrom('unitemised_payments').select(['state', 'total']).execute()
    expect(unitemised).toEqual([{ state: 'open', total: 24_000 }])
    expect(await violations(database, { initial: { lemon: 40, murukku: 20 } })).toEqual([])
  })
})
