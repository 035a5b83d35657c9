import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ERRORS } from '#lib/error-catalogue.ts'
import { ShopError, type ErrorCode } from '#lib/errors.ts'
import { listPictureFiles } from '#lib/images.ts'
import { DAY, MINUTE, SECOND } from '#lib/time.ts'
import type { Write } from '../db/write.ts'
import { withLock } from '../process/jobs.ts'
import { inParallel } from '../process/work-queue.ts'
import { createWorkerProcess, WorkerError } from '../process/worker-process.ts'
import type { EncodeTask } from './encode-picture.ts'
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

export function createImages(
  dataDir: string,
  shared?: { objects: ObjectStore; write: Write }
): Images {
  const folder = join(dataDir, PICTURES_PREFIX)
  return {
    async store(original, name) {
      const picture = await encoder.run({ folder, original, name }).catch(throwShopError)
      if (!shared) return picture
      const { objects, write } = shared
      const names = listPictureFiles(picture.key, picture.width)
      const upload = (): Promise<void> => uploadPictures(objects, dataDir, names)
      // Another node may be deleting this picture as unused. The lock makes one wait for the other.
      if (await isStored(objects, picture.key))
        await withLock(PICTURES_LOCK, { write, signal: AbortSignal.timeout(MINUTE) }, upload)
      else await upload()
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

async function isStored(objects: ObjectStore, key: string): Promise<boolean> {
  for await (const _file of objects.list(PICTURES_PREFIX + key)) return true
  return false
}

function throwShopError(error: unknown): never {
  const code = error instanceof WorkerError ? String(error.details['code']) : ''
  throw code in ERRORS ? new ShopError(code as ErrorCode) : error
}
