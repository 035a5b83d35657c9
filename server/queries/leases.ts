import type { Trx } from '../db/tables.ts'

/**
 * Gives one holder the named lease for `ms`, or renews its own. False while another holder has it. `now` in ms since
 * the epoch.
 */
export async function takeLease(trx: Trx, name: string, holder: string, now: number, ms: number): Promise<boolean> {
  const lease = { name, holder, until: new Date(now + ms).toISOString() }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('leases')
    .values(lease)
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet({ holder: lease.holder, until: lease.until })
        .where(row =>
          row.or([row('leases.holder', '=', holder), row('leases.until', '<=', new Date(now).toISOString())])
        )
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Does nothing if the lease has passed to another holder. */
export async function releaseLease(trx: Trx, name: string, holder: string): Promise<void> {
  await trx.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}
