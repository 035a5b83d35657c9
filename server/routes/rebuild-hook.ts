import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Publish, PublishPath, PublishRequested } from '#lib/contract/publishing.ts'
import { ShopError } from '#lib/errors.ts'
import { toPublish } from '../actions/read-publishing.ts'
import { isoNow } from '../clock.ts'
import type { Publishing } from '../publishing.ts'
import { raiseCounter } from '../queries/counters.ts'
import { requestPublish, findPublish } from '../queries/publishes.ts'
import { readSecret } from '../secret.ts'
import { isSigned } from '../signature.ts'

const SIGNATURE_HEADER = 'x-shop-signature'

/** Lets other programs request a publish: a catalogue, a cron job, a CMS. */
export const rebuildHook: FastifyPluginAsyncZod<{ publishing: Publishing }> = async (app, { publishing }) => {
  const tags = ['publishing']
  // The key is the hex text of the file, so that it can be copied as it is.
  const secret = app.config.rebuildSecret ?? (await readSecret(app.config.dataDir, 'rebuild')).toString('hex')

  // The signature covers the raw bytes.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.post(
    '/hooks/rebuild',
    {
      schema: {
        tags,
        summary: 'Request a publish; X-Shop-Signature: sha256=<hex> signs the body',
        response: { 202: PublishRequested }
      }
    },
    async ({ body, headers }, reply) => {
      const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
      if (!isSigned(secret, raw, headers[SIGNATURE_HEADER])) throw new ShopError('INVALID_SIGNATURE')
      const id = await app.write(async trx => {
        // The caller may have changed the data directly in the database.
        await raiseCounter(trx, 'catalog')
        return requestPublish(trx, randomUUID(), 'hook', isoNow(app.clock))
      })
      publishing.scheduleCheck()
      return reply.code(202).send({ id })
    }
  )

  app.get(
    '/hooks/rebuild/:id',
    {
      schema: {
        tags,
        summary: 'Get the status of a publish; the signature covers the id',
        params: PublishPath,
        response: { 200: Publish }
      }
    },
    async ({ params: { id }, headers }, reply) => {
      if (!isSigned(secret, id, headers[SIGNATURE_HEADER])) throw new ShopError('INVALID_SIGNATURE')
      const found = await findPublish(app.database.kysely, id)
      if (!found) throw new ShopError('NOT_FOUND')
      return reply.header('cache-control', 'no-store').send(toPublish(found))
    }
  )
}
