import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { randomUUID } from 'node:crypto'
import { Publish, PublishRequested } from '#lib/contract/admin.ts'
import { IdPath } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { isoNow } from '../platform/process/clock.ts'
import { isValidSignature, readSecret } from '../platform/process/secret.ts'
import { findPublish, requestPublish, toPublish } from './queries.ts'
import type { Publisher } from './republish.ts'

const SIGNATURE_HEADER = 'x-shop-signature'

/** Lets other programs, such as a cron job or a CMS, request a publish. */
export const rebuildHook: FastifyPluginAsyncZod<{ publishing: Publisher }> = async (app, { publishing }) => {
  // The key is the text in the file, not its decoded bytes, so that operators can copy the text into other programs.
  const secret = app.config.rebuildSecret ?? (await readSecret(app.config.dataDir, 'rebuild')).toString('hex')

  // The body is not parsed, because the signature covers its raw bytes.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.post(
    '/hooks/rebuild',
    {
      schema: {
        summary: 'Request a publish; X-Shop-Signature: sha256=<hex> signs the body',
        response: { 202: PublishRequested }
      }
    },
    async ({ body, headers }, reply) => {
      const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
      if (!isValidSignature(secret, raw, headers[SIGNATURE_HEADER])) throw new ShopError('INVALID_SIGNATURE')
      const id = await app.write(async trx => {
        // Changes made directly in the database do not raise the counter, so the hook raises it to force a publish.
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
        summary: 'Get the status of a publish; the signature covers the id',
        params: IdPath,
        response: { 200: Publish }
      }
    },
    async ({ params: { id }, headers }, reply) => {
      if (!isValidSignature(secret, id, headers[SIGNATURE_HEADER])) throw new ShopError('INVALID_SIGNATURE')
      const publish = await findPublish(app.database.kysely, id)
      return reply.header('cache-control', 'no-store').send(toPublish(publish))
    }
  )
}
