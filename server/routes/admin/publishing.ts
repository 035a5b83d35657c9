import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Publishing as PublishingState, PublishRequested, ReturnTo } from '#lib/contract/publishing.ts'
import { readPublishing } from '../../actions/read-publishing.ts'
import { isoNow } from '../../clock.ts'
import { signedIn } from '../../plugins/session.ts'
import type { Publishing } from '../../publishing.ts'
import { askToPublish } from '../../queries/publishes.ts'

/** The bar that tells administrators how what they saved gets to the visitors. */
export const publishingRoutes: FastifyPluginAsyncZod<{ publishing: Publishing }> = async (app, { publishing }) => {
  const tags = ['publishing']
  const read = (): Promise<PublishingState> => readPublishing(publishing.deps, publishing.progress())

  app.get(
    '/admin/publishing',
    { schema: { tags, summary: 'What waits, is rendered and is live', response: { 200: PublishingState } } },
    read
  )

  app.post(
    '/admin/publishing/retry',
    { schema: { tags, summary: 'Publishes now', response: { 202: PublishRequested } } },
    async (_request, reply) => {
      const id = await app.write(trx => askToPublish(trx, randomUUID(), 'owner', isoNow(app.clock)))
      publishing.touch()
      return reply.code(202).send({ id })
    }
  )

  app.post(
    '/admin/publishing/return',
    {
      schema: {
        tags,
        summary: 'Puts an older release back until the next change',
        body: ReturnTo,
        response: { 200: PublishingState }
      }
    },
    async request => {
      await publishing.returnTo(signedIn(request).user, request.body.release)
      return read()
    }
  )
}
