import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Publishing as PublishingState, PublishRequested, ReturnTo } from '#lib/contract/publishing.ts'
import { readPublishing } from './read-publishing.ts'
import { isoNow } from '../platform/process/clock.ts'
import { sessionOf } from '../accounts/session.ts'
import type { Publishing } from './publishing.ts'
import { requestPublish } from './queries.ts'

export const publishingRoutes: FastifyPluginAsyncZod<{ publishing: Publishing }> = async (app, { publishing }) => {
  const tags = ['publishing']
  const read = (): Promise<PublishingState> => readPublishing(publishing.deps, publishing.progress())

  app.get(
    '/admin/publishing',
    { schema: { tags, summary: 'Get the publishing status and the releases', response: { 200: PublishingState } } },
    read
  )

  app.post(
    '/admin/publishing/retry',
    { schema: { tags, summary: 'Request a publish', response: { 202: PublishRequested } } },
    async (_request, reply) => {
      const id = await app.write(trx => requestPublish(trx, randomUUID(), 'owner', isoNow(app.clock)))
      publishing.scheduleCheck()
      return reply.code(202).send({ id })
    }
  )

  app.post(
    '/admin/publishing/return',
    {
      schema: {
        tags,
        summary: 'Restore an earlier release until the next change',
        body: ReturnTo,
        response: { 200: PublishingState }
      }
    },
    async request => {
      await publishing.rollBack(sessionOf(request).user, request.body.release)
      return read()
    }
  )
}
