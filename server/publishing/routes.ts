import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Publish, Publishing, PublishRequested } from '#lib/contract/admin.ts'
import { IdPath } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { MINUTE, SECOND, type EpochMs, isoNow } from '#lib/time.ts'
import { raiseCounter, readCounter } from '../platform/db/counters.ts'
import { enforceLimit } from '../platform/http/limits.ts'
import { keepRawBodies, route, toBytes } from '../platform/http/validate.ts'
import { isValidSignature, readSecret } from '../platform/process/secret.ts'
import { readLive } from './plan.ts'
import {
  findLastLivePublish,
  findPublish,
  listPublishes,
  requestPublish,
  toPublish
} from './queries.ts'
import { pageAddress } from './release/store.ts'
import type { Publisher } from './republish.ts'

type Routes = FastifyPluginAsyncZod<{ publishing: Publisher }>

const RECENT_PUBLISHES = 10
const SIGNATURE_HEADER = 'x-shop-signature'
const TIMESTAMP_HEADER = 'x-shop-timestamp'
const MAX_TIMESTAMP_AGE = 5 * MINUTE
const CALL_LIMIT = { key: 'rebuild hook', max: 600, window: 10 * MINUTE }

export const publishingRoutes: Routes = async (app, { publishing }) => {
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

export const rebuildHook: Routes = async (app, { publishing }) => {
  // The text in the file, not its decoded bytes, so that operators can copy it.
  const secret =
    app.config.rebuildSecret ?? (await readSecret(app.config, 'rebuild')).toString('hex')

  keepRawBodies(app)
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
      const raw = toBytes(body)
      const timestamp = headers[TIMESTAMP_HEADER]
      const signed =
        timestamp === undefined ? raw : Buffer.concat([Buffer.from(`${String(timestamp)}.`), raw])
      const isValid = isValidSignature(secret, signed, headers[SIGNATURE_HEADER])
      if (!isValid || !isRecent(signed, timestamp, app.clock()))
        throw new ShopError('INVALID_SIGNATURE')
      const id = await app.write(async trx => {
        await enforceLimit(trx, [CALL_LIMIT], app.clock())
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

function isRecent(signed: Buffer, timestamp: string | string[] | undefined, now: EpochMs) {
  // 10 digits are the seconds since the epoch until the year 2286.
  const signedTime = /^(\d{10})\./.exec(signed.toString('latin1', 0, 11))?.[1]
  // Else a recorded call could be repeated with its timestamp moved to the body.
  if (timestamp === undefined) return signedTime === undefined
  return (
    signedTime === timestamp && Math.abs(now - Number(signedTime) * SECOND) <= MAX_TIMESTAMP_AGE
  )
}
