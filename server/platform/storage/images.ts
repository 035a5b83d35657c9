import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listPictureFiles } from '#lib/images.ts'
import { ERROR_STATUS, ShopError, type ErrorCode } from '#lib/errors.ts'
import { SECOND } from '#lib/time.ts'
import { createWorkerProcess, WorkerError } from '../process/worker-process.ts'
import type { EncodeTask } from './encode-picture.ts'
import type { SharedPictures } from './shared-pictures.ts'

export interface StoredPicture {
  key: string
  width: number
  height: number
  color: string
}

export interface Images {
  /** JPEG, PNG, WebP, AVIF up to 24 megapixels. Throws UNSUPPORTED_PICTURE, StoreError. */
  store(original: Buffer, name: string): Promise<StoredPicture>
}

const ENCODER = fileURLToPath(new URL('encode-picture.ts', import.meta.url))

/** A child process, whose memory is freed, and in which a decoder may crash. */
const encoder = createWorkerProcess<EncodeTask, StoredPicture>(ENCODER, {
  idleTimeout: () => SECOND
})

export function createImages(dataDir: string, shared?: SharedPictures): Images {
  const folder = join(dataDir, 'assets')
  return {
    async store(original, name) {
      const picture = await encoder.run({ folder, original, name }).catch(throwShopError)
      await shared?.upload(picture.key, listPictureFiles(picture.key, picture.width))
      return picture
    }
  }
}

function throwShopError(error: unknown): never {
  const code = error instanceof WorkerError ? String(error.details['code']) : ''
  throw code in ERROR_STATUS ? new ShopError(code as ErrorCode) : error
}
