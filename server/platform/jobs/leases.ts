import type { Trx } from '../db/tables.ts'

/** Takes or renews a lease. Returns false if another holder has the lease. `now` is in ms. */
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

export async function releaseLease(trx: Trx, name: string, holder: string): Promise<void> {
  await trx.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}
