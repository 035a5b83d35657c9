import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { randomUUID } from 'node:crypto'
import { WEBSITE_AUDIT_ID } from '#lib/constants.ts'
import { Publishing, PublishRequested, Release, RollBack } from '#lib/contract/admin.ts'
import { ShopError } from '#lib/errors.ts'
import { MINUTE } from '#lib/time.ts'
import { record, type Actor } from '../accounts/audit.ts'
import { sessionOf } from '../accounts/sessions.ts'
import { readCounter } from '../platform/db/counters.ts'
import { route } from '../platform/http/validate.ts'
import { withLock } from '../platform/jobs/leases.ts'
import { isoNow } from '../platform/process/clock.ts'
import { hashCode, isRolledBack } from './due.ts'
import { PUBLISH_LOCK, switchRelease, type PublishDeps } from './publish.ts'
import { findLastLivePublish, listPublishes, requestPublish, toPublish } from './queries.ts'
import { listReleases } from './release-changes.ts'
import { pageAddress } from './release/manifest.ts'
import type { Publisher } from './republish.ts'

const RECENT_PUBLISHES = 10
const ROLL_BACK_TIMEOUT = MINUTE

export const publishingRoutes: FastifyPluginAsyncZod<{ publishing: Publisher }> = async (
  app,
  { publishing }
) => {
  const read = (): Promise<Publishing> => readPublishing(publishing)

  app.get('/admin/publishing', route('Get the publishing status', Publishing), read)

  app.get(
    '/admin/publishing/releases',
    route('List the releases that can be brought back, newest first', z.array(Release)),
    () => listReleases(publishing.deps)
  )

  app.post(
    '/admin/publishing/retry',
    { schema: { summary: 'Request a publish', response: { 202: PublishRequested } } },
    async (_request, reply) => {
      const id = await app.write(trx => requestPublish(trx, 'owner', isoNow(app.clock)))
      publishing.scheduleCheck()
      return reply.code(202).send({ id })
    }
  )

  app.post(
    '/admin/publishing/roll-back',
    route('Roll back to an earlier release until the next change', Publishing, { body: RollBack }),
    async request => {
      await rollBack(publishing.deps, sessionOf(request).user, request.body.release)
      return read()
    }
  )
}

async function readPublishing({ deps, cdn, ...publisher }: Publisher): Promise<Publishing> {
  const db = deps.database.kysely
  const progress = publisher.progress()
  const delay = cdn?.delay()
  const [rows, last, rolledBack, current] = await Promise.all([
    listPublishes(db, RECENT_PUBLISHES),
    findLastLivePublish(db),
    isRolledBack(deps),
    deps.releases.current()
  ])
  const [waiting, rendering] = (['waiting', 'rendering'] as const).map(state =>
    rows.find(row => row.state === state)
  )
  const lastEnded = rows.find(({ state }) => state === 'live' || state === 'failed')
  const since = last?.release === current?.id ? last?.ended_at : undefined
  return {
    ...(waiting && { waiting: toPublish(waiting) }),
    ...(rendering && { rendering: toPublish(rendering), ...(progress && { progress }) }),
    ...(current && { live: { release: current.id, since: since ?? current.createdAt } }),
    ...(lastEnded?.state === 'failed' && { failed: toPublish(lastEnded) }),
    failedPages: (current?.failed ?? []).map(pageAddress),
    rolledBack,
    ...(delay && { cdn: delay })
  }
}

/**
 * `release` stays live until the content or the code changes or somebody requests a publish. Throws
 * NOT_FOUND.
 */
export async function rollBack(deps: PublishDeps, actor: Actor, release: string): Promise<void> {
  const signal = AbortSignal.timeout(ROLL_BACK_TIMEOUT)
  await withLock(PUBLISH_LOCK, { ...deps, signal }, async lock => {
    const exists =
      (await deps.archive.listIds()).includes(release) && (await deps.archive.manifest(release))
    if (!exists) throw new ShopError('NOT_FOUND')
    if (!(await deps.store.manifest(release))) await deps.shared?.fetch(release)
    const counter = await readCounter(deps.database.kysely, 'catalog')
    const code = await hashCode(deps)
    await lock.confirm()
    await switchRelease(deps, lock, release)
    const at = isoNow(deps.clock)
    const ended = {
      cause: 'return',
      state: 'live',
      requested_at: at,
      started_at: at,
      ended_at: at
    } as const
    const publish = { ...ended, id: randomUUID(), release, pages: 0, counter, code }
    await deps.write(async trx => {
      await trx.insertInto('publishes').values(publish).execute()
      await record(trx, {
        actor,
        at,
        kind: 'publish',
        id: WEBSITE_AUDIT_ID,
        action: 'returned to',
        after: { release }
      })
    })
  })
}
