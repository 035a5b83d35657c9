import { randomUUID } from 'node:crypto'
import type { Publish } from '#lib/contract/admin.ts'
import { ShopError } from '#lib/errors.ts'
import type { IsoTime } from '#lib/time.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db, PublishRow, Trx } from '../platform/db/tables.ts'

const MAX_PUBLISHES = 50

export async function requestPublish(
  trx: Trx,
  cause: PublishRow['cause'],
  at: IsoTime
): Promise<string> {
  // The publishing job finds changes by the counter `catalog`.
  if (cause !== 'change') await raiseCounter(trx, 'publishes')
  // A publish with the cause `change` is deleted if nothing has changed.
  const waiting = await trx
    .updateTable('publishes')
    .set(row => ({ cause: cause === 'change' ? row.ref('cause') : cause }))
    .where('state', '=', 'waiting')
    .returning('id')
    .executeTakeFirst()
  if (waiting) return waiting.id
  const id = randomUUID()
  await trx
    .insertInto('publishes')
    .values({ id, cause, state: 'waiting', requested_at: at })
    .execute()
  return id
}

/** Also restarts those that a crashed process left unfinished. Returns their causes. */
export async function startWaitingPublishes(trx: Trx, at: IsoTime): Promise<PublishRow['cause'][]> {
  const started = await trx
    .updateTable('publishes')
    .set({ state: 'rendering', started_at: at })
    .where('state', 'in', ['waiting', 'rendering'])
    .returning('cause')
    .execute()
  return started.map(({ cause }) => cause)
}

export async function updateStartedPublishes(
  trx: Trx,
  startedAt: string,
  values: Partial<PublishRow>
): Promise<void> {
  await trx
    .updateTable('publishes')
    .set(values)
    .where('state', '=', 'rendering')
    .where('started_at', '=', startedAt)
    .execute()
}

export async function deleteStartedChanges(trx: Trx, startedAt: string): Promise<void> {
  await trx
    .deleteFrom('publishes')
    .where('state', '=', 'rendering')
    .where('started_at', '=', startedAt)
    .where('cause', '=', 'change')
    .execute()
}

export async function deleteOldPublishes(trx: Trx): Promise<void> {
  await trx
    .deleteFrom('publishes')
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('publishes')
        .select('id')
        .orderBy('requested_at', 'desc')
        .orderBy('id')
        .limit(MAX_PUBLISHES)
    )
    .execute()
}

export function listPublishes(db: Db, limit: number): Promise<PublishRow[]> {
  return db
    .selectFrom('publishes')
    .selectAll()
    .orderBy('requested_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export function findPublish(db: Db, id: string): Promise<PublishRow> {
  const publish = db.selectFrom('publishes').selectAll().where('id', '=', id)
  return publish.executeTakeFirstOrThrow(() => new ShopError('NOT_FOUND'))
}

export async function hasOpenPublish(db: Db): Promise<boolean> {
  return (
    (await countRows(db.selectFrom('publishes').where('state', 'in', ['waiting', 'rendering']))) > 0
  )
}

export function findLastLivePublish(db: Db): Promise<PublishRow | undefined> {
  return db
    .selectFrom('publishes')
    .selectAll()
    .where('state', '=', 'live')
    .orderBy('ended_at', 'desc')
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function toPublish(row: PublishRow): Publish {
  const { id, state, cause, requested_at, started_at, ended_at, release, pages, problem } = row
  return {
    id,
    state,
    cause,
    requestedAt: requested_at,
    ...(started_at !== null && { startedAt: started_at }),
    ...(ended_at !== null && { endedAt: ended_at }),
    ...(release !== null && { release }),
    ...(pages !== null && { pages }),
    ...(problem !== null && { problem })
  }
}
