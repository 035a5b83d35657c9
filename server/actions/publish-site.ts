import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SECOND, yearInIndia } from '#lib/time.ts'
import { isoNow, type Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import type { Write } from '../db/write.ts'
import { callDeployHook } from '../gateways/deploy-hook.ts'
import type { RenderProcess } from '../gateways/render-process.ts'
import type { SiteBuilder } from '../gateways/site-builder.ts'
import { checkoutUrlOf } from '../payment-settings.ts'
import { oneLine, slowly, type Progress } from '../progress.ts'
import { readCounter } from '../queries/counters.ts'
import { nextDealChange } from '../queries/deals.ts'
import { beginPublishes, deletePublishes, hasOpenPublish, lastSwitch, setPublishes } from '../queries/publishes.ts'
import { clientOf, type CodeStore } from '../release/code-store.ts'
import type { Made, Progress as Rendering } from '../release/make-release.ts'
import type { Release, Releases } from '../release/releases.ts'
import { newReleaseId, type ReleaseStore } from '../release/store.ts'
import { inTurn, type Turn } from '../release/turn.ts'

export interface PublishDeps {
  config: Config
  database: Database
  write: Write
  clock: Clock
  builder: SiteBuilder
  renderer: RenderProcess
  code: CodeStore
  store: ReleaseStore
  releases: Releases
  /** A hash of what the pages are made by, besides the data. */
  version: () => Promise<string>
}

export interface PublishOptions {
  /** Renders every page, even if nothing has changed. */
  force?: boolean
  signal: AbortSignal
  /** Told what takes longer than a second. */
  progress?: Progress
  /** Told how many of the pages that have to be rendered are. */
  rendering?: Rendering
  /** Told what went wrong after the release was switched to. */
  warn: (error: unknown) => void
}

export type Outcome =
  { state: 'fresh' } | { state: 'published'; id: string; pages: number; rendered: number; seconds: number }

/** Whether today's data, code or settings may make other pages than visitors get; told without rendering any. */
export async function isStale(deps: PublishDeps): Promise<boolean> {
  const { releases, database, clock } = deps
  const current = await releases.current()
  if (!current) return true
  const now = clock()
  const from = Date.parse(current.createdAt)
  if (from > now || yearInIndia(from) !== yearInIndia(now)) return true
  const [code, counter, change] = await Promise.all([
    codeOf(deps),
    readCounter(database.kysely, 'catalog'),
    nextDealChange(database.kysely, current.createdAt)
  ])
  return current.code !== code || current.counter !== counter || (change !== undefined && Date.parse(change) <= now)
}

/** Whether there is something to publish: something is stale that nobody has put back on purpose, or somebody asked. */
export async function isDue(deps: PublishDeps): Promise<boolean> {
  if (await hasOpenPublish(deps.database.kysely)) return true
  return (await isStale(deps)) && !(await isHeld(deps))
}

/**
 * Renders what has changed, checks it and switches to a new release; of several processes one publishes at a time.
 * Whatever fails, visitors keep the release they have. Throws BuildError, UnfitError, or the signal's reason.
 */
export async function publishSite(deps: PublishDeps, options: PublishOptions): Promise<Outcome> {
  const { force = false, signal, progress = () => undefined } = options
  if (!force && !(await isDue(deps))) return { state: 'fresh' }
  const waiting = (): void => progress('Waiting for another process that is publishing the site …')
  return inTurn({ ...deps, signal, waiting }, async turn => {
    await deps.releases.refresh()
    const ids = await deps.write(trx => beginPublishes(trx, isoNow(deps.clock)))
    try {
      const outcome = await publishInTurn(deps, turn, options)
      await conclude(deps, ids, outcome)
      // Visitors have the new release; what is left of the oldest goes in the process that has the time.
      await removeSurplus(deps).catch(options.warn)
      return outcome
    } catch (error) {
      // What is interrupted is taken up by the next who publishes.
      const values = signal.aborted
        ? { state: 'waiting' as const }
        : { state: 'failed' as const, problem: oneLine(error), ended_at: isoNow(deps.clock) }
      await deps.write(trx => setPublishes(trx, ids, values)).catch(() => undefined)
      throw error
    }
  })
}

/** A hash of the code and of the settings that decide what it makes. */
export async function codeOf({ version, config }: Pick<PublishDeps, 'version' | 'config'>): Promise<string> {
  const parts = [await version(), config.siteUrl, config.publicApiBase, checkoutUrlOf(config)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20)
}

/** Whether an older release was put back, and nothing has changed since. */
export async function isHeld(deps: PublishDeps): Promise<boolean> {
  const last = await lastSwitch(deps.database.kysely)
  if (last?.cause !== 'return') return false
  return last.counter === (await readCounter(deps.database.kysely, 'catalog')) && last.code === (await codeOf(deps))
}

async function conclude({ write, clock, releases }: PublishDeps, ids: string[], outcome: Outcome): Promise<void> {
  const published = outcome.state === 'published'
  const release = published ? outcome.id : ((await releases.current())?.id ?? null)
  const values = { state: 'live' as const, ended_at: isoNow(clock), release, pages: published ? outcome.rendered : 0 }
  await write(async trx => {
    await setPublishes(trx, ids, values)
    await deletePublishes(trx, published ? [] : ids)
  })
}

async function publishInTurn(deps: PublishDeps, turn: Turn, options: PublishOptions): Promise<Outcome> {
  const former = await deps.releases.current()
  if (!options.force && !(await isStale(deps))) return { state: 'fresh' }
  const began = performance.now()
  const made = await makeAndSwitch(deps, turn, options, former)
  if (made.state === 'fresh') return made
  const { deployHookUrl } = deps.config
  if (deployHookUrl && former && former.catalog !== made.catalog) {
    await callDeployHook(deployHookUrl, options.signal).catch(options.warn)
  }
  const { id, pages, rendered } = made
  return { state: 'published', id, pages, rendered, seconds: (performance.now() - began) / SECOND }
}

async function makeAndSwitch(
  deps: PublishDeps,
  turn: Turn,
  { force, progress = () => undefined, rendering = () => undefined }: PublishOptions,
  former: Release | undefined
): Promise<{ state: 'fresh' } | (Extract<Made, { state: 'made' }> & { id: string })> {
  const { config, database, store, renderer, releases, clock } = deps
  const { siteUrl, publicApiBase, dataDir } = config
  const { signal } = turn
  const createdAt = isoNow(clock)
  const counter = await readCounter(database.kysely, 'catalog')
  const code = await codeOf(deps)
  const built = await builtCode(deps, code, signal, progress)
  const id = newReleaseId(clock())
  const folder = await store.begin(id)
  try {
    const about = { id, createdAt, code, counter, siteUrl, publicApiBase, checkoutUrl: checkoutUrlOf(config), folder }
    const shared = former && !force ? { former: former.folder } : {}
    const job = { ...about, ...shared, client: clientOf(built), assetsFolder: join(dataDir, 'assets') }
    const made = await slowly(
      progress,
      'Rendering the pages …',
      renderer.render(built, job, { signal, progress: rendering })
    )
    if (made.state === 'fresh') return made
    signal.throwIfAborted()
    await turn.confirm()
    await store.publish(id)
    await releases.refresh()
    return { ...made, id }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function removeSurplus(deps: PublishDeps): Promise<void> {
  const [surplus, built] = await Promise.all([deps.store.surplus(), deps.code.find(await codeOf(deps))])
  if (built !== undefined) await deps.renderer.remove(built, surplus)
}

/** The folder of the built code; it is built once per version. */
async function builtCode(deps: PublishDeps, code: string, signal: AbortSignal, progress: Progress): Promise<string> {
  const found = await deps.code.find(code)
  if (found !== undefined) return found
  const { siteUrl, publicApiBase } = deps.config
  const outDir = await deps.code.begin(code)
  await slowly(progress, 'Building the pages …', deps.builder.build({ outDir, siteUrl, publicApiBase, signal }))
  await deps.code.link(outDir)
  await deps.renderer.pack(outDir, signal)
  return deps.code.complete(code)
}
