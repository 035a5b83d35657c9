import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Publishing, PublishRequested } from '#lib/contract/admin.ts'
import { readCounter } from '../platform/db/counters.ts'
import { route } from '../platform/http/validate.ts'
import { isoNow } from '../platform/process/clock.ts'
import { readLive } from './plan.ts'
import { findLastLivePublish, listPublishes, requestPublish, toPublish } from './queries.ts'
import { pageAddress } from './release/manifest.ts'
import type { Publisher } from './republish.ts'

const RECENT_PUBLISHES = 10

export const publishingRoutes: FastifyPluginAsyncZod<{ publishing: Publisher }> = async (
  app,
  { publishing }
) => {
  app.get('/admin/publishing', route('Get the publishing status', Publishing), () =>
    readPublishing(publishing)
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
}

async function readPublishing({ deps, progress }: Publisher): Promise<Publishing> {
  const db = deps.database.kysely
  const [rows, last, current] = await Promise.all([
    listPublishes(db, RECENT_PUBLISHES),
    findLastLivePublish(db),
    // The failed publish tells that the bucket can't be read.
    readLive(deps, await readCounter(db, 'publishes')).catch(() => undefined)
  ])
  const waiting = rows.find(({ state }) => state === 'waiting')
  const rendering = rows.find(({ state }) => state === 'rendering')
  const rendered = progress()
  const lastEnded = rows.find(({ state }) => state === 'live' || state === 'failed')
  const since = last?.release === current?.id ? last?.ended_at : undefined
  return {
    ...(waiting && { waiting: toPublish(waiting) }),
    ...(rendering && {
      rendering: toPublish(rendering),
      ...(rendered && { progress: rendered })
    }),
    ...(current && { live: { release: current.id, since: since ?? current.createdAt } }),
    ...(lastEnded?.state === 'failed' && { failed: toPublish(lastEnded) }),
    failedPages: (current?.failed ?? []).map(pageAddress)
  }
}
