import { readdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { listPictureFiles } from '#lib/images.ts'
import { SECOND } from '#lib/time.ts'
import { ROOT, toLocalApiUrl, type Config, type Environment } from '../config.ts'
import { readCounter } from '../platform/db/counters.ts'
import type { Db } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { withLock, type Lock } from '../platform/jobs/leases.ts'
import { isoNow } from '../platform/process/clock.ts'
import { oneLine, withProgress, type Progress } from '../platform/process/command.ts'
import { deleteFolder } from '../platform/storage/files.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import { toCheckoutUrl } from '../razorpay/settings.ts'
import { callDeployHook } from './cdn.ts'
import { hashCode, isDue, isStale, isSuperseded } from './due.ts'
import {
  deleteOldPublishes,
  deleteStartedChanges,
  listPictures,
  startWaitingPublishes,
  updateStartedPublishes
} from './queries.ts'
import type { OnProgress, ReleaseJob, ReleaseResult } from './release/make-release.ts'
import {
  createReleases,
  createReleaseStore,
  newReleaseId,
  type Release,
  type ReleaseArchive,
  type Releases,
  type ReleaseStore
} from './release/store.ts'
import { createRenderProcess, type RenderProcess } from './render-process.ts'
import { createSharedReleases, type SharedReleases } from './shared-releases.ts'
import {
  clientFolder,
  createCodeStore,
  createCodeVersion,
  createSiteBuilder,
  type CodeStore,
  type SiteBuilder
} from './site-code.ts'
import { createStoredReleases } from './stored-releases.ts'

export interface PublishDeps extends DataDeps {
  config: Config
  objects: ObjectStore | undefined
  shared: SharedReleases | undefined
  builder: SiteBuilder
  renderer: RenderProcess
  code: CodeStore
  store: ReleaseStore
  releases: Releases
  archive: ReleaseArchive
  version: () => Promise<string>
  /** The code that was live when this process started, or that it has published since. */
  baseCode: { hash?: string }
}

export interface PublishOptions {
  force?: boolean
  signal: AbortSignal
  progress?: Progress | undefined
  onPageRendered?: OnProgress | undefined
  warn: (error: unknown) => void
}

export const PUBLISH_LOCK = 'publish'

export type Outcome =
  | { state: 'fresh' }
  | { state: 'published'; id: string; pages: number; rendered: number; seconds: number }

/** The caller must close the renderer. */
export function openPublishing(
  env: Environment,
  { config, database, write, clock, objects }: DataDeps & Pick<PublishDeps, 'config' | 'objects'>
): PublishDeps {
  return {
    config,
    database,
    write,
    clock,
    objects,
    ...openReleases({ database, write, clock }, config.dataDir, objects),
    renderer: createRenderProcess(env, toLocalApiUrl(config)),
    builder: createSiteBuilder(ROOT, env),
    code: createCodeStore(config.dataDir, ROOT),
    version: createCodeVersion(ROOT),
    baseCode: {}
  }
}

export function openReleases(
  deps: DataDeps,
  dataDir: string,
  objects: ObjectStore | undefined
): Pick<PublishDeps, 'store' | 'releases' | 'archive' | 'shared'> {
  const store = createReleaseStore(dataDir)
  if (!objects) return { store, archive: store, releases: createReleases(store), shared: undefined }
  const remote = createStoredReleases(objects)
  const releases = createReleases(store, remote)
  return {
    store,
    archive: remote,
    releases,
    shared: createSharedReleases({ ...deps, local: store, remote, releases })
  }
}

/**
 * If anything fails, the current release stays live. Throws BuildError, InvalidReleaseError or the
 * signal's reason.
 */
export async function publishSite(deps: PublishDeps, options: PublishOptions): Promise<Outcome> {
  const { force = false, signal, progress = () => undefined } = options
  if (!force && !(await isDue(deps))) return { state: 'fresh' }
  // Built before the lock is taken, because it can take a minute, and other processes may have
  // changes to publish.
  const code = await hashCode(deps)
  const codeFolder = findOrBuildCode(deps, code, options)
  // A failed build is thrown below, where the requests that wait for it fail too.
  await codeFolder.catch(() => undefined)
  const onWait = (): void => progress('Waiting for another process to finish publishing…')
  return withLock(PUBLISH_LOCK, { ...deps, signal, onWait }, async lock => {
    await deps.shared?.follow()
    await deps.releases.refresh()
    if (await isSuperseded(deps)) return { state: 'fresh' }
    const startedAt = isoNow(deps.clock)
    const causes = await deps.write(trx => startWaitingPublishes(trx, startedAt))
    // A request also repeats the build of a CDN host, which may be outdated although nothing has
    // changed here.
    const isRequested = causes.some(cause => cause !== 'change')
    if (isRequested) startHostBuild(deps, options)
    try {
      const site = { hash: code, folder: await codeFolder }
      const outcome = await publishLocked(deps, lock, { ...options, isRequested }, site)
      await finishPublishes(deps, startedAt, outcome)
      // The new release is live, so a failed cleanup is only a warning.
      await removeOldReleases(deps, lock, await codeFolder).catch(options.warn)
      return outcome
    } catch (error) {
      // If a shutdown interrupts publishing, the publish requests wait again, so that the next run
      // handles them.
      const values = signal.aborted
        ? { state: 'waiting' as const }
        : { state: 'failed' as const, problem: oneLine(error), ended_at: isoNow(deps.clock) }
      await deps.write(trx => updateStartedPublishes(trx, startedAt, values)).catch(() => undefined)
      throw error
    }
  })
}

async function finishPublishes(
  { write, clock, releases }: PublishDeps,
  startedAt: string,
  outcome: Outcome
): Promise<void> {
  const published = outcome.state === 'published'
  const release = published ? outcome.id : ((await releases.current())?.id ?? null)
  const values = {
    state: 'live' as const,
    ended_at: isoNow(clock),
    release,
    pages: published ? outcome.rendered : 0
  }
  await write(async trx => {
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
  const previous = await deps.releases.current()
  const hasFailedPages = (previous?.failed.length ?? 0) > 0
  if (!options.force && !hasFailedPages && !(await isStale(deps))) return { state: 'fresh' }
  const start = performance.now()
  const result = await renderAndSwitch(deps, lock, options, code, previous)
  if (result.state === 'fresh') return result
  for (const warning of result.warnings) options.warn(warning)
  if (!options.isRequested && previous && previous.catalog !== result.catalog)
    startHostBuild(deps, options)
  const { id, pages, rendered } = result
  return { state: 'published', id, pages, rendered, seconds: (performance.now() - start) / SECOND }
}

/** Not awaited, because a slow host must not keep the publish lock. */
function startHostBuild({ config }: PublishDeps, { signal, warn }: PublishOptions): void {
  if (config.deployHookUrl) void callDeployHook(config.deployHookUrl, signal).catch(warn)
}

async function renderAndSwitch(
  deps: PublishDeps,
  lock: Lock,
  { force = false, progress = () => undefined, onPageRendered = () => undefined }: PublishOptions,
  code: SiteCode,
  previous: Release | undefined
): Promise<{ state: 'fresh' } | (Extract<ReleaseResult, { state: 'made' }> & { id: string })> {
  const { config, database, store, renderer, shared, clock } = deps
  const { siteUrl, publicApiBase, dataDir } = config
  const { signal } = lock
  const createdAt = isoNow(clock)
  const counter = await readCounter(database.kysely, 'catalog')
  const id = newReleaseId(clock())
  const folder = await store.begin(id)
  try {
    const assetsFolder = join(dataDir, 'assets')
    const job: ReleaseJob = {
      id,
      createdAt,
      code: code.hash,
      counter,
      siteUrl,
      publicApiBase,
      checkoutUrl: toCheckoutUrl(config),
      folder,
      client: clientFolder(code.folder),
      ...(previous && { liveFolder: previous.folder }),
      rendersAll: force,
      assetsFolder,
      remoteAssets: deps.objects ? await listRemotePictures(database.kysely, assetsFolder) : []
    }
    const result = await withProgress(
      progress,
      'Rendering the pages…',
      renderer.render(code.folder, job, { signal, onProgress: onPageRendered })
    )
    if (result.state === 'fresh') {
      // The store does not have the release if STORAGE_URL was just set.
      if (shared && previous && (await shared.liveId()) !== previous.id) {
        await shared.upload(previous.folder, undefined, signal)
        await shared.goLive(previous.id, lock)
      }
      return result
    }
    await shared?.upload(folder, previous, signal)
    signal.throwIfAborted()
    await lock.confirm()
    await store.complete(id, folder)
    await switchRelease(deps, lock, id)
    deps.baseCode.hash = code.hash
    return { ...result, id }
  } finally {
    // A renderer that was told to stop may still write files here. The next publish deletes them.
    await deleteFolder(folder).catch(() => undefined)
  }
}

/** A picture has a row only once all its files are in the store. */
async function listRemotePictures(db: Db, assetsFolder: string): Promise<string[]> {
  const local = new Set(await readdir(assetsFolder).catch(() => []))
  const pictures = await listPictures(db)
  return pictures
    .flatMap(({ key, width }) => listPictureFiles(key, width))
    .filter(name => !local.has(name))
}

/**
 * Makes a complete release live, on all nodes that share the releases. The caller has just
 * confirmed the lock.
 */
export async function switchRelease(
  { store, releases, shared }: PublishDeps,
  lock: Lock,
  id: string
): Promise<void> {
  if (shared) return shared.goLive(id, lock)
  await store.switchTo(id)
  await releases.refresh()
}

async function removeOldReleases(deps: PublishDeps, lock: Lock, codeFolder: string): Promise<void> {
  await deps.renderer.deleteFolders(codeFolder, await deps.store.takeSurplusFolders(deps.clock()))
  await deps.shared?.cleanUp(lock)
}

async function findOrBuildCode(
  deps: PublishDeps,
  code: string,
  { signal, progress = () => undefined }: PublishOptions
): Promise<string> {
  const found = await deps.code.find(code)
  if (found !== undefined) return found
  // Processes with the same DATA_DIR build one after the other.
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
