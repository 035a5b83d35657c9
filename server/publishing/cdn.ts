import type { FastifyBaseLogger } from 'fastify'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { CdnDelay } from '#lib/contract/admin.ts'
import { MINUTE, SECOND } from '#lib/time.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { withLock, type Lock } from '../platform/jobs/leases.ts'
import { type Loop, startLoop } from '../platform/jobs/loop.ts'
import { oneLine } from '../platform/process/command.ts'
import { inParallel } from '../platform/process/work-queue.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import { hashContent } from './release/files.ts'
import { cacheControl, contentType } from './release/headers.ts'
import { HOST_FILES } from './release/host-files.ts'
import { HASHED_FOLDER, isPage } from './release/manifest.ts'
import type { Release, Releases } from './release/store.ts'
import type { SharedReleases } from './shared-releases.ts'

interface CdnDeps extends Pick<DataDeps, 'write'> {
  bucket: ObjectStore
  /**
   * Web servers add `.html` to an address to find its file. In a bucket, the address itself is the
   * key.
   */
  isFolder: boolean
  releases: Releases
  shared?: Pick<SharedReleases, 'follow' | 'liveId'> | undefined
}

export interface CdnUpload {
  /** Returns undefined if the CDN shows the live release. */
  delay(): CdnDelay | undefined
  start(log: FastifyBaseLogger, backoff?: Backoff): Loop
}

interface Backoff {
  first: number
  max: number
}

type UploadState = z.infer<typeof UploadState>
const UploadState = z.object({
  /** Id of the uploaded release. Empty while an upload is not complete. */
  release: z.string(),
  /** Time of the last release that was uploaded completely. */
  createdAt: z.optional(z.string()),
  /** Hash by key. Empty if an upload that was cut short may have changed the object. */
  files: z.record(z.string(), z.string()),
  /**
   * Keys of hashed files, newest version of the code first. Pages that are open in a browser load
   * older ones.
   */
  scripts: z.array(z.array(z.string()))
})

const STATE_KEY = '_uploaded.json'
const LOCK = 'cdn upload'
const INTERVAL = 2 * SECOND
const BACKOFF: Backoff = { first: 5 * SECOND, max: MINUTE }
const GRACE_PERIOD = 5 * SECOND
const CONCURRENCY = 8
const KEPT_VERSIONS = 5

/** Uploads each release that goes live to a public bucket or folder. */
export function createCdnUpload(deps: CdnDeps): CdnUpload {
  const { bucket, releases, shared, write } = deps
  let shown: UploadState | undefined
  let isBehind = false
  let problem: string | undefined
  let failures = 0
  let retryAt = -Infinity

  async function run(
    signal: AbortSignal,
    log: FastifyBaseLogger,
    { first, max }: Backoff
  ): Promise<void> {
    const live = await releases.current()
    isBehind = live !== undefined && shown?.release !== live.id
    if (!isBehind || performance.now() < retryAt) return
    try {
      await withLock(LOCK, { write, signal }, async lock => {
        // A node that is cut off from the others must not upload the older release that it still
        // shows.
        await shared?.follow()
        await releases.refresh()
        const release = await releases.current()
        const isLive = !shared || (await shared.liveId()) === release?.id
        shown = await loadState(bucket)
        if (!release || !isLive || shown.release === release.id) return
        const start = performance.now()
        const { state, count } = await upload(deps, release, shown, lock)
        shown = state
        log.info(
          `Uploaded ${count} files to the CDN in ${((performance.now() - start) / SECOND).toFixed(1)} s`
        )
      })
      isBehind = false
      problem = undefined
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      // The upload may have changed the bucket, also if the older release becomes live again.
      if (shown) shown = { ...shown, release: '' }
      const wait = Math.min(first * 2 ** failures++, max)
      retryAt = performance.now() + wait
      problem = oneLine(error)
      const shownRelease =
        shown?.createdAt === undefined ? 'an older release' : `the release of ${shown.createdAt}`
      log.warn(`The CDN still shows ${shownRelease}, retrying in ${wait / SECOND} s: ${problem}`)
    }
  }

  return {
    delay() {
      if (!isBehind) return undefined
      const shows = shown?.createdAt
      return { ...(shows !== undefined && { shows }), ...(problem !== undefined && { problem }) }
    },
    start: (log, backoff = BACKOFF) =>
      startLoop({
        interval: Math.min(INTERVAL, backoff.first),
        gracePeriod: GRACE_PERIOD,
        run: signal => run(signal, log, backoff),
        onError: error => log.warn({ err: error }, 'Checking the CDN failed')
      })
  }
}

async function upload(
  { bucket, isFolder }: CdnDeps,
  release: Release,
  last: UploadState,
  { signal, confirm }: Lock
): Promise<{ state: UploadState; count: number }> {
  const hashes = await hashFiles(release)
  const names = new Map([...hashes.keys()].map(name => [isFolder ? name : toObjectKey(name), name]))
  const files = Object.fromEntries([...names].map(([key, name]) => [key, hashes.get(name) ?? '']))
  const changed = [...names.keys()].filter(key => last.files[key] !== files[key])
  const own = [...names.keys()].filter(isHashed).sort()
  const scripts = [own, ...last.scripts.filter(keys => keys.join() !== own.join())].slice(
    0,
    KEPT_VERSIONS
  )
  const older = scripts.flat().filter(key => !(key in files))

  // Another process that has taken the lock saves what it uploads.
  const save = async (state: UploadState): Promise<void> => {
    await confirm()
    await bucket.put(STATE_KEY, Buffer.from(JSON.stringify(state)), {}, signal)
  }
  const kept = new Set([...names.keys(), ...older])
  const gone = Object.keys(last.files).filter(key => !kept.has(key))
  const unknown = Object.fromEntries([...changed, ...gone].map(key => [key, '']))
  await save({ ...last, release: '', files: { ...last.files, ...unknown } })
  const put = async (key: string): Promise<void> => {
    const name = names.get(key) ?? key
    const headers = { 'content-type': contentType(name), 'cache-control': cacheControl(name) }
    await bucket.put(key, await readFile(join(release.folder, name)), headers, signal)
  }
  // Pages follow their scripts, and what they no longer link to is deleted last.
  await inParallel(CONCURRENCY, changed.filter(isHashed), put)
  const others = changed.filter(key => !isHashed(key))
  await inParallel(CONCURRENCY, others, put)
  await inParallel(CONCURRENCY, gone, key => bucket.delete(key, signal))
  const olderFiles = Object.fromEntries(older.map(key => [key, last.files[key] ?? '']))
  const state = {
    release: release.id,
    createdAt: release.createdAt,
    files: { ...olderFiles, ...files },
    scripts
  }
  await save(state)
  await bucket.deleteTemporary()
  return { state, count: changed.length }
}

async function hashFiles({ folder, files }: Release): Promise<Map<string, string>> {
  const hashes = new Map(Object.entries(files).map(([name, { hash }]) => [name, hash]))
  for (const name of HOST_FILES) {
    const file = join(folder, name)
    if (existsSync(file)) hashes.set(name, hashContent(await readFile(file)))
  }
  return hashes
}

function toObjectKey(name: string): string {
  return isPage(name) && !['index.html', '404.html'].includes(name)
    ? name.slice(0, -'.html'.length)
    : name
}

function isHashed(key: string): boolean {
  return key.startsWith(HASHED_FOLDER)
}

async function loadState(bucket: ObjectStore): Promise<UploadState> {
  const text = (await bucket.read(STATE_KEY))?.toString()
  return text === undefined
    ? { release: '', files: {}, scripts: [] }
    : UploadState.parse(JSON.parse(text))
}

const HOOK_TIMEOUT = 10 * SECOND
const HOOK_BACKOFF = [SECOND, 5 * SECOND]

export async function callDeployHook(
  url: string,
  signal: AbortSignal,
  backoff = HOOK_BACKOFF
): Promise<void> {
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
