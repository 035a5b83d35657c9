import rateLimit from '@fastify/rate-limit'
import fp from 'fastify-plugin'
import { ShopError } from '#lib/errors.ts'
import type { Clock } from '../clock.ts'

/** More visitors than this are not told apart at once. */
const MOST_COUNTED = 5000

interface Count {
  current: number
  startedAt: number
}

/** Limits for routes that ask for one by `config.rateLimit`, by the visitor's address; counted by the injected clock. */
export const rateLimits = fp<{ clock: Clock }>(async (app, { clock }) => {
  class CountsByClock {
    readonly #counts = new Map<string, Count>()

    incr(
      key: string,
      answer: (error: Error | null, result?: { current: number; ttl: number }) => void,
      window: number
    ): void {
      const now = clock()
      const known = this.#counts.get(key)
      const count = known && now < known.startedAt + window ? known : { current: 0, startedAt: now }
      count.current += 1
      this.#counts.delete(key)
      this.#counts.set(key, count)
      this.#forgetOldest()
      answer(null, { current: count.current, ttl: count.startedAt + window - now })
    }

    child(): CountsByClock {
      return new CountsByClock()
    }

    #forgetOldest(): void {
      const [oldest] = this.#counts.keys()
      if (this.#counts.size > MOST_COUNTED && oldest !== undefined) this.#counts.delete(oldest)
    }
  }

  await app.register(rateLimit, {
    global: false,
    store: CountsByClock,
    // After validation: who mistypes an address is no flood.
    hook: 'preHandler',
    errorResponseBuilder: () => new ShopError('TOO_MANY_REQUESTS')
  })
})
