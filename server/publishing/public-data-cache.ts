import { ShopError } from '#lib/errors.ts'
import { SECOND } from '#lib/time.ts'
import type { Clock } from '../platform/process/clock.ts'
import type { Database } from '../platform/db/connect.ts'
import { readCounter } from '../platform/db/counters.ts'
import { nextDealChange } from '../deals/queries.ts'
import { createPublicData, type PublicData } from './public-data.ts'
import { withTimeout } from '../platform/process/with-timeout.ts'

export interface Snapshot extends PublicData {
  version: number
}

export interface PublicDataCache {
  /** Returns synchronously if the cached data is valid. Throws if nothing is cached and the database is unavailable. */
  get(): Snapshot | Promise<Snapshot>
  /** Throws UNAVAILABLE if the database is unavailable. */
  getFresh(): Promise<Snapshot>
  invalidate(): void
}

/** Changes by other processes become visible after this time at the latest. */
const CHECK_INTERVAL = SECOND

/** While the database can't be reached, the cache returns outdated data. */
export function createPublicDataCache(deps: {
  database: Database
  clock: Clock
  onError: (error: unknown) => void
}): PublicDataCache {
  const { clock } = deps
  const db = deps.database.kysely
  let current: Snapshot | undefined
  let validUntil = -Infinity
  let checkedAt = -Infinity
  let invalidations = 0
  let invalidationsSeen = 0
  let checking: Promise<void> | undefined
  let isReachable = true

  function isCurrent(now: number): boolean {
    // If `now` is earlier than `checkedAt`, the clock was set back, and the data must be checked again.
    return (
      invalidationsSeen === invalidations && now < validUntil && now >= checkedAt && now < checkedAt + CHECK_INTERVAL
    )
  }

  async function check(): Promise<void> {
    const now = clock()
    const invalidationsAtStart = invalidations
    try {
      const version = await withTimeout(CHECK_INTERVAL, readCounter(db, 'catalog'))
      if (version !== current?.version || now >= validUntil || now < checkedAt) {
        const nextChange = await withTimeout(CHECK_INTERVAL, nextDealChange(db, new Date(now).toISOString()))
        validUntil = nextChange === undefined ? Infinity : Date.parse(nextChange)
        current = { version, ...createPublicData(db, now) }
      }
      isReachable = true
    } catch (error) {
      if (!current) throw error
      isReachable = false
      deps.onError(error)
      validUntil = Math.max(validUntil, now + CHECK_INTERVAL)
    }
    checkedAt = now
    // Set last, so that concurrent calls wait until this check is complete.
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
    get: () => (current && isCurrent(clock()) ? current : refresh()),
    async getFresh() {
      invalidations++
      const snapshot = await refresh()
      if (!isReachable) throw new ShopError('UNAVAILABLE')
      return snapshot
    },
    invalidate: () => void invalidations++
  }
}
