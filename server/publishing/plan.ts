import { createHash } from 'node:crypto'
import { MINUTE, toYearInIndia, type EpochMs } from '#lib/time.ts'
import { nextPriceChange } from '../deals/running-deals.ts'
import { readCounters, STOCK_LEVELS } from '../platform/db/counters.ts'
import { readSite, type LiveRelease } from './bucket.ts'
import type { PublishDeps } from './publish.ts'
import { hasOpenPublish } from './queries.ts'

/** `superseded`: newer code publishes now. `answer`: a publish was requested without need. */
export type PublishPlan = 'nothing' | 'superseded' | 'answer' | 'render'

export interface ShownState {
  counter: number
  levels: number
  at: EpochMs
}

interface Situation {
  now: EpochMs
  counter: number
  levels: number
  live: LiveRelease | undefined
  /** Is the state that the live release shows, or a later one that would give the same pages. */
  shown: ShownState | undefined
  nextPriceChange: EpochMs | undefined
  code: string
  /** The code that was live when this process started, or that it has published since. */
  baseCode: string | undefined
  hasRequests: boolean
}

/** In ms. Sales change stock levels at most this often on pages, which correct them once loaded. */
const LEVELS_INTERVAL = 2 * MINUTE

export function planPublish(situation: Situation, force = false): PublishPlan {
  const { now, counter, live, shown, code, baseCode, hasRequests } = situation
  if (!live || !shown) return 'render'
  if (live.code !== baseCode && live.code !== code) return 'superseded'
  if (force || live.code !== code || counter !== shown.counter) return 'render'
  if (situation.levels !== shown.levels && now >= shown.at + LEVELS_INTERVAL) return 'render'
  const hasOtherYear = toYearInIndia(shown.at) !== toYearInIndia(now)
  // The clock was set back if `at` is in the future.
  if (shown.at > now || hasOtherYear || (situation.nextPriceChange ?? Infinity) <= now)
    return 'render'
  if (!hasRequests) return 'nothing'
  return live.failed.length > 0 ? 'render' : 'answer'
}

export async function readSituation(deps: PublishDeps): Promise<Situation> {
  const { database, clock, state } = deps
  const db = database.kysely
  const counters = await readCounters(db, ['catalog', 'publishes', STOCK_LEVELS])
  const { catalog: counter = 0, publishes = 0, [STOCK_LEVELS]: levels = 0 } = counters
  const live = await readLive(deps, publishes)
  state.baseCode ??= live?.code
  const shown =
    state.shown?.release === live?.id
      ? state.shown
      : live && { counter: live.counter, levels: live.levels, at: Date.parse(live.createdAt) }
  const change = shown && (await nextPriceChange(db, new Date(shown.at).toISOString()))
  return {
    now: clock(),
    counter,
    levels,
    live,
    shown,
    nextPriceChange: change === undefined ? undefined : Date.parse(change),
    code: await hashCode(deps),
    baseCode: state.baseCode,
    hasRequests: await hasOpenPublish(db)
  }
}

/** Reads the bucket again only after another publish, which raises the counter `publishes`. */
export async function readLive(
  { objects, releases, state }: PublishDeps,
  publishes: number
): Promise<LiveRelease | undefined> {
  if (!objects) return releases.current()
  if (state.bucket?.publishes !== publishes)
    state.bucket = { publishes, live: (await readSite(objects)).release }
  return state.bucket.live
}

export async function hashCode({
  version,
  config
}: Pick<PublishDeps, 'version' | 'config'>): Promise<string> {
  const { siteUrl, publicApiBase, provider, hasServiceWorker } = config
  const parts = [await version(), siteUrl, publicApiBase, provider.checkoutUrl, hasServiceWorker]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20)
}
