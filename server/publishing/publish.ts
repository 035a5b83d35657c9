import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listPictureFiles } from '#lib/images.ts'
import { SECOND, toYearInIndia } from '#lib/time.ts'
import { ROOT, toLocalApiUrl, type Config, type Environment } from '../config.ts'
import { nextPriceChange } from '../deals/running-deals.ts'
import { readCounter } from '../platform/db/counters.ts'
import type { Db } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { withLock, type Lock } from '../platform/jobs/leases.ts'
import { isoNow } from '../platform/process/clock.ts'
import { oneLine, withProgress, type Progress } from '../platform/process/command.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import { toCheckoutUrl } from '../razorpay/settings.ts'
import {
  deleteOldPublishes,
  deleteStartedChanges,
  findLastLivePublish,
  hasOpenPublish,
  listPictures,
  startWaitingPublishes,
  updateStartedPublishes
} from './queries.ts'
import type { OnProgress, ReleaseResult } from './release/make-release.ts'
import {
  createReleases,
  createReleaseStore,
  newReleaseId,
  type Release,
  type Releases,
  type ReleaseStore
} from './release/store.ts'
import { createRenderProcess, type RenderProcess } from './render-process.ts'
import {
  clientFolder,
  createCodeStore,
  createCodeVersion,
  createSiteBuilder,
  type CodeStore,
  type SiteBuilder
} from './site-code.ts'

export interface PublishDeps extends DataDeps {
  config: Config
  objects: ObjectStore | undefined
  builder: SiteBuilder
  renderer: RenderProcess
  code: CodeStore
  store: ReleaseStore
  releases: Releases
  version: () => Promise<string>
}

export interface PublishOptions {
  force?: boolean
  signal: AbortSignal
  progress?: Progress
  onPageRendered?: OnProgress
  warn: (error: unknown) => void
}

export const PUBLISH_LOCK = 'publish'

const HOOK_TIMEOUT = 10 * SECOND
const HOOK_BACKOFF = [SECOND, 5 * SECOND]

export type Outcome =
  | { state: 'fresh' }
  | { state: 'published'; id: string; pages: number; rendered: number; seconds: number }

/** The caller must close the renderer. */
export function openPublishing(
  env: Environment,
  { config, database, write, clock, objects }: DataDeps & Pick<PublishDeps, 'config' | 'objects'>
): PublishDeps {
  const store = createReleaseStore(config.dataDir)
  return {
    config,
    database,
    write,
    clock,
    objects,
    store,
    releases: createReleases(store),
    renderer: createRenderProcess(env, toLocalApiUrl(config)),
    builder: createSiteBuilder(ROOT, env),
    code: createCodeStore(config.dataDir, ROOT),
    version: createCodeVersion(ROOT)
  }
}

export async function isStale(deps: PublishDeps): Promise<boolean> {
  const { releases, database, clock } = deps
  const current = await releases.current()
  if (!current) return true
  const now = clock()
  const from = Date.parse(current.createdAt)
  if (from > now || toYearInIndia(from) !== toYearInIndia(now)) return true
  const [code, counter, change] = await Promise.all([
    hashCode(deps),
    readCounter(database.kysely, 'catalog'),
    nextPriceChange(database.kysely, current.createdAt)
  ])
  return current.code !== code || current.counter !== counter || (change !== undefined && Date.parse(change) <= now)
}

export async function isDue(deps: PublishDeps): Promise<boolean> {
  if (await hasOpenPublish(deps.database.kysely)) return true
  return (await isStale(deps)) && !(await isRolledBack(deps))
}

/** If anything fails, the current release stays live. Throws BuildError, InvalidReleaseError or the signal's reason. */
export async function publishSite(deps: PublishDeps, options: PublishOptions): Promise<Outcome> {
  const { force = false, signal, progress = () => undefined } = options
  if (!force && !(await isDue(deps))) return { state: 'fresh' }
  const onWait = (): void => progress('Waiting for another process to finish publishing…')
  return withLock(PUBLISH_LOCK, { ...deps, signal, onWait }, async lock => {
    await deps.releases.refresh()
    const startedAt = isoNow(deps.clock)
    await deps.write(trx => startWaitingPublishes(trx, startedAt))
    try {
      const outcome = await publishLocked(deps, lock, options)
      await finishPublishes(deps, startedAt, outcome)
      // The new release is live, so a failed cleanup is only a warning.
      await removeOldReleases(deps).catch(options.warn)
      return outcome
    } catch (error) {
      // If a shutdown interrupts publishing, the publish requests wait again, so that the next run handles them.
      const values = signal.aborted
        ? { state: 'waiting' as const }
        : { state: 'failed' as const, problem: oneLine(error), ended_at: isoNow(deps.clock) }
      await deps.write(trx => updateStartedPublishes(trx, startedAt, values)).catch(() => undefined)
      throw error
    }
  })
}

/** Returns a hash of the code and of the settings that change the pages. */
export async function hashCode({ version, config }: Pick<PublishDeps, 'version' | 'config'>): Promise<string> {
  const parts = [await version(), config.siteUrl, config.publicApiBase, toCheckoutUrl(config)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20)
}

export async function isRolledBack(deps: PublishDeps): Promise<boolean> {
  const last = await findLastLivePublish(deps.database.kysely)
  if (last?.cause !== 'return') return false
  return last.counter === (await readCounter(deps.database.kysely, 'catalog')) && last.code === (await hashCode(deps))
}

async function finishPublishes(
  { write, clock, releases }: PublishDeps,
  startedAt: string,
  outcome: Outcome
): Promise<void> {
  const published = outcome.state === 'published'
  const release = published ? outcome.id : ((await releases.current())?.id ?? null)
  const values = { state: 'live' as const, ended_at: isoNow(clock), release, pages: published ? outcome.rendered : 0 }
  await write(async trx => {
    if (!published) await deleteStartedChanges(trx, startedAt)
    await updateStartedPublishes(trx, startedAt, values)
    await deleteOldPublishes(trx)
  })
}

async function publishLocked(deps: PublishDeps, lock: Lock, options: PublishOptions): Promise<Outcome> {
  const previous = await deps.releases.current()
  const hasFailedPages = (previous?.failed.length ?? 0) > 0
  if (!options.force && !hasFailedPages && !(await isStale(deps))) return { state: 'fresh' }
  const start = performance.now()
  const result = await renderAndSwitch(deps, lock, options, previous)
  if (result.state === 'fresh') return result
  for (const warning of result.warnings) options.warn(warning)
  const { deployHookUrl } = deps.config
  if (deployHookUrl && previous && previous.catalog !== result.catalog) {
    // Not awaited, because a slow host must not keep the publish lock.
    void callDeployHook(deployHookUrl, options.signal).catch(options.warn)
  }
  const { id, pages, rendered } = result
  return { state: 'published', id, pages, rendered, seconds: (performance.now() - start) / SECOND }
}

async function renderAndSwitch(
  deps: PublishDeps,
  lock: Lock,
  { force = false, progress = () => undefined, onPageRendered = () => undefined }: PublishOptions,
  previous: Release | undefined
): Promise<{ state: 'fresh' } | (Extract<ReleaseResult, { state: 'made' }> & { id: string })> {
  const { config, database, store, renderer, releases, clock } = deps
  const { siteUrl, publicApiBase, dataDir } = config
  const { signal } = lock
  const code = await hashCode(deps)
  const codeFolder = await findOrBuildCode(deps, code, signal, progress)
  // Read only now: the build can take a minute, and the release contains what was saved during it.
  const createdAt = isoNow(clock)
  const counter = await readCounter(database.kysely, 'catalog')
  const id = newReleaseId(clock())
  const folder = await store.begin(id)
  try {
    const details = { id, createdAt, code, counter, siteUrl, publicApiBase, checkoutUrl: toCheckoutUrl(config), folder }
    const live = previous && { previous: previous.folder }
    const assetsFolder = join(dataDir, 'assets')
    const remoteAssets = deps.objects ? await listRemotePictures(database.kysely, assetsFolder) : []
    const folders = { ...live, client: clientFolder(codeFolder), assetsFolder, remoteAssets }
    const job = { ...details, ...folders, rendersAll: force }
    const result = await withProgress(
      progress,
      'Rendering the pages…',
      renderer.render(codeFolder, job, { signal, onProgress: onPageRendered })
    )
    if (result.state === 'fresh') return result
    signal.throwIfAborted()
    await lock.confirm()
    await store.publish(id)
    await releases.refresh()
    return { ...result, id }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A picture has a row only once all its files are in the store. */
async function listRemotePictures(db: Db, assetsFolder: string): Promise<string[]> {
  const local = new Set(await readdir(assetsFolder).catch(() => []))
  const pictures = await listPictures(db)
  return pictures.flatMap(({ key, width }) => listPictureFiles(key, width)).filter(name => !local.has(name))
}

async function removeOldReleases(deps: PublishDeps): Promise<void> {
  const [surplus, codeFolder] = await Promise.all([
    deps.store.listSurplusFolders(deps.clock()),
    deps.code.find(await hashCode(deps))
  ])
  if (codeFolder !== undefined) await deps.renderer.deleteFolders(codeFolder, surplus)
}

async function findOrBuildCode(
  deps: PublishDeps,
  code: string,
  signal: AbortSignal,
  progress: Progress
): Promise<string> {
  const found = await deps.code.find(code)
  if (found !== undefined) return found
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

export async function callDeployHook(url: string, signal: AbortSignal, backoff = HOOK_BACKOFF): Promise<void> {
  for (const delay of [...backoff, undefined]) {
    const problem = await postToHook(url, signal)
    if (problem === undefined) return
    // The message names only the host, because the full URL is a secret.
    if (delay === undefined) throw new Error(`The build hook at ${new URL(url).host} ${problem}`)
    await sleep(delay, undefined, { signal })
  }
}

async function postToHook(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      signal: AbortSignal.any([signal, AbortSignal.timeout(HOOK_TIMEOUT)])
    })
    return ok ? undefined : `responded with status ${status}`
  } catch (error) {
    signal.throwIfAborted()
    return `could not be reached: ${error instanceof Error ? error.message : error}`
  }
}
