import type { Db, PublishRow, Trx } from '../db/tables.ts'
import { raiseCounter } from './counters.ts'

const KEPT = 50

/** What a publish that was just asked for has not. */
export const NEW_PUBLISH = {
  started_at: null,
  ended_at: null,
  release: null,
  pages: null,
  problem: null,
  counter: null,
  code: null
} as const

/** The publish that waits, made if there is none: whoever asks meanwhile gets the same. `at` is an instant (ISO). */
export async function requestPublish(trx: Trx, id: string, cause: PublishRow['cause'], at: string): Promise<string> {
  // It is also what lets only one ask at a time.
  await raiseCounter(trx, 'publishes')
  const waiting = await trx
    .selectFrom('publishes')
    .select(['id', 'cause'])
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (!waiting) await insertPublish(trx, { ...NEW_PUBLISH, id, cause, state: 'waiting', requested_at: at })
  // Asked for by a person or a program, it is answered even if nothing has changed.
  else if (waiting.cause === 'change') await setPublishes(trx, [waiting.id], { cause })
  return waiting?.id ?? id
}

export async function insertPublish(trx: Trx, publish: PublishRow): Promise<void> {
  await trx.insertInto('publishes').values(publish).execute()
}

/** Takes over what waits, and what a process that died was at. Answers the ids. */
export async function beginPublishes(trx: Trx, at: string): Promise<string[]> {
  const begun = await trx
    .updateTable('publishes')
    .set({ state: 'rendering', started_at: at })
    .where('state', 'in', ['waiting', 'rendering'])
    .returning('id')
    .execute()
  return begun.map(({ id }) => id)
}

export async function setPublishes(trx: Trx, ids: readonly string[], values: Partial<PublishRow>): Promise<void> {
  if (ids.length > 0) await trx.updateTable('publishes').set(values).where('id', 'in', ids).execute()
}

/** Forgets looks that found nothing to do, and what is long over. */
export async function deletePublishes(trx: Trx, unneeded: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('publishes')
    .where(row =>
      row.or([
        row.and([row('id', 'in', [...unneeded, '']), row('cause', '=', 'change')]),
        row(
          'id',
          'not in',
          row.selectFrom('publishes').select('id').orderBy('requested_at', 'desc').orderBy('id').limit(KEPT)
        )
      ])
    )
    .execute()
}

/** The latest, the newest first. */
export function listPublishes(db: Db, most: number): Promise<PublishRow[]> {
  return db.selectFrom('publishes').selectAll().orderBy('requested_at', 'desc').orderBy('id').limit(most).execute()
}

export function findPublish(db: Db, id: string): Promise<PublishRow | undefined> {
  return db.selectFrom('publishes').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether one waits, or was begun and not ended. */
export async function hasOpenPublish(db: Db): Promise<boolean> {
  const open = await db
    .selectFrom('publishes')
    .select('id')
    .where('state', 'in', ['waiting', 'rendering'])
    .executeTakeFirst()
  return open !== undefined
}

/** What made visitors get the release that they get. */
export function lastSwitch(db: Db): Promise<PublishRow | undefined> {
  return db
    .selectFrom('publishes')
    .selectAll()
    .where('state', '=', 'live')
    .orderBy('ended_at', 'desc')
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}
