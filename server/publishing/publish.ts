import { setTimeout as sleep } from 'node:timers/promises'
import { t } from '#lib/contract/texts.ts'
import { paths } from '#lib/paths.ts'
import { type IsoTime, SECOND, isoNow, toIso } from '#lib/time.ts'
import { ROOT, type Config, type Environment } from '../config.ts'
import { ring } from '../bell/bell.ts'
import { raiseCounter, readCounters, STOCK_LEVELS } from '../platform/db/counters.ts'
import type { Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { withLock, type Lock } from '../platform/process/jobs.ts'
import { oneLine, withProgress, type Progress } from '../platform/process/command.ts'
import { deleteFolder } from '../platform/storage/files.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import { uploadRelease, type LiveRelease } from './bucket.ts'
import { hashCode, planPublish, readSituation, type ShownState } from './plan.ts'
import { readSiteContent } from './public-data.ts'
import {
  deleteOldPublishes,
  deleteStartedChanges,
  startWaitingPublishes,
  updateStartedPublishes
} from './queries.ts'
import type { OnProgress } from './release/make-release.ts'
import { loadManifest, newReleaseId, openReleases, type Releases } from './release/store.ts'
import { createRenderProcess, type RenderProcess } from './render-process.ts'
import {
  clientFolder,
  createCodeStore,
  createSiteBuilder,
  prepareCode,
  readCodeVersion,
  type CodeStore,
  type SiteBuilder
} from './site-code.ts'

export interface PublishDeps extends DataDeps {
  config: Config
  /** Visitors get pages and pictures from there. Without it, from DATA_DIR. */
  objects: ObjectStore | undefined
  builder: SiteBuilder
  renderer: RenderProcess
  code: CodeStore
  releases: Releases
  version: () => Promise<string>
  state: PublishState
}

interface PublishState {
  baseCode?: string | undefined
  shown?: ShownState & { release: string | undefined }
  bucket?: { publishes: number; live: LiveRelease | undefined } | undefined
}

export interface PublishOptions {
  force?: boolean
  signal: AbortSignal
  progress?: Progress | undefined
  onPageRendered?: OnProgress | undefined
  warn: (error: unknown) => void
}

const PUBLISH_LOCK = 'publish'

export type Outcome =
  | { state: 'fresh' }
  | { state: 'published'; id: string; pages: number; rendered: number; seconds: number }

export function openPublishing(
  env: Environment,
  deps: DataDeps & Pick<PublishDeps, 'config' | 'objects'>
): PublishDeps {
  const { dataDir } = deps.config
  return {
    ...deps,
    releases: openReleases(dataDir),
    renderer: createRenderProcess(env),
    builder: createSiteBuilder(ROOT, env),
    code: createCodeStore(dataDir, ROOT),
    version: readCodeVersion,
    state: {}
  }
}

export async function publishSite(deps: PublishDeps, options: PublishOptions): Promise<Outcome> {
  const { write, clock, releases, state } = deps
  const { signal, force, progress, warn } = options
  // Before the lock is taken, because it can take a minute.
  const hash = await hashCode(deps)
  const codeFolder = prepareCode(deps, hash, options)
  await codeFolder.catch(() => undefined)
  const onWait = () => progress?.('Waiting for another process to finish publishing…')
  return withLock(PUBLISH_LOCK, { write, signal, onWait }, async lock => {
    state.bucket = undefined
    await releases.refresh()
    const startedAt = isoNow(clock)
    let isStarted = false
    try {
      const situation = await readSituation(deps)
      const plan = planPublish(situation, force)
      if (plan === 'nothing' || plan === 'superseded') return { state: 'fresh' }
      const causes = await write(trx => startWaitingPublishes(trx, startedAt))
      isStarted = true
      // The build of a CDN host may be outdated although nothing has changed here.
      const isRequested = causes.some(cause => cause !== 'change')
      if (isRequested) startHostBuild(deps, options)
      const code = { hash, folder: await codeFolder }
      const outcome: Outcome =
        plan === 'render'
          ? await publishLocked(deps, lock, { ...options, isRequested }, code)
          : { state: 'fresh' }
      await finishPublishes(deps, startedAt, outcome, situation.live)
      await releases.deleteOld().catch(warn)
      return outcome
    } catch (error) {
      // After a shutdown, the next run answers the requests.
      const values = signal.aborted
        ? { state: 'waiting' as const }
        : { state: 'failed' as const, problem: oneLine(error), ended_at: isoNow(clock) }
      const save = async (trx: Trx) => {
        if (!isStarted) await startWaitingPublishes(trx, startedAt)
        await updateStartedPublishes(trx, startedAt, values)
        if (values.state === 'failed') await ringFailure(trx, values.ended_at)
      }
      await write(save).catch(() => undefined)
      throw error
    }
  })
}

/** Not for each retry. */
async function ringFailure(trx: Trx, at: IsoTime) {
  const ended = trx.selectFrom('publishes').select('state').where('ended_at', '<', at)
  const last = await ended.orderBy('ended_at', 'desc').limit(1).executeTakeFirst()
  if (last?.state === 'failed') return
  const compose = () => ({ title: t('The website is not up to date'), path: paths.adminPublishing })
  await ring(trx, { id: `website-${at}`, kind: 'problem', topic: 'website', at, compose })
}

async function finishPublishes(
  { write, clock }: PublishDeps,
  startedAt: string,
  outcome: Outcome,
  live: LiveRelease | undefined
) {
  const shown =
    outcome.state === 'published'
      ? { release: outcome.id, pages: outcome.rendered }
      : { release: live?.id ?? null, pages: 0 }
  await write(async trx => {
    await raiseCounter(trx, 'publishes')
    if (outcome.state === 'fresh') await deleteStartedChanges(trx, startedAt)
    const values = { state: 'live', ended_at: isoNow(clock), ...shown } as const
    await updateStartedPublishes(trx, startedAt, values)
    await deleteOldPublishes(trx)
  })
}

async function publishLocked(
  deps: PublishDeps,
  lock: Lock,
  options: PublishOptions & { isRequested: boolean },
  code: { hash: string; folder: string }
): Promise<Outcome> {
  const { config, database, objects, releases, renderer, state, clock } = deps
  const { siteUrl, publicApiBase } = config
  const { force = false, progress = () => undefined, onPageRendered = () => undefined } = options
  const db = database.kysely
  const startedAt = performance.now()
  // Of this machine. Another one may have published since.
  const last = await releases.current()
  const readAt = clock()
  const createdAt = toIso(readAt)
  const id = newReleaseId(readAt)
  const folder = await releases.begin(id)
  try {
    // Read before the content, so that a later change is published again.
    const counters = await readCounters(db, ['catalog', STOCK_LEVELS])
    const { catalog: counter = 0, [STOCK_LEVELS]: levels = 0 } = counters
    const shown = { counter, levels, createdAt }
    const { checkoutUrl } = config.provider
    const job = {
      ...{ id, ...shown, code: code.hash, folder, siteUrl, publicApiBase, checkoutUrl },
      client: clientFolder(code.folder),
      ...(last && { lastFolder: last.folder }),
      rendersAll: force,
      source: { content: { ...(await readSiteContent(db, readAt)), checkoutUrl }, readAt },
      // A picture has a row only once all its files are stored.
      pictures: await db.selectFrom('pictures').select(['key', 'width']).execute()
    }
    const rendering = renderer.render(code.folder, job, {
      signal: lock.signal,
      onProgress: onPageRendered
    })
    const result = await withProgress(progress, 'Rendering the pages…', rendering)
    const release = result.state === 'fresh' ? last?.id : id
    state.shown = { release, counter, levels, at: readAt }
    if (result.state === 'fresh') {
      // Tells other nodes that these pages are up to date. One of them may have published others.
      if (objects && last) await uploadRelease(objects, { ...last, ...shown }, lock)
      return result
    }
    const manifest = objects && (await loadManifest(folder))
    if (manifest) await uploadRelease(objects, { ...manifest, folder }, lock)
    lock.signal.throwIfAborted()
    await lock.confirm()
    await releases.goLive(id, folder)
    state.baseCode = code.hash
    const { pages, rendered, warnings, catalog } = result
    for (const warning of warnings) options.warn(warning)
    if (!options.isRequested && last && last.catalog !== catalog) startHostBuild(deps, options)
    const seconds = (performance.now() - startedAt) / SECOND
    return { state: 'published', id, pages, rendered, seconds }
  } finally {
    // A renderer that was told to stop may still write files here. The next publish deletes them.
    await deleteFolder(folder).catch(() => undefined)
  }
}

/** Not awaited, because a slow host must not keep the publish lock. */
function startHostBuild({ config }: PublishDeps, { signal, warn }: PublishOptions) {
  if (config.deployHookUrl) void callDeployHook(config.deployHookUrl, signal).catch(warn)
}

const DEPLOY_HOOK_TIMEOUT = 10 * SECOND
const DEPLOY_HOOK_BACKOFF = [SECOND, 5 * SECOND]

export async function callDeployHook(
  url: string,
  signal: AbortSignal,
  backoff = DEPLOY_HOOK_BACKOFF
): Promise<void> {
  for (const delay of [...backoff, undefined]) {
    const problem = await postToHook(url, signal)
    if (problem === undefined) return
    // The message names only the host, because the full URL is a secret.
    if (delay === undefined) throw new Error(`The build hook at ${new URL(url).host} ${problem}`)
    await sleep(delay, undefined, { signal })
  }
}

async function postToHook(url: string, signal: AbortSignal) {
  try {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEPLOY_HOOK_TIMEOUT)])
    })
    return ok ? undefined : `responded with status ${status}`
  } catch (error) {
    signal.throwIfAborted()
    return `could not be reached: ${error instanceof Error ? error.message : error}`
  }
}
