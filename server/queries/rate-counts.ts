import type { Trx } from '../db/tables.ts'

/** `window` in ms. */
export interface Limit {
  /** Action and account or address, for example `logins of 203.0.113.7`. */
  key: string
  most: number
  window: number
}

/** Counts one more, or returns the ms until the limit is lifted. `now` in ms. */
export async function countOnce(trx: Trx, { key, most, window }: Limit, now: number): Promise<number | undefined> {
  const start = startOf(window, now)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('rate_counts')
    .values({ key, window_start: new Date(start).toISOString(), count: 1 })
    .onConflict(conflict =>
      conflict
        .columns(['key', 'window_start'])
        .doUpdateSet(row => ({ count: row('rate_counts.count', '+', 1) }))
        .where('rate_counts.count', '<', most)
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n ? undefined : start + window - now
}

export async function uncount(trx: Trx, { key, window }: Limit, now: number): Promise<void> {
  await trx
    .updateTable('rate_counts')
    .set(row => ({ count: row('count', '-', 1) }))
    .where('key', '=', key)
    .where('window_start', '=', new Date(startOf(window, now)).toISOString())
    .where('count', '>', 0)
    .execute()
}

export async function clearCounts(trx: Trx, { key }: Pick<Limit, 'key'>): Promise<void> {
  await trx.deleteFrom('rate_counts').where('key', '=', key).execute()
}

/** `before` is ISO. */
export async function deleteCounts(trx: Trx, before: string): Promise<void> {
  await trx.deleteFrom('rate_counts').where('window_start', '<', before).execute()
}

// Windows are aligned for all keys, so that one upsert can count.
function startOf(window: number, now: number): number {
  return Math.floor(now / window) * window
}
