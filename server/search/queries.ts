import { sql } from 'kysely'
import type { MissedSearch } from '#lib/contract/search.ts'
import { DAY, toDayInIndia, type EpochMs } from '#lib/time.ts'
import type { Db, Trx } from '../platform/db/tables.ts'

const RETENTION = 30 * DAY
const MAX_LISTED = 100
/** Limits what a script can store. */
const MAX_TEXTS_PER_DAY = 500

/** Counts the text, unless the day already has too many others. */
export async function countMissedSearch(trx: Trx, text: string, now: EpochMs): Promise<void> {
  const day = toDayInIndia(now)
  const counted = await trx
    .updateTable('missed_searches')
    .set(row => ({ count: row('count', '+', 1) }))
    .where('day', '=', day)
    .where('text', '=', text)
    .executeTakeFirstOrThrow()
  if (counted.numUpdatedRows > 0n) return
  await trx
    .insertInto('missed_searches')
    .columns(['day', 'text', 'count'])
    .expression(eb => {
      const { countAll } = eb.fn
      const texts = eb.selectFrom('missed_searches').select(countAll<number>().as('texts')).where('day', '=', day)
      return eb
        .selectFrom(sql`(select 1)`.as('one_row'))
        .select([eb.val(day).as('day'), eb.val(text).as('text'), sql<number>`1`.as('count')])
        .where(texts, '<', MAX_TEXTS_PER_DAY)
    })
    .onConflict(conflict =>
      conflict.columns(['day', 'text']).doUpdateSet(row => ({ count: row('missed_searches.count', '+', 1) }))
    )
    .execute()
}

/** The most frequent texts of the last 30 days first. */
export async function listMissedSearches(db: Db, now: EpochMs): Promise<MissedSearch[]> {
  const rows = await db
    .selectFrom('missed_searches')
    .select(({ fn }) => ['text', fn.sum<number>('count').as('count'), fn.max('day').as('lastDay')])
    .where('day', '>', toDayInIndia(now - RETENTION))
    .groupBy('text')
    .orderBy('count', 'desc')
    .orderBy('text')
    .limit(MAX_LISTED)
    .execute()
  return rows.map(({ text, count, lastDay }) => ({ text, count: Number(count), lastDay }))
}

export async function deleteOldMissedSearches(trx: Trx, now: EpochMs): Promise<void> {
  await trx
    .deleteFrom('missed_searches')
    .where('day', '<=', toDayInIndia(now - RETENTION))
    .execute()
}
