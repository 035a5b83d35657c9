import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Publish, PublishPath, PublishRequested } from '#lib/contract/publishing.ts'
import { ShopError } from '#lib/errors.ts'
import { toPublish } from '../actions/read-publishing.ts'
import { isoNow } from '../clock.ts'
import type { Publishing } from '../publishing.ts'
import { raiseCounter } from '../queries/counters.ts'
import { askToPublish, findPublish } from '../queries/publishes.ts'
import { readSecret } from '../secret.ts'
import { isSigned } from '../signature.ts'

const SIGNATURE = 'x-shop-signature'

/** The signed hook by which other programs have the site published: the owner's catalogue, a cron job, a CMS. */
export const rebuildHook: FastifyPluginAsyncZod<{ publishing: Publishing }> = async (app, { publishing }) => {
  const tags = ['publishing']
  // The key is the text that the file shows, so that any program can use what an owner copies from it.
  const secret = app.config.rebuildSecret ?? (await readSecret(app.config.dataDir, 'rebuild')).toString('hex')

  // What is signed are the bytes, whatever they say.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.post(
    '/hooks/rebuild',
    {
      schema: {
        tags,
        summary: 'Has the site published; signed over the body by X-Shop-Signature: sha256=<hex>',
        response: { 202: PublishRequested }
      }
    },
    async ({ body, headers }, reply) => {
      const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
      if (!isSigned(secret, raw, headers[SIGNATURE])) throw new ShopError('INVALID_SIGNATURE')
      const id = await app.write(async trx => {
        // Whoever calls may have changed the data past the shop.
        await raiseCounter(trx, 'catalog')
        return askToPublish(trx, randomUUID(), 'hook', isoNow(app.clock))
      })
      publishing.touch()
      return reply.code(202).send({ id })
    }
  )

  app.get(
    '/hooks/rebuild/:id',
    {
      schema: {
        tags,
        summary: 'How such a publish stands; signed over the id',
        params: PublishPath,
        response: { 200: Publish }
      }
    },
    async ({ params: { id }, headers }, reply) => {
      if (!isSigned(secret, id, headers[SIGNATURE])) throw new ShopError('INVALID_SIGNATURE')
      const found = await findPublish(app.database.kysely, id)
      if (!found) throw new ShopError('NOT_FOUND')
      return reply.header('cache-control', 'no-store').send(toPublish(found))
    }
  )
}
