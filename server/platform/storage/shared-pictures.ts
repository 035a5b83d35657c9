import { LRUCache } from 'lru-cache'
import { mkdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DAY, MINUTE, SECOND } from '#lib/time.ts'
import type { Write } from '../db/write.ts'
import { withLock } from '../jobs/leases.ts'
import { inParallel } from '../process/work-queue.ts'
import { writeAtomically } from './files.ts'
import { StoreError, type ObjectStore } from './object-store.ts'

// Security: matches only file names that the picture gateway creates. Folders, hidden files and temporary files do not
// match.
export const PICTURE_FILE = /^[A-Za-z0-9][A-Za-z0-9_-]*\.(?:avif|webp|jpg)$/
export const PICTURE_TYPES: Record<string, string> = {
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg'
}
export const CACHE_FOREVER = `public, max-age=${(365 * DAY) / SECOND}, immutable`
export const PICTURES_PREFIX = 'pictures/'
/** Name of the lock under which pictures in the store are deleted or replaced. */
export const PICTURES_LOCK = 'pictures'

const CONCURRENCY = 6
/** How long the store is not asked again for a picture that it does not have. */
const MISSING_LIFETIME = 5 * SECOND
const MAX_MISSING = 10_000
const LOCK_TIMEOUT = MINUTE
/** A browser loads few pictures at a time, so other requests would wait for a slow store too. */
const FETCH_TIMEOUT = 5 * SECOND
/** For this time after a failure, requests for missing pictures fail without a call to the store. */
const FAILURE_LIFETIME = 2 * SECOND

export interface PictureFile {
  name: string
  /** Unix time in ms. */
  changedAt: number
}

/** The pictures of all machines, in a store. Each machine keeps the files that it uses in its own folder. */
export interface SharedPictures {
  /** Resolves when the store has confirmed all files. They count as new for the job that deletes unused pictures. */
  upload(key: string, names: readonly string[]): Promise<void>
  /** Like `upload`, for a shop that is not running. */
  put(names: readonly string[]): Promise<void>
  /** Brings a file to this machine, once for all simultaneous callers. Returns false if the store does not have it. */
  fetch(name: string): Promise<boolean>
  list(prefix?: string): AsyncIterable<PictureFile>
  delete(name: string): Promise<void>
}

export function createSharedPictures(objects: ObjectStore, write: Write, dataDir: string): SharedPictures {
  const folder = join(dataDir, 'assets')
  const fetching = new Map<string, Promise<boolean>>()
  const missing = new LRUCache<string, true>({ max: MAX_MISSING, ttl: MISSING_LIFETIME })
  let failure: { error: unknown; until: number } | undefined

  async function fetchOnce(name: string): Promise<boolean> {
    const content = await objects.read(PICTURES_PREFIX + name)
    if (content === undefined) {
      missing.set(name, true)
      return false
    }
    await mkdir(folder, { recursive: true })
    await writeAtomically(join(folder, name), content)
    return true
  }

  async function put(names: readonly string[]): Promise<void> {
    await inParallel(CONCURRENCY, names, async name => {
      const headers = { 'content-type': PICTURE_TYPES[extname(name)] ?? '', 'cache-control': CACHE_FOREVER }
      await objects.put(PICTURES_PREFIX + name, await readFile(join(folder, name)), headers)
    })
  }

  async function* list(prefix = ''): AsyncGenerator<PictureFile> {
    for await (const { key, changedAt } of objects.list(PICTURES_PREFIX + prefix)) {
      yield { name: key.slice(PICTURES_PREFIX.length), changedAt }
    }
  }

  async function hasSome(key: string): Promise<boolean> {
    for await (const _file of list(key)) return true
    return false
  }

  return {
    async upload(key, names) {
      if (!(await hasSome(key))) return put(names)
      // Another node may be deleting this picture as unused. The lock makes one wait for the other.
      const options = { write, signal: AbortSignal.timeout(LOCK_TIMEOUT), onWait: () => undefined }
      await withLock(PICTURES_LOCK, options, () => put(names))
    },
    put,
    async fetch(name) {
      if (missing.has(name)) return false
      if (failure && performance.now() < failure.until) throw failure.error
      const running = fetching.get(name) ?? fetchOnce(name).finally(() => fetching.delete(name))
      fetching.set(name, running)
      try {
        return await Promise.race([running, failLater()])
      } catch (error) {
        failure = { error, until: performance.now() + FAILURE_LIFETIME }
        throw error
      }
    },
    list,
    delete: name => objects.delete(PICTURES_PREFIX + name)
  }
}

async function failLater(): Promise<never> {
  await sleep(FETCH_TIMEOUT, undefined, { ref: false })
  throw new StoreError('The object store is too slow')
}
