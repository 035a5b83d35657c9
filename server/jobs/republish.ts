import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { MINUTE, SECOND, yearInIndia } from '#lib/time.ts'
import { codeOf, isDue, publishSite, type Outcome, type PublishDeps } from '../actions/publish-site.ts'
import { isoNow } from '../clock.ts'
import { BuildError } from '../gateways/site-builder.ts'
import { oneLine, type Progress } from '../progress.ts'
import { readCounters } from '../queries/counters.ts'
import { nextDealChange } from '../queries/deals.ts'
import { requestPublish } from '../queries/publishes.ts'
import { UnfitError } from '../release/check.ts'
import type { Progress as Rendering } from '../release/make-release.ts'
import { startLoop, type Loop } from './loop.ts'

const EVERY = 2 * SECOND
/** Changes within this time travel together. */
export const SETTLING = 2 * SECOND
const FIRST_PAUSE = 10 * SECOND
const LONGEST_PAUSE = 10 * MINUTE
/** Longer than a build takes to end when it is told to. */
const GRACE = 8 * SECOND

export interface RepublishDeps extends PublishDeps {
  log: FastifyBaseLogger
  /** Told of each publish that is done with, or of what it failed for. */
  done?: (outcome: Outcome | { state: 'failed'; error: unknown }) => void
  progress?: Progress
  rendering?: Rendering
}

/** What a check of the release was based on: while it holds, the release need not be looked at again. */
interface Basis {
  counter: number
  wishes: number
  year: number
  /** Milliseconds since the epoch: from when to when a check holds that finds no change. */
  from: number
  until: number
}

/** Keeps the published site up to date: publishes at once if it is stale, then after each change that visitors can see. */
export function startRepublish(deps: RepublishDeps, settling = SETTLING): Loop {
  return startLoop({
    every: EVERY,
    grace: GRACE,
    run: createRepublish(deps, settling),
    failed: error => deps.log.warn({ err: error }, 'Whether the site is up to date could not be checked')
  })
}

/** One look at whether the site is up to date, remembered for the next; it publishes when it must. `settling` in ms. */
export function createRepublish(deps: RepublishDeps, settling = SETTLING): (signal: AbortSignal) => Promise<void> {
  const { log } = deps
  let basis: Basis | undefined
  let failures = 0
  let retryAt = -Infinity

  async function run(signal: AbortSignal): Promise<void> {
    const changed = !(await holds(basis, deps))
    if (!changed && (failures === 0 || performance.now() < retryAt)) return
    const first = basis === undefined
    basis = await readBasis(deps)
    if (!(await isDue(deps))) return rest({ state: 'fresh' })
    await deps.write(trx => requestPublish(trx, randomUUID(), 'change', isoNow(deps.clock)))
    if (!first && changed) await settle(signal)
    if (signal.aborted) return
    // What changed while it settled is part of it.
    basis = await readBasis(deps)
    try {
      rest(await publish(signal))
    } catch (error) {
      if (signal.aborted) return
      failures++
      const pause = Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE)
      retryAt = performance.now() + pause
      report(error, pause)
    }
  }

  async function settle(signal: AbortSignal): Promise<void> {
    if (settling === 0) return
    const built = await deps.code.find(await codeOf(deps))
    if (built !== undefined) deps.renderer.warm(built)
    await sleep(settling, undefined, { signal }).catch(() => undefined)
  }

  function rest(outcome: Outcome): void {
    failures = 0
    if (outcome.state === 'published') log.info(outcome, publishedMessage(outcome))
    deps.done?.(outcome)
  }

  function publish(signal: AbortSignal): Promise<Outcome> {
    const { progress, rendering } = deps
    const warn = (error: unknown): void => log.warn(oneLine(error))
    return publishSite(deps, { signal, warn, ...(progress && { progress }), ...(rendering && { rendering }) })
  }

  function report(error: unknown, pause: number): void {
    const detail =
      error instanceof BuildError
        ? { output: error.output }
        : error instanceof UnfitError
          ? { problems: error.problems }
          : { err: error }
    log.error(detail, `Publishing failed, retrying in ${pause / SECOND} s: ${oneLine(error)}`)
    deps.done?.({ state: 'failed', error })
  }

  return run
}

export function publishedMessage({ pages, rendered, seconds }: Extract<Outcome, { state: 'published' }>): string {
  const count = rendered < pages ? `${rendered} of ${pages}` : pages
  return `Published ${count} pages in ${seconds.toFixed(1)} s`
}

async function holds(basis: Basis | undefined, { database, clock }: PublishDeps): Promise<boolean> {
  const now = clock()
  // A clock that was set back must not keep a release for hours.
  if (basis === undefined || now < basis.from || now >= basis.until || basis.year !== yearInIndia(now)) return false
  const { catalog = 0, publishes = 0 } = await readCounters(database.kysely, ['catalog', 'publishes'])
  return basis.counter === catalog && basis.wishes === publishes
}

async function readBasis({ database, clock }: PublishDeps): Promise<Basis> {
  const from = clock()
  const [{ catalog = 0, publishes = 0 }, change] = await Promise.all([
    readCounters(database.kysely, ['catalog', 'publishes']),
    nextDealChange(database.kysely, new Date(from).toISOString())
  ])
  const until = change === undefined ? Infinity : Date.parse(change)
  return { counter: catalog, wishes: publishes, from, year: yearInIndia(from), until }
}
