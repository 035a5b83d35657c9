import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LIVE_CATALOG_MAX_AGE, SECOND } from '#lib/time.ts'
import { createPublicDataCache, type PublicDataCache, type Snapshot } from './public-data-cache.ts'
import type { PublicData } from './public-data.ts'
import type { Clock } from '../platform/process/clock.ts'
import type { Database } from '../platform/db/connect.ts'
import { prepareReply, sendPrepared, type PreparedReply } from '../platform/http/prepared-reply.ts'

declare module 'fastify' {
  interface FastifyInstance {
    publicReplies: PublicReplies
  }
}

export type CachePolicy = 'revalidate' | 'live'

export interface PublicReplies extends PublicDataCache {
  send(
    call: { request: FastifyRequest; reply: FastifyReply },
    key: string,
    createValue: (data: PublicData) => unknown,
    policy?: CachePolicy
  ): undefined | Promise<void>
  sendUncached(
    call: { request: FastifyRequest; reply: FastifyReply },
    value: unknown,
    policy: CachePolicy
  ): Promise<void>
}

const CACHE_CONTROL: Record<CachePolicy, string> = {
  revalidate: 'public, max-age=0, must-revalidate',
  live: `public, max-age=${LIVE_CATALOG_MAX_AGE / SECOND}`
}

/** The publisher needs current data. Its requests contain `stale-if-error=0` (RFC 5861, section 4). */
function bypassesCache({ headers }: FastifyRequest): boolean {
  return headers['cache-control']?.includes('stale-if-error=0') ?? false
}

export const readCache = fp<{ database: Database; clock: Clock }>(async (app, { database, clock }) => {
  const warnUnavailable = (error: unknown): void =>
    app.log.warn({ err: error }, 'Database unavailable, serving cached data')
  const cache = createPublicDataCache({ database, clock, onError: warnUnavailable })
  const repliesBySnapshot = new WeakMap<Snapshot, Map<string, PreparedReply>>()

  function getReplies(snapshot: Snapshot): Map<string, PreparedReply> {
    const replies = repliesBySnapshot.get(snapshot) ?? new Map<string, PreparedReply>()
    repliesBySnapshot.set(snapshot, replies)
    return replies
  }

  app.decorate('publicReplies', {
    ...cache,
    send({ request, reply }, key, createValue, policy = 'revalidate') {
      const snapshot = bypassesCache(request) ? cache.getFresh() : cache.get()
      const preparedReply = snapshot instanceof Promise ? undefined : getReplies(snapshot).get(key)
      if (preparedReply) return sendPrepared(preparedReply, request, reply)
      return prepare(snapshot, key, createValue, policy).then(prepared => sendPrepared(prepared, request, reply))
    },
    async sendUncached({ request, reply }, value, policy) {
      await sendPrepared(prepareReply(value, CACHE_CONTROL[policy]), request, reply)
    }
  })

  async function prepare(
    snapshotOrPromise: Snapshot | Promise<Snapshot>,
    key: string,
    createValue: (data: PublicData) => unknown,
    policy: CachePolicy
  ): Promise<PreparedReply> {
    const snapshot = await snapshotOrPromise
    const replies = getReplies(snapshot)
    const reply = replies.get(key) ?? prepareReply(await createValue(snapshot), CACHE_CONTROL[policy])
    replies.set(key, reply)
    return reply
  }
})
