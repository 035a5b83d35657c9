import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Publish, PublishRequested } from '#lib/contract/admin.ts'
import { IdPath } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { MINUTE, SECOND, type EpochMs } from '#lib/time.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { enforceLimit } from '../platform/http/limits.ts'
import { route } from '../platform/http/validate.ts'
import { isoNow } from '../platform/process/clock.ts'
import { isValidSignature, readSecret } from '../platform/process/secret.ts'
import { findPublish, requestPublish, toPublish } from './queries.ts'
import type { Publisher } from './republish.ts'

const SIGNATURE_HEADER = 'x-shop-signature'
const TIMESTAMP_HEADER = 'x-shop-timestamp'
const MAX_TIMESTAMP_AGE = 5 * MINUTE
const MAX_CALLS_PER_WINDOW = 600
const CALL_WINDOW = 10 * MINUTE

export const rebuildHook: FastifyPluginAsyncZod<{ publishing: Publisher }> = async (
  app,
  { publishing }
) => {
  // The text in the file, not its decoded bytes, so that operators can copy it.
  const secret =
    app.config.rebuildSecret ?? (await readSecret(app.config, 'rebuild')).toString('hex')

  // The body is not parsed, because the signature covers its raw bytes.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.post(
    '/hooks/rebuild',
    {
      schema: {
        summary:
          'Request a publish; X-Shop-Signature: sha256=<hex> signs the body, ' +
          'or X-Shop-Timestamp.body',
        response: { 202: PublishRequested }
      }
    },
    async ({ body, headers }, reply) => {
      const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
      const timestamp = headers[TIMESTAMP_HEADER]
      const signed =
        timestamp === undefined ? raw : Buffer.concat([Buffer.from(`${String(timestamp)}.`), raw])
      const isValid = isValidSignature(secret, signed, headers[SIGNATURE_HEADER])
      if (!isValid || !isRecent(signed, timestamp, app.clock()))
        throw new ShopError('INVALID_SIGNATURE')
      const limit = { key: 'rebuild hook', max: MAX_CALLS_PER_WINDOW, window: CALL_WINDOW }
      const id = await app.write(async trx => {
        await enforceLimit(trx, [limit], app.clock())
        // Changes made directly in the database do not raise the counter.
        await raiseCounter(trx, 'catalog')
        return requestPublish(trx, 'hook', isoNow(app.clock))
      })
      publishing.scheduleCheck()
      return reply.code(202).send({ id })
    }
  )

  app.get(
    '/hooks/rebuild/:id',
    route('Get the status of a publish; the signature covers the id', Publish, { params: IdPath }),
    async ({ params: { id }, headers }, reply) => {
      if (!isValidSignature(secret, id, headers[SIGNATURE_HEADER]))
        throw new ShopError('INVALID_SIGNATURE')
      const publish = await findPublish(app.database.kysely, id)
      return reply.header('cache-control', 'no-store').send(toPublish(publish))
    }
  )
}

function isRecent(signed: Buffer, timestamp: string | string[] | undefined, now: EpochMs): boolean {
  // 10 digits are the seconds since the epoch until the year 2286.
  const signedTime = /^(\d{10})\./.exec(signed.toString('latin1', 0, 11))?.[1]
  // Else a recorded call could be repeated with its timestamp moved to the body.
  if (timestamp === undefined) return signedTime === undefined
  return (
    signedTime === timestamp && Math.abs(now - Number(signedTime) * SECOND) <= MAX_TIMESTAMP_AGE
  )
}
