import type { FastifyBaseLogger } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE, SECOND, isoNow } from '#lib/time.ts'
import { readCounters } from '../platform/db/counters.ts'
import { startLoop, type Loop } from '../platform/process/jobs.ts'
import { oneLine, type Progress } from '../platform/process/command.ts'
import { hashCode, planPublish, readSituation } from './plan.ts'
import { publishSite, type Outcome, type PublishDeps } from './publish.ts'
import { requestPublish } from './queries.ts'
import { InvalidReleaseError } from './release/page.ts'
import type { OnProgress, RenderProgress } from './release/make-release.ts'
import { BuildError } from './site-code.ts'

/** In ms. Several writes within this time cause a single check. */
const WAKE_DELAY = 5
const INTERVAL = 2 * SECOND
export const DEBOUNCE = 250
const MAX_WAIT = 2 * SECOND
const FIRST_BACKOFF = 10 * SECOND
const MAX_BACKOFF = 10 * MINUTE
const GRACE_PERIOD = 8 * SECOND

export interface Publisher {
  deps: PublishDeps
  scheduleCheck(): void
  progress(): RenderProgress | undefined
}

interface PublisherJob extends Publisher {
  start(options: { debounce?: number } & Pick<RepublishDeps, 'log' | 'onDone' | 'progress'>): Loop
}

export interface RepublishDeps extends PublishDeps {
  log: FastifyBaseLogger
  onDone?: (outcome: Outcome | { state: 'failed'; error: unknown }) => void
  progress?: Progress
  onPageRendered?: OnProgress
}

export function createPublisher(deps: PublishDeps): PublisherJob {
  let loop: Loop | undefined
  let timer: NodeJS.Timeout | undefined
  let progress: RenderProgress | undefined

  return {
    deps,
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
      const run = createRepublish(republishDeps, debounce)
      const onError = (error: unknown) =>
        options.log.warn({ err: error }, 'Checking for unpublished changes failed')
      return (loop = startLoop({ interval: INTERVAL, gracePeriod: GRACE_PERIOD, run, onError }))
    }
  }
}

export function createRepublish(
  deps: RepublishDeps,
  debounce = DEBOUNCE
): (signal: AbortSignal) => Promise<void> {
  const { log, progress, onPageRendered } = deps
  let failure: { count: number; changes: string; retryAt: number } | undefined
  let isFirst = true
  let hasWarned = false

  async function run(signal: AbortSignal) {
    const changes = await readChanges(deps)
    const isRetry = failure?.changes === changes
    if (isRetry && performance.now() < (failure?.retryAt ?? 0)) return
    try {
      const plan = planPublish(await readSituation(deps))
      if (plan === 'superseded') return warnOnce()
      if (plan === 'nothing') return isFirst ? finish({ state: 'fresh' }) : undefined
      await deps.write(trx => requestPublish(trx, 'change', isoNow(deps.clock)))
      if (!isFirst && !isRetry) await waitForMoreChanges(changes, signal)
      if (signal.aborted) return
      const warn = (error: unknown) => log.warn(oneLine(error))
      finish(await publishSite(deps, { signal, warn, progress, onPageRendered }))
    } catch (error) {
      if (signal.aborted) return
      const count = (failure?.count ?? 0) + 1
      const backoff = Math.min(FIRST_BACKOFF * 2 ** (count - 1), MAX_BACKOFF)
      failure = { count, changes, retryAt: performance.now() + backoff }
      logFailure(error, backoff)
    } finally {
      isFirst = false
    }
  }

  function warnOnce() {
    if (hasWarned) return
    hasWarned = true
    log.warn(
      'Another version of the shop publishes now. ' +
        'This process must be restarted with it to publish again'
    )
  }

  async function waitForMoreChanges(changes: string, signal: AbortSignal) {
    if (debounce === 0) return
    const existingCode = await deps.code.find(await hashCode(deps))
    // Starts the renderer now, so that it is ready after the wait.
    if (existingCode !== undefined) deps.renderer.warm(existingCode)
    const deadline = performance.now() + MAX_WAIT
    let [before, seen] = ['', changes]
    while (seen !== before && performance.now() < deadline && !signal.aborted) {
      await sleep(debounce, undefined, { signal }).catch(() => undefined)
      before = seen
      seen = await readChanges(deps)
    }
  }

  function finish(outcome: Outcome) {
    failure = undefined
    if (outcome.state === 'published') log.info(outcome, formatPublished(outcome))
    deps.onDone?.(outcome)
  }

  function logFailure(error: unknown, backoff: number) {
    log.error(
      toDetails(error),
      `Publishing failed, retrying in ${backoff / SECOND} s: ${oneLine(error)}`
    )
    deps.onDone?.({ state: 'failed', error })
  }

  return run
}

function toDetails(error: unknown): object {
  if (error instanceof BuildError) return { output: error.output }
  return error instanceof InvalidReleaseError ? { problems: error.problems } : { err: error }
}

export function formatPublished({
  pages,
  rendered,
  seconds
}: Extract<Outcome, { state: 'published' }>): string {
  const count = rendered < pages ? `${rendered} of ${pages}` : pages
  return `Published ${count} pages in ${seconds.toFixed(1)} s`
}

async function readChanges({ database }: PublishDeps) {
  const counters = await readCounters(database.kysely, ['catalog', 'publishes'])
  return `${counters.catalog} ${counters.publishes}`
}
