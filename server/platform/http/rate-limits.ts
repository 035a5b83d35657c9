import rateLimit from '@fastify/rate-limit'
import fp from 'fastify-plugin'
import { ShopError } from '#lib/errors.ts'
import type { Clock } from '../process/clock.ts'

const MAX_TRACKED_KEYS = 5000

interface Count {
  current: number
  startedAt: number
}

export const rateLimits = fp<{ clock: Clock }>(async (app, { clock }) => {
  class ClockStore {
    readonly #counts = new Map<string, Count>()

    incr(
      key: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      window: number
    ): void {
      const now = clock()
      const existing = this.#counts.get(key)
      const count = existing && now < existing.startedAt + window ? existing : { current: 0, startedAt: now }
      count.current += 1
      this.#counts.delete(key)
      this.#counts.set(key, count)
      this.#deleteOldest()
      callback(null, { current: count.current, ttl: count.startedAt + window - now })
    }

    child(): ClockStore {
      return new ClockStore()
    }

    #deleteOldest(): void {
      const [oldest] = this.#counts.keys()
      if (this.#counts.size > MAX_TRACKED_KEYS && oldest !== undefined) this.#counts.delete(oldest)
    }
  }

  await app.register(rateLimit, {
    global: false,
    store: ClockStore,
    // Requests are counted after validation, so invalid input does not use up the limit.
    hook: 'preHandler',
    errorResponseBuilder: () => new ShopError('TOO_MANY_REQUESTS')
  })
})
