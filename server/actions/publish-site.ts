import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SECOND } from '#lib/time.ts'
import { isoNow, type Clock } from '../clock.ts'
import { localApi, type Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import type { Write } from '../db/write.ts'
import { callDeployHook } from '../gateways/deploy-hook.ts'
import type { SiteBuilder } from '../gateways/site-builder.ts'
import { checkoutUrlOf } from '../payment-settings.ts'
import { listProductIds } from '../queries/publishing.ts'
import { slowly, type Progress } from '../progress.ts'
import type { Releases } from '../release/releases.ts'
import { newReleaseId, type ReleaseStore } from '../release/store.ts'
import { inTurn, type Turn } from '../release/turn.ts'

export interface PublishDeps {
  config: Config
  database: Database
  write: Write
  clock: Clock
  builder: SiteBuilder
  store: ReleaseStore
  releases: Releases
  /** A hash of what the public pages are built from. */
  catalog: () => Promise<string>
  /** A hash of what builds them. */
  code: () => Promise<string>
}

export interface PublishOptions {
  /** Publishes even when nothing has changed. */
  force?: boolean
  signal: AbortSignal
  /** Told what takes longer than a second. */
  progress?: Progress
  /** Told what went wrong after the release was switched to. */
  warn: (error: unknown) => void
}

export type Outcome = { state: 'fresh' } | { state: 'published'; id: string; pages: number; seconds: number }

interface Fingerprint {
  catalog: string
  whole: string
}

/** Whether the release that visitors get is made of today's data, code and settings. */
export async function isStale(deps: PublishDeps): Promise<boolean> {
  const [current, { whole }] = await Promise.all([deps.releases.current(), fingerprintOf(deps)])
  return current?.fingerprint !== whole
}

/**
 * Builds, checks and switches to a new release; of several processes one publishes at a time. Whatever fails, visitors
 * keep the release they have. Throws BuildError, UnfitError, or the signal's reason.
 */
export async function publishSite(deps: PublishDeps, options: PublishOptions): Promise<Outcome> {
  const { force = false, signal, progress = () => undefined, warn } = options
  if (!force && !(await isStale(deps))) return { state: 'fresh' }
  const waiting = (): void => progress('Waiting for another process that is publishing the site …')
  return inTurn({ ...deps, signal, waiting }, async turn => {
    await deps.releases.refresh()
    const former = await deps.releases.current()
    const fingerprint = await fingerprintOf(deps)
    if (!force && former?.fingerprint === fingerprint.whole) return { state: 'fresh' }
    const outcome = await makeRelease(deps, turn, fingerprint, progress)
    const { deployHookUrl } = deps.config
    if (deployHookUrl && former && former.catalog !== fingerprint.catalog) {
      await callDeployHook(deployHookUrl, signal).catch(warn)
    }
    return outcome
  })
}

async function makeRelease(
  deps: PublishDeps,
  turn: Turn,
  { catalog, whole }: Fingerprint,
  progress: Progress
): Promise<Outcome> {
  const { config, store, builder, clock } = deps
  const { siteUrl, publicApiBase } = config
  const began = performance.now()
  const id = newReleaseId(clock())
  const folder = await store.begin(id)
  try {
    const productsBefore = await listProductIds(deps.database.kysely)
    const request = { outDir: folder, apiBase: localApi(config), siteUrl, publicApiBase, signal: turn.signal }
    await slowly(progress, 'Building the pages …', builder.build(request))
    // A product that came or went meanwhile has its page in the next release.
    const productsNow = new Set(await listProductIds(deps.database.kysely))
    const products = productsBefore.filter(product => productsNow.has(product))
    const about = { id, createdAt: isoNow(clock), fingerprint: whole, catalog, siteUrl, publicApiBase }
    const assetsFolder = join(config.dataDir, 'assets')
    const sealing = { ...about, products, assetsFolder, checkoutUrl: checkoutUrlOf(config) }
    const { pages } = await slowly(
      progress,
      'Checking and compressing them …',
      builder.seal(folder, sealing, turn.signal)
    )
    turn.signal.throwIfAborted()
    await turn.confirm()
    await store.publish(id)
    await deps.releases.refresh()
    await store.prune()
    return { state: 'published', id, pages, seconds: (performance.now() - began) / SECOND }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function fingerprintOf(deps: PublishDeps): Promise<Fingerprint> {
  const [catalog, code] = await Promise.all([deps.catalog(), deps.code()])
  const { siteUrl, publicApiBase } = deps.config
  const whole = createHash('sha256')
    .update(JSON.stringify([catalog, code, siteUrl, publicApiBase, checkoutUrlOf(deps.config)]))
    .digest('hex')
  return { catalog, whole }
}
