import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LIVE_CATALOG_AGE, SECOND } from '#lib/time.ts'
import { createCurrentView, type CurrentView, type Snapshot } from '../actions/read-current.ts'
import type { PublicView } from '../actions/read-public.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/connect.ts'
import { prepareReply, sendPrepared, type PreparedReply } from './prepared-reply.ts'

declare module 'fastify' {
  interface FastifyInstance {
    reads: Reads
  }
}

/** How long browsers may use a reply without asking again. */
export type Keeping = 'revalidate' | 'live'

export interface Reads extends CurrentView {
  /**
   * Sends what `make` answers, serialised once until the catalogue changes. What `make` throws is not kept, so that keys
   * are as many as there are things to read.
   */
  send(
    call: { request: FastifyRequest; reply: FastifyReply },
    key: string,
    make: (view: PublicView) => unknown,
    keeping?: Keeping
  ): undefined | Promise<void>
  /** Sends what is asked for in more ways than can be kept. */
  sendOnce(call: { request: FastifyRequest; reply: FastifyReply }, value: unknown, keeping: Keeping): Promise<void>
}

const CACHE_CONTROL: Record<Keeping, string> = {
  revalidate: 'public, max-age=0, must-revalidate',
  live: `public, max-age=${LIVE_CATALOG_AGE / SECOND}`
}

/**
 * Who publishes takes no answer that was true up to a second ago, and none at all rather than what was last known; a page
 * made of it would stay until the next change. RFC 5861, section 4.
 */
function readsFresh({ headers }: FastifyRequest): boolean {
  return headers['cache-control']?.includes('stale-if-error=0') ?? false
}

/** Public reads are answered from memory, as bytes: no query and no JSON per request. */
export const readCache = fp<{ database: Database; clock: Clock }>(async (app, { database, clock }) => {
  const failed = (error: unknown): void => app.log.warn({ err: error }, 'Reads are answered from memory for now')
  const view = createCurrentView({ database, clock, failed })
  const prepared = new WeakMap<Snapshot, Map<string, PreparedReply>>()

  function repliesOf(snapshot: Snapshot): Map<string, PreparedReply> {
    const known = prepared.get(snapshot) ?? new Map<string, PreparedReply>()
    prepared.set(snapshot, known)
    return known
  }

  app.decorate('reads', {
    ...view,
    send({ request, reply }, key, make, keeping = 'revalidate') {
      const snapshot = readsFresh(request) ? view.fresh() : view.get()
      const ready = snapshot instanceof Promise ? undefined : repliesOf(snapshot).get(key)
      if (ready) return sendPrepared(ready, request, reply)
      return prepare(snapshot, key, make, keeping).then(made => sendPrepared(made, request, reply))
    },
    async sendOnce({ request, reply }, value, keeping) {
      await sendPrepared(prepareReply(value, CACHE_CONTROL[keeping]), request, reply)
    }
  })

  async function prepare(
    coming: Snapshot | Promise<Snapshot>,
    key: string,
    make: (view: PublicView) => unknown,
    keeping: Keeping
  ): Promise<PreparedReply> {
    const snapshot = await coming
    const replies = repliesOf(snapshot)
    const reply = replies.get(key) ?? prepareReply(await make(snapshot), CACHE_CONTROL[keeping])
    replies.set(key, reply)
    return reply
  }
})
