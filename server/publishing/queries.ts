import type { ExpressionBuilder } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { Publish } from '#lib/contract/admin.ts'
import { ShopError } from '#lib/errors.ts'
import { PRIVATE_SECTIONS } from '#lib/settings.ts'
import type { IsoTime } from '#lib/time.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { countRows } from '../platform/db/search.ts'
import type { PictureRow } from '../platform/db/catalog-tables.ts'
import type { AuditRow, Db, PublishRow, Tables, Trx } from '../platform/db/tables.ts'

const MAX_PUBLISHES = 50

/** Returns the id of the publish that waits now, which may have been requested earlier. */
export async function requestPublish(
  trx: Trx,
  cause: PublishRow['cause'],
  at: IsoTime
): Promise<string> {
  await raiseCounter(trx, 'publishes')
  const waiting = await trx
    .selectFrom('publishes')
    .select(['id', 'cause'])
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  // A publish with the cause `change` is deleted if nothing has changed. An explicit request must
  // stay listed.
  if (waiting?.cause === 'change')
    await trx.updateTable('publishes').set({ cause }).where('id', '=', waiting.id).execute()
  if (waiting) return waiting.id
  const id = randomUUID()
  await trx
    .insertInto('publishes')
    .values({ id, cause, state: 'waiting', requested_at: at })
    .execute()
  return id
}

export async function listPictures(db: Db): Promise<Pick<PictureRow, 'key' | 'width'>[]> {
  return db.selectFrom('pictures').select(['key', 'width']).execute()
}

/**
 * Starts all publishes that are waiting, and restarts those that a crashed process left unfinished.
 * Returns their causes.
 */
export async function startWaitingPublishes(trx: Trx, at: IsoTime): Promise<PublishRow['cause'][]> {
  const started = await trx
    .updateTable('publishes')
    .set({ state: 'rendering', started_at: at })
    .where('state', 'in', ['waiting', 'rendering'])
    .returning('cause')
    .execute()
  return started.map(({ cause }) => cause)
}

/** Changes the publishes that `startWaitingPublishes` started at this time (ISO). */
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

/**
 * For a publish that found nothing to render: nobody asked for publishes with the cause `change`.
 */
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

/** Returns undefined if the shop has no object store, and before its first publish. */
export async function findLiveRelease(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('live_release').select('release').executeTakeFirst())?.release
}

export async function saveLiveRelease(trx: Trx, release: string, since: IsoTime): Promise<void> {
  await trx
    .insertInto('live_release')
    .values({ singleton: 1, release, since })
    .onConflict(conflict => conflict.column('singleton').doUpdateSet({ release, since }))
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

/** Throws NOT_FOUND. */
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

/** Kinds of audit entries that change what pages show. */
const PAGE_CHANGE_KINDS = ['product', 'stock', 'collection', 'deal', 'post', 'settings'] as const

interface Interval {
  /** ISO, not included. */
  after: string
  /** ISO, included. */
  until: string
}

/**
 * With the name of the product, also of a deal's product, the name of the collection or the title
 * of the post.
 */
export type AuditedChange = AuditRow & { subject_name: string | null }

export function findNewestChange(db: Db, interval: Interval): Promise<AuditedChange | undefined> {
  return db
    .selectFrom('audit')
    .leftJoin('deals', 'deals.id', 'subject_id')
    .leftJoin('products', on =>
      on.on(({ fn, ref, eb }) =>
        eb('products.id', '=', fn.coalesce(ref('deals.product_id'), ref('subject_id')))
      )
    )
    .leftJoin('posts', 'posts.id', 'subject_id')
    .leftJoin('collections', 'collections.id', 'subject_id')
    .selectAll('audit')
    .select(({ ref, eb }) =>
      eb
        .case()
        .when('kind', '=', 'post')
        .then(ref('posts.title'))
        .when('kind', '=', 'collection')
        .then(ref('collections.name'))
        .else(ref('products.name'))
        .end()
        .as('subject_name')
    )
    .where(audit => isPageChange(audit, interval))
    .orderBy('at', 'desc')
    .orderBy('audit.id')
    .limit(1)
    .executeTakeFirst()
}

/** Several changes of one product, post, deal or section count once. */
export async function countChanges(db: Db, interval: Interval): Promise<number> {
  const changes = await db
    .selectFrom('audit')
    .select(['kind', 'subject_id'])
    .distinct()
    .where(audit => isPageChange(audit, interval))
    .execute()
  return changes.length
}

function isPageChange(
  { and, eb, not }: ExpressionBuilder<Tables, 'audit'>,
  { after, until }: Interval
) {
  const isPrivate = and([eb('kind', '=', 'settings'), eb('subject_id', 'in', PRIVATE_SECTIONS)])
  return and([
    eb('kind', 'in', PAGE_CHANGE_KINDS),
    not(isPrivate),
    eb('at', '>', after),
    eb('at', '<=', until)
  ])
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
