import type { Trx } from '../db/tables.ts'

export interface Limit {
  /** Names the action and the account or IP address, for example `logins of 203.0.113.7`. */
  key: string
  max: number
  /** In ms. */
  window: number
}

/** Counts one attempt. If the limit was already reached, returns the ms until the next window. `now` is in ms. */
export async function countAttempt(trx: Trx, { key, max, window }: Limit, now: number): Promise<number | undefined> {
  const start = windowStart(window, now)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('rate_counts')
    .values({ key, window_start: new Date(start).toISOString(), count: 1 })
    .onConflict(conflict =>
      conflict
        .columns(['key', 'window_start'])
        .doUpdateSet(row => ({ count: row('rate_counts.count', '+', 1) }))
        .where('rate_counts.count', '<', max)
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n ? undefined : start + window - now
}

/** `now` is in ms. */
export async function undoCount(trx: Trx, { key, window }: Limit, now: number): Promise<void> {
  await trx
    .updateTable('rate_counts')
    .set(row => ({ count: row('count', '-', 1) }))
    .where('key', '=', key)
    .where('window_start', '=', new Date(windowStart(window, now)).toISOString())
    .where('count', '>', 0)
    .execute()
}

export async function clearCounts(trx: Trx, { key }: Pick<Limit, 'key'>): Promise<void> {
  await trx.deleteFrom('rate_counts').where('key', '=', key).execute()
}

export async function deleteOldCounts(trx: Trx, cutoff: string): Promise<void> {
  await trx.deleteFrom('rate_counts').where('window_start', '<', cutoff).execute()
}

// Windows start at multiples of their length, not at the first attempt, so that one upsert can count an attempt.
function windowStart(window: number, now: number): number {
  return Math.floor(now / window) * window
}
