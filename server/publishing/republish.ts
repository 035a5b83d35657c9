import type { FastifyBaseLogger } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE, SECOND, toYearInIndia, type EpochMs } from '#lib/time.ts'
import { showDueStockLevels } from '../catalog/stock-levels.ts'
import { nextPriceChange } from '../deals/running-deals.ts'
import { readCounters } from '../platform/db/counters.ts'
import type { Db } from '../platform/db/tables.ts'
import { startLoop, type Loop } from '../platform/jobs/loop.ts'
import { isoNow } from '../platform/process/clock.ts'
import { oneLine, type Progress } from '../platform/process/command.ts'
import type { CdnUpload } from './cdn.ts'
import { hashCode, isDue, isSuperseded } from './due.ts'
import { publishSite, type Outcome, type PublishDeps } from './publish.ts'
import { requestPublish } from './queries.ts'
import { InvalidReleaseError } from './release/check.ts'
import type { OnProgress, RenderProgress } from './release/make-release.ts'
import { BuildError } from './site-code.ts'

/** In ms. Several database writes within this time cause a single check for unpublished changes. */
const WAKE_DELAY = 5
/** Finds changes that another process has made in the database. */
const INTERVAL = 2 * SECOND
/** In ms. A change is published when no other change has followed for this time. */
export const DEBOUNCE = 250
/** Changes that keep coming are published after this time. */
const MAX_WAIT = 2 * SECOND
const FIRST_BACKOFF = 10 * SECOND
const MAX_BACKOFF = 10 * MINUTE
/** Maximum time that a shutdown waits for an aborted build to end. */
const GRACE_PERIOD = 8 * SECOND

export interface Publisher {
  deps: PublishDeps
  cdn?: CdnUpload
  scheduleCheck(): void
  progress(): RenderProgress | undefined
}

export interface PublisherJob extends Publisher {
  /** Call this after the API has started to listen, because rendering reads from the API. */
  start(options: { debounce?: number } & Pick<RepublishDeps, 'log' | 'onDone' | 'progress'>): Loop
}

export interface RepublishDeps extends PublishDeps {
  log: FastifyBaseLogger
  onDone?: (outcome: Outcome | { state: 'failed'; error: unknown }) => void
  progress?: Progress
  onPageRendered?: OnProgress
}

/** The next check for unpublished changes is skipped while this is unchanged and valid. */
interface CheckedState {
  counters: string
  year: number
  validFrom: EpochMs
  validUntil: EpochMs
}

export function createPublisher(deps: PublishDeps, cdn?: CdnUpload): PublisherJob {
  let loop: Loop | undefined
  let timer: NodeJS.Timeout | undefined
  let progress: RenderProgress | undefined

  return {
    deps,
    ...(cdn && { cdn }),
    scheduleCheck() {
      timer ??= setTimeout(() => {
        timer = undefined
        loop?.wake()
      }, WAKE_DELAY).unref()
    },
    progress: () => progress,
    start({ debounce, onDone, ...options }) {
      const republishDeps: RepublishDeps = {
        ...deps,
        ...options,
        onPageRendered: rendering => void (progress = rendering),
        onDone(outcome) {
          progress = undefined
          onDone?.(outcome)
        }
      }
      loop = startLoop({
        interval: INTERVAL,
        gracePeriod: GRACE_PERIOD,
        run: createRepublish(republishDeps, debounce),
        onError: error =>
          options.log.warn({ err: error }, 'Checking for unpublished changes failed')
      })
      return loop
    }
  }
}

export function createRepublish(
  deps: RepublishDeps,
  debounce = DEBOUNCE
): (signal: AbortSignal) => Promise<void> {
  const { log } = deps
  let lastChecked: CheckedState | undefined
  let failures = 0
  let retryAt = -Infinity
  let hasWarned = false

  async function run(signal: AbortSignal): Promise<void> {
    await showDueStockLevels(deps)
    const hasChanged = !(await isUnchanged(lastChecked, deps))
    if (!hasChanged && (failures === 0 || performance.now() < retryAt)) return
    const isFirstCheck = lastChecked === undefined
    try {
      lastChecked = await readState(deps)
      if (!(await isDue(deps))) {
        await warnIfSuperseded()
        return finish({ state: 'fresh' })
      }
      await deps.write(trx => requestPublish(trx, 'change', isoNow(deps.clock)))
      lastChecked = await readState(deps)
      if (!isFirstCheck && hasChanged) await waitForMoreChanges(signal)
      if (signal.aborted) return
      const { progress, onPageRendered } = deps
      const warn = (error: unknown): void => log.warn(oneLine(error))
      finish(await publishSite(deps, { signal, warn, progress, onPageRendered }))
    } catch (error) {
      if (signal.aborted) return
      failures++
      const backoff = Math.min(FIRST_BACKOFF * 2 ** (failures - 1), MAX_BACKOFF)
      retryAt = performance.now() + backoff
      logFailure(error, backoff)
    }
  }

  async function warnIfSuperseded(): Promise<void> {
    if (hasWarned || !(await isSuperseded(deps))) return
    hasWarned = true
    log.warn(
      'Another version of the shop publishes now. This process must be restarted with it to publish again'
    )
  }

  async function waitForMoreChanges(signal: AbortSignal): Promise<void> {
    if (debounce === 0) return
    const existingCode = await deps.code.find(await hashCode(deps))
    // Starts the renderer now, so that it is ready after the wait.
    if (existingCode !== undefined) deps.renderer.warm(existingCode)
    const deadline = performance.now() + MAX_WAIT
    let hasNewChanges = true
    while (hasNewChanges && performance.now() < deadline && !signal.aborted) {
      await sleep(debounce, undefined, { signal }).catch(() => undefined)
      hasNewChanges = !(await isUnchanged(lastChecked, deps))
      lastChecked = await readState(deps)
    }
  }

  function finish(outcome: Outcome): void {
    failures = 0
    if (outcome.state === 'published') log.info(outcome, formatPublished(outcome))
    deps.onDone?.(outcome)
  }

  function logFailure(error: unknown, backoff: number): void {
    let details: object = { err: error }
    if (error instanceof BuildError) details = { output: error.output }
    else if (error instanceof InvalidReleaseError) details = { problems: error.problems }
    log.error(details, `Publishing failed, retrying in ${backoff / SECOND} s: ${oneLine(error)}`)
    deps.onDone?.({ state: 'failed', error })
  }

  return run
}

export function formatPublished({
  pages,
  rendered,
  seconds
}: Extract<Outcome, { state: 'published' }>): string {
  const count = rendered < pages ? `${rendered} of ${pages}` : pages
  return `Published ${count} pages in ${seconds.toFixed(1)} s`
}

async function isUnchanged(
  last: CheckedState | undefined,
  { database, clock }: PublishDeps
): Promise<boolean> {
  const now = clock()
  if (!last || now < last.validFrom || now >= last.validUntil || last.year !== toYearInIndia(now))
    return false
  return last.counters === (await readChanges(database.kysely))
}

async function readState({ database, clock }: PublishDeps): Promise<CheckedState> {
  const now = clock()
  const [counters, change] = await Promise.all([
    readChanges(database.kysely),
    nextPriceChange(database.kysely, new Date(now).toISOString())
  ])
  const validUntil = change === undefined ? Infinity : Date.parse(change)
  return { counters, year: toYearInIndia(now), validFrom: now, validUntil }
}

async function readChanges(db: Db): Promise<string> {
  const { catalog = 0, publishes = 0 } = await readCounters(db, ['catalog', 'publishes'])
  return `${catalog} ${publishes}`
}
