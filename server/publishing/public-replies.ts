import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LIVE_CATALOG_MAX_AGE, SECOND } from '#lib/time.ts'
import { nextPriceChange } from '../deals/running-deals.ts'
import { readCounters } from '../platform/db/counters.ts'
import { prepareReply, sendPrepared, type PreparedReply } from '../platform/http/prepared-reply.ts'
import { withTimeout } from '../platform/process/work-queue.ts'
import { createPublicData, type PublicData } from './public-data.ts'

declare module 'fastify' {
  interface FastifyInstance {
    publicReplies: PublicReplies
  }
}

type CachePolicy = 'revalidate' | 'live'

interface PublicReplies extends PublicDataCache {
  send(
    call: { request: FastifyRequest; reply: FastifyReply },
    key: string,
    createValue: (data: PublicData) => unknown,
    policy?: CachePolicy
  ): Promise<void>
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

export const readCache = fp(async app => {
  const cache = createPublicDataCache(app)

  app.decorate('publicReplies', {
    ...cache,
    async send({ request, reply }, key, createValue, policy = 'revalidate') {
      const snapshot = await cache.get()
      const { replies } = snapshot
      const prepared =
        replies.get(key) ?? prepareReply(await createValue(snapshot), CACHE_CONTROL[policy])
      replies.set(key, prepared)
      await sendPrepared(prepared, request, reply)
    },
    async sendUncached({ request, reply }, value, policy) {
      await sendPrepared(prepareReply(value, CACHE_CONTROL[policy]), request, reply)
    }
  })
})

interface Snapshot extends PublicData {
  version: string
  replies: Map<string, PreparedReply>
}

interface PublicDataCache {
  get(): Promise<Snapshot>
  invalidate(): void
}

/** Changes by other processes become visible after this time at the latest. */
const CHECK_INTERVAL = SECOND

/** While the database can't be reached, the cache returns outdated data. */
function createPublicDataCache({
  database,
  clock,
  log
}: Pick<FastifyInstance, 'database' | 'clock' | 'log'>): PublicDataCache {
  const db = database.kysely
  let current: Snapshot | undefined
  let validUntil = -Infinity
  let checkedAt = -Infinity
  let invalidations = 0
  let invalidationsSeen = 0
  let checking: Promise<void> | undefined
  let isReachable = true

  function isCurrent(now: number): boolean {
    // If `now` is earlier than `checkedAt`, the clock was set back, and the data must be checked
    // again.
    return (
      invalidationsSeen === invalidations &&
      now < validUntil &&
      now >= checkedAt &&
      now < checkedAt + CHECK_INTERVAL
    )
  }

  async function check(): Promise<void> {
    const now = clock()
    const invalidationsAtStart = invalidations
    try {
      const counters = await withTimeout(CHECK_INTERVAL, readCounters(db, ['catalog', 'stock']))
      const version = `${counters.catalog ?? 0}-${counters.stock ?? 0}`
      if (!isReachable || version !== current?.version || now >= validUntil || now < checkedAt) {
        const nextChange = await withTimeout(
          CHECK_INTERVAL,
          nextPriceChange(db, new Date(now).toISOString())
        )
        validUntil = nextChange === undefined ? Infinity : Date.parse(nextChange)
        current = { version, replies: new Map(), ...createPublicData(db, now) }
      }
      isReachable = true
    } catch (error) {
      if (!current) throw error
      isReachable = false
      log.warn({ err: error }, 'Database unavailable, serving cached data')
      validUntil = Math.max(validUntil, now + CHECK_INTERVAL)
    }
    checkedAt = now
    invalidationsSeen = invalidationsAtStart
  }

  async function refresh(): Promise<Snapshot> {
    do {
      checking ??= check().finally(() => (checking = undefined))
      await checking
    } while (invalidationsSeen !== invalidations)
    if (!current) throw new Error('Public data was not loaded')
    return current
  }

  return {
    get: async () => (current && isCurrent(clock()) ? current : refresh()),
    invalidate: () => void invalidations++
  }
}
