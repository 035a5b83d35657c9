import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import { ERRORS } from '#lib/error-catalogue.ts'
import { ShopError, type ErrorCode } from '#lib/errors.ts'
import { listPictureFiles } from '#lib/images.ts'
import { DAY, MINUTE, SECOND } from '#lib/time.ts'
import type { Write } from '../db/write.ts'
import { withLock } from '../process/jobs.ts'
import { inParallel } from '../process/work-queue.ts'
import { createWorkerProcess, WorkerError } from '../process/worker-process.ts'
import type { EncodeTask } from './encode-picture.ts'
import { listFiles } from './files.ts'
import type { ObjectStore } from './object-store.ts'

// Security: matches no folders, hidden files and temporary files.
export const PICTURE_FILE = /^[A-Za-z0-9][A-Za-z0-9_-]*\.(?:avif|webp|jpg)$/
export const PICTURE_TYPES: Record<string, string> = {
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg'
}
export const CACHE_FOREVER = `public, max-age=${(365 * DAY) / SECOND}, immutable`
export const PICTURES_PREFIX = 'assets/'
export const PICTURES_LOCK = 'pictures'

const UPLOAD_CONCURRENCY = 6

export interface StoredPicture {
  key: string
  width: number
  height: number
  color: string
}

export interface Images {
  store(original: Buffer, name: string): Promise<StoredPicture>
}

const ENCODER = fileURLToPath(new URL('encode-picture.ts', import.meta.url))

/** A child process, whose memory is freed, and in which a decoder may crash. */
const encoder = createWorkerProcess<EncodeTask, StoredPicture>(ENCODER, {
  idleTimeout: () => SECOND
})

/** `deps` are absent while the shop does not run yet. */
export function createImages(
  dataDir: string,
  deps?: { objects: ObjectStore | undefined; write: Write }
): Images {
  const folder = join(dataDir, PICTURES_PREFIX)
  const oneByOne = pLimit(1)
  return {
    async store(original, name) {
      const encode = (): Promise<StoredPicture> =>
        encoder.run({ folder, original, name }).catch(throwShopError)
      const picture = await encode()
      if (!deps) return picture
      const { objects, write } = deps
      // The same picture may have been deleted as unused during the encoding. Deletions hold the
      // lock, and spare files that are new when they begin.
      const complete = async () => {
        const names = listPictureFiles(picture.key, picture.width)
        const stored = new Set(await listFiles(folder))
        if (!names.every(file => stored.has(file))) await encode()
        if (objects) await uploadPictures(objects, dataDir, names)
      }
      const lockOptions = { write, signal: AbortSignal.timeout(MINUTE) }
      await oneByOne(() => withLock(PICTURES_LOCK, lockOptions, complete))
      return picture
    }
  }
}

export async function uploadPictures(
  objects: ObjectStore,
  dataDir: string,
  names: readonly string[]
): Promise<void> {
  await inParallel(UPLOAD_CONCURRENCY, names, async name =>
    putPicture(objects, name, await readFile(join(dataDir, PICTURES_PREFIX, name)))
  )
}

export function putPicture(objects: ObjectStore, name: string, content: Buffer): Promise<void> {
  return objects.put(PICTURES_PREFIX + name, content, {
    'content-type': PICTURE_TYPES[extname(name)] ?? '',
    'cache-control': CACHE_FOREVER
  })
}

function throwShopError(error: unknown): never {
  const code = error instanceof WorkerError ? String(error.details['code']) : ''
  throw code in ERRORS ? new ShopError(code as ErrorCode) : error
}
