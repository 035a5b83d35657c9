import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { MINUTE, SECOND, yearInIndia } from '#lib/time.ts'
import { publishSite, type Outcome, type PublishDeps } from '../actions/publish-site.ts'
import { BuildError } from '../gateways/site-builder.ts'
import { oneLine, type Progress } from '../progress.ts'
import { readCounter } from '../queries/counters.ts'
import { nextDealChange } from '../queries/deals.ts'
import { UnfitError } from '../release/check.ts'
import { startLoop, type Loop } from './loop.ts'

const EVERY = 2 * SECOND
/** Changes within this time travel together. */
const SETTLING = 2 * SECOND
const FIRST_PAUSE = 10 * SECOND
const LONGEST_PAUSE = 10 * MINUTE
/** Longer than a build takes to end when it is told to. */
const GRACE = 8 * SECOND

export interface RepublishDeps extends PublishDeps {
  log: FastifyBaseLogger
  /** Told of each publish that is done with, or of what it failed for. */
  done?: (outcome: Outcome | { state: 'failed'; error: unknown }) => void
  progress?: Progress
}

/** What a check of the release was based on: while it holds, the release need not be looked at again. */
interface Basis {
  counter: number
  year: number
  /** Milliseconds since the epoch: from when to when a check holds that finds no change. */
  from: number
  until: number
}

/** Keeps the published site up to date: publishes at once if it is stale, then after each change that visitors can see. */
export function startRepublish(deps: RepublishDeps): Loop {
  return startLoop({
    every: EVERY,
    grace: GRACE,
    run: createRepublish(deps),
    failed: error => deps.log.warn({ err: error }, 'Whether the site is up to date could not be checked')
  })
}

/** One look at whether the site is up to date, remembered for the next; it publishes when it must. `settling` in ms. */
export function createRepublish(deps: RepublishDeps, settling = SETTLING): (signal: AbortSignal) => Promise<void> {
  const { log, clock } = deps
  let basis: Basis | undefined
  let failures = 0
  let retryAt = -Infinity

  async function run(signal: AbortSignal): Promise<void> {
    const counter = await readCounter(deps.database.kysely, 'catalog')
    const changed = !holds(basis, counter, clock())
    if (!changed && (failures === 0 || performance.now() < retryAt)) return
    if (basis && changed) await sleep(settling, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    basis = await readBasis(deps)
    try {
      await publish(signal)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures++
      const pause = Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE)
      retryAt = performance.now() + pause
      report(error, pause)
    }
  }

  async function publish(signal: AbortSignal): Promise<void> {
    const warn = (error: unknown): void => log.warn(oneLine(error))
    const outcome = await publishSite(deps, { signal, warn, ...(deps.progress && { progress: deps.progress }) })
    if (outcome.state === 'published') log.info(outcome, 'Site published')
    deps.done?.(outcome)
  }

  function report(error: unknown, pause: number): void {
    const detail =
      error instanceof BuildError
        ? { output: error.output }
        : error instanceof UnfitError
          ? { problems: error.problems }
          : { err: error }
    log.error(detail, `The site could not be published, trying again in ${pause / SECOND} s: ${oneLine(error)}`)
    deps.done?.({ state: 'failed', error })
  }

  return run
}

function holds(basis: Basis | undefined, counter: number, now: number): boolean {
  // A clock that was set back must not keep a release for hours.
  const inTime = basis !== undefined && now >= basis.from && now < basis.until
  return inTime && basis.counter === counter && basis.year === yearInIndia(now)
}

async function readBasis({ database, clock }: PublishDeps): Promise<Basis> {
  const from = clock()
  const [counter, change] = await Promise.all([
    readCounter(database.kysely, 'catalog'),
    nextDealChange(database.kysely, new Date(from).toISOString())
  ])
  return { counter, from, year: yearInIndia(from), until: change === undefined ? Infinity : Date.parse(change) }
}
