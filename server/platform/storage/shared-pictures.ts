import { LRUCache } from 'lru-cache'
import { mkdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DAY, MINUTE, SECOND } from '#lib/time.ts'
import type { Write } from '../db/write.ts'
import { withLock, type Lock } from '../jobs/leases.ts'
import { inParallel, shareRunning } from '../process/work-queue.ts'
import { writeAtomically } from './files.ts'
import { StoreError, UnreachableStoreError, type ObjectStore } from './object-store.ts'

// Security: matches no folders, hidden files and temporary files.
export const PICTURE_FILE = /^[A-Za-z0-9][A-Za-z0-9_-]*\.(?:avif|webp|jpg)$/
/** The names that `encode-picture.ts` makes. The store is not asked for others. */
const ENCODED_FILE = /^[a-z0-9][a-z0-9_-]{0,59}-[0-9a-f]{8}(?:-[1-9]\d{0,3}\.(?:avif|webp)|\.jpg)$/
export const PICTURE_TYPES: Record<string, string> = {
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg'
}
export const CACHE_FOREVER = `public, max-age=${(365 * DAY) / SECOND}, immutable`
export const PICTURES_PREFIX = 'pictures/'
export const PICTURES_LOCK = 'pictures'

const CONCURRENCY = 6
/** For which pictures the store is not asked again, and how long. */
const MEMORY = { max: 10_000, ttl: 5 * SECOND }
const LOCK_TIMEOUT = MINUTE
/** A browser loads few pictures at a time, so other requests would wait for a slow store too. */
const FETCH_TIMEOUT = 5 * SECOND
/**
 * For this time after the store did not answer, requests for missing pictures fail without a call
 * to it.
 */
const UNREACHABLE_LIFETIME = 2 * SECOND

export interface PictureFile {
  name: string
  /** Unix time in ms. */
  changedAt: number
}

/**
 * The pictures of all nodes, in a store. Each node keeps the files that it uses in its own folder.
 */
export interface SharedPictures {
  /**
   * Resolves when the store has confirmed all files. They count as new for the job that deletes
   * unused pictures. Throws StoreError, also if another node does not release the lock of the
   * pictures.
   */
  upload(key: string, names: readonly string[]): Promise<void>
  /** Like `upload`, for a shop that is not running. */
  put(names: readonly string[]): Promise<void>
  /**
   * Brings a file to this node, once for all simultaneous callers. Returns false if the store does
   * not have it.
   */
  fetch(name: string): Promise<boolean>
  list(prefix?: string): AsyncIterable<PictureFile>
  delete(name: string, signal: AbortSignal): Promise<void>
}

export function createSharedPictures(
  objects: ObjectStore,
  write: Write,
  dataDir: string,
  lockTimeout = LOCK_TIMEOUT
): SharedPictures {
  const folder = join(dataDir, 'assets')
  const fetching = new Map<string, Promise<boolean>>()
  const missing = new LRUCache<string, true>(MEMORY)
  /** Damaged pictures, and pictures that the disk did not take. */
  const failed = new LRUCache<string, { error: unknown }>(MEMORY)
  let unreachable: { error: UnreachableStoreError; until: number } | undefined

  async function fetchOnce(name: string): Promise<boolean> {
    try {
      const content = await objects.read(PICTURES_PREFIX + name)
      if (content === undefined) {
        missing.set(name, true)
        return false
      }
      await mkdir(folder, { recursive: true })
      await writeAtomically(join(folder, name), content)
      return true
    } catch (error) {
      if (!(error instanceof UnreachableStoreError)) failed.set(name, { error })
      throw error
    }
  }

  async function put(names: readonly string[], signal?: AbortSignal): Promise<void> {
    await inParallel(CONCURRENCY, names, async name => {
      const headers = {
        'content-type': PICTURE_TYPES[extname(name)] ?? '',
        'cache-control': CACHE_FOREVER
      }
      await objects.put(PICTURES_PREFIX + name, await readFile(join(folder, name)), headers, signal)
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
      const waiting = new AbortController()
      const timeout = new StoreError('Another node has kept the lock of the pictures for too long')
      const timer = setTimeout(() => waiting.abort(timeout), lockTimeout)
      const work = ({ signal }: Lock): Promise<void> => {
        clearTimeout(timer)
        return put(names, signal)
      }
      await withLock(PICTURES_LOCK, { write, signal: waiting.signal }, work).finally(() =>
        clearTimeout(timer)
      )
    },
    put,
    async fetch(name) {
      if (!ENCODED_FILE.test(name)) return false
      if (missing.has(name)) return false
      const failure = failed.get(name)
      if (failure) throw failure.error
      if (unreachable && performance.now() < unreachable.until) throw unreachable.error
      try {
        return await Promise.race([
          shareRunning(fetching, name, () => fetchOnce(name)),
          failLater()
        ])
      } catch (error) {
        if (error instanceof UnreachableStoreError) {
          unreachable = { error, until: performance.now() + UNREACHABLE_LIFETIME }
        }
        throw error
      }
    },
    list,
    delete: (name, signal) => objects.delete(PICTURES_PREFIX + name, signal)
  }
}

async function failLater(): Promise<never> {
  await sleep(FETCH_TIMEOUT, undefined, { ref: false })
  throw new UnreachableStoreError('The object store is too slow')
}
