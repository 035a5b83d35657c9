import { ShopError } from '#lib/errors.ts'
import { SECOND } from '#lib/time.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/connect.ts'
import { readCounter } from '../queries/counters.ts'
import { nextDealChange } from '../queries/deals.ts'
import { publicView, type PublicView } from './read-public.ts'
import { withinTime } from './within-time.ts'

/** What visitors may read at one version of the catalogue. */
export interface Snapshot extends PublicView {
  version: number
}

export interface CurrentView {
  /** Waits only when something may have changed. Throws when the database can't be reached and nothing was read before. */
  get(): Snapshot | Promise<Snapshot>
  /** As the database says at this moment. Throws when it can't be reached. */
  fresh(): Promise<Snapshot>
  /** This process has written: the next read asks the database. */
  touch(): void
}

/** Changes of other processes are noticed within this time. */
const LOOK_AGAIN = SECOND

/**
 * Keeps what visitors may read until the catalogue changes or a deal starts or ends. While the database can't be reached
 * it stays as it was last known.
 */
export function createCurrentView(deps: {
  database: Database
  clock: Clock
  failed: (error: unknown) => void
}): CurrentView {
  const { clock } = deps
  const db = deps.database.kysely
  let current: Snapshot | undefined
  let until = -Infinity
  let lookedAt = -Infinity
  let touches = 0
  let touchesSeen = 0
  let looking: Promise<void> | undefined
  let reachable = true

  function isCurrent(now: number): boolean {
    // A clock that was set back must not keep the view for hours.
    return touchesSeen === touches && now < until && now >= lookedAt && now < lookedAt + LOOK_AGAIN
  }

  async function look(): Promise<void> {
    const now = clock()
    const seen = touches
    try {
      const version = await withinTime(LOOK_AGAIN, readCounter(db, 'catalog'))
      if (version !== current?.version || now >= until || now < lookedAt) {
        const change = await withinTime(LOOK_AGAIN, nextDealChange(db, new Date(now).toISOString()))
        until = change === undefined ? Infinity : Date.parse(change)
        current = { version, ...publicView(db, now) }
      }
      reachable = true
    } catch (error) {
      if (!current) throw error
      reachable = false
      deps.failed(error)
      until = Math.max(until, now + LOOK_AGAIN)
    }
    lookedAt = now
    // Only now: who reads while this look is under way must wait for it.
    touchesSeen = seen
  }

  async function refreshed(): Promise<Snapshot> {
    do {
      looking ??= look().finally(() => (looking = undefined))
      await looking
    } while (touchesSeen !== touches)
    if (!current) throw new Error('Nothing was read')
    return current
  }

  return {
    get: () => (current && isCurrent(clock()) ? current : refreshed()),
    async fresh() {
      touches++
      const snapshot = await refreshed()
      if (!reachable) throw new ShopError('UNAVAILABLE')
      return snapshot
    },
    touch: () => void touches++
  }
}
