import { hostname } from 'node:os'
import { SECOND } from '#lib/time.ts'
import { ROOT, type Config, type Environment } from '../config.ts'
import { raiseCounter, readCounters, STOCK_LEVELS } from '../platform/db/counters.ts'
import type { Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { withLock, type Lock } from '../platform/jobs/leases.ts'
import { isoNow } from '../platform/process/clock.ts'
import { oneLine, withProgress, type Progress } from '../platform/process/command.ts'
import { deleteFolder } from '../platform/storage/files.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import { toCheckoutUrl } from '../razorpay/config.ts'
import { uploadRelease, type LiveRelease } from './bucket.ts'
import { callDeployHook } from './deploy-hook.ts'
import { hashCode, planPublish, readSituation, type ShownState } from './plan.ts'
import { readSiteContent } from './public-data.ts'
import {
  deleteOldPublishes,
  deleteStartedChanges,
  startWaitingPublishes,
  updateStartedPublishes
} from './queries.ts'
import type { OnProgress, ReleaseResult } from './release/make-release.ts'
import { loadManifest } from './release/manifest.ts'
import { newReleaseId, openReleases, type Release, type Releases } from './release/store.ts'
import { createRenderProcess, type RenderProcess } from './render-process.ts'
import {
  clientFolder,
  createCodeStore,
  createSiteBuilder,
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
  const { signal, force, progress = () => undefined } = options
  // Before the lock is taken, because it can take a minute.
  const code = await hashCode(deps)
  const codeFolder = findOrBuildCode(deps, code, options)
  await codeFolder.catch(() => undefined)
  const onWait = (): void => progress('Waiting for another process to finish publishing…')
  return withLock(PUBLISH_LOCK, { ...deps, signal, onWait }, async lock => {
    deps.state.bucket = undefined
    await deps.releases.refresh()
    const startedAt = isoNow(deps.clock)
    let isStarted = false
    try {
      const situation = await readSituation(deps)
      const plan = planPublish(situation, force)
      if (plan === 'nothing' || plan === 'superseded') return { state: 'fresh' }
      const causes = await deps.write(trx => startWaitingPublishes(trx, startedAt))
      isStarted = true
      // The build of a CDN host may be outdated although nothing has changed here.
      const isRequested = causes.some(cause => cause !== 'change')
      if (isRequested) startHostBuild(deps, options)
      const site = { hash: code, folder: await codeFolder }
      const outcome: Outcome =
        plan === 'render'
          ? await publishLocked(deps, lock, { ...options, isRequested }, site)
          : { state: 'fresh' }
      await finishPublishes(deps, startedAt, outcome, situation.live)
      await deps.releases.deleteOld().catch(options.warn)
      return outcome
    } catch (error) {
      // After a shutdown, the next run answers the requests.
      const values = signal.aborted
        ? { state: 'waiting' as const }
        : { state: 'failed' as const, problem: oneLine(error), ended_at: isoNow(deps.clock) }
      const save = async (trx: Trx): Promise<void> => {
        if (!isStarted) await startWaitingPublishes(trx, startedAt)
        await updateStartedPublishes(trx, startedAt, values)
      }
      await deps.write(save).catch(() => undefined)
      throw error
    }
  })
}

async function finishPublishes(
  { write, clock }: PublishDeps,
  startedAt: string,
  outcome: Outcome,
  live: LiveRelease | undefined
): Promise<void> {
  const published = outcome.state === 'published'
  const values = {
    state: 'live' as const,
    ended_at: isoNow(clock),
    release: published ? outcome.id : (live?.id ?? null),
    pages: published ? outcome.rendered : 0
  }
  await write(async trx => {
    await raiseCounter(trx, 'publishes')
    if (!published) await deleteStartedChanges(trx, startedAt)
    await updateStartedPublishes(trx, startedAt, values)
    await deleteOldPublishes(trx)
  })
}

interface SiteCode {
  hash: string
  folder: string
}

async function publishLocked(
  deps: PublishDeps,
  lock: Lock,
  options: PublishOptions & { isRequested: boolean },
  code: SiteCode
): Promise<Outcome> {
  const start = performance.now()
  const last = await deps.releases.current()
  const id = newReleaseId(deps.clock())
  const folder = await deps.releases.begin(id)
  const createdAt = isoNow(deps.clock)
  // Read before the content, so that a later change is published again.
  const names = ['catalog', STOCK_LEVELS] as const
  const found = await readCounters(deps.database.kysely, names)
  const { catalog: counter = 0, [STOCK_LEVELS]: levels = 0 } = found
  const release = { id, createdAt, counter, levels, code, folder, last }
  try {
    const result = await renderRelease(deps, lock, options, release)
    const shown = result.state === 'fresh' ? last?.id : id
    deps.state.shown = { release: shown, counter, levels, at: Date.parse(createdAt) }
    if (result.state === 'fresh') {
      // Tells other nodes that these pages are up to date. One of them may have published others.
      if (deps.objects && last)
        await uploadRelease(deps.objects, { ...last, counter, levels, createdAt }, lock)
      return result
    }
    await goLive(deps, lock, release)
    deps.state.baseCode = code.hash
    for (const warning of result.warnings) options.warn(warning)
    if (!options.isRequested && last && last.catalog !== result.catalog)
      startHostBuild(deps, options)
    const { pages, rendered } = result
    return {
      state: 'published',
      id,
      pages,
      rendered,
      seconds: (performance.now() - start) / SECOND
    }
  } finally {
    // A renderer that was told to stop may still write files here. The next publish deletes them.
    await deleteFolder(folder).catch(() => undefined)
  }
}

/** Not awaited, because a slow host must not keep the publish lock. */
function startHostBuild({ config }: PublishDeps, { signal, warn }: PublishOptions): void {
  if (config.deployHookUrl) void callDeployHook(config.deployHookUrl, signal).catch(warn)
}

interface NewRelease {
  id: string
  createdAt: string
  counter: number
  levels: number
  code: SiteCode
  folder: string
  /** Of this machine. Another one may have published since. */
  last: Release | undefined
}

async function renderRelease(
  deps: PublishDeps,
  { signal }: Lock,
  { force = false, progress = () => undefined, onPageRendered = () => undefined }: PublishOptions,
  { code, last, ...release }: NewRelease
): Promise<ReleaseResult> {
  const { config, database, renderer } = deps
  const { siteUrl, publicApiBase } = config
  const db = database.kysely
  const readAt = Date.parse(release.createdAt)
  const checkoutUrl = toCheckoutUrl(config)
  const content = { ...(await readSiteContent(db, readAt)), checkoutUrl }
  const job = {
    ...release,
    code: code.hash,
    siteUrl,
    publicApiBase,
    checkoutUrl,
    client: clientFolder(code.folder),
    ...(last && { lastFolder: last.folder }),
    rendersAll: force,
    source: { content, readAt },
    // A picture has a row only once all its files are stored.
    pictures: await db.selectFrom('pictures').select(['key', 'width']).execute()
  }
  return withProgress(
    progress,
    'Rendering the pages…',
    renderer.render(code.folder, job, { signal, onProgress: onPageRendered })
  )
}

async function goLive(
  { objects, releases }: PublishDeps,
  lock: Lock,
  { id, folder }: NewRelease
): Promise<void> {
  const manifest = objects && (await loadManifest(folder))
  if (manifest) await uploadRelease(objects, { ...manifest, folder }, lock)
  lock.signal.throwIfAborted()
  await lock.confirm()
  await releases.goLive(id, folder)
}

async function findOrBuildCode(
  deps: PublishDeps,
  code: string,
  { signal, progress = () => undefined }: PublishOptions
): Promise<string> {
  const found = await deps.code.find(code)
  if (found !== undefined) return found
  const name = `build ${hostname()} ${deps.config.dataDir}`
  const onWait = (): void => progress('Waiting for another process to build the site code…')
  return withLock(name, { ...deps, signal, onWait }, async lock => {
    return (await deps.code.find(code)) ?? buildCode(deps, code, lock.signal, progress)
  })
}

async function buildCode(
  deps: PublishDeps,
  code: string,
  signal: AbortSignal,
  progress: Progress
): Promise<string> {
  const { siteUrl, publicApiBase } = deps.config
  const outDir = await deps.code.begin(code)
  await withProgress(
    progress,
    'Building the site code…',
    deps.builder.build({ outDir, siteUrl, publicApiBase, signal })
  )
  await deps.code.linkNodeModules(outDir)
  await deps.renderer.compressClientFiles(outDir, signal)
  return deps.code.complete(code)
}
