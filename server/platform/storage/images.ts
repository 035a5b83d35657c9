import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ERROR_STATUS, ShopError, type ErrorCode } from '#lib/errors.ts'
import { SECOND } from '#lib/time.ts'
import { createWorkerProcess, WorkerError } from '../process/worker-process.ts'
import type { EncodeTask } from './encode-picture.ts'

export interface StoredPicture {
  key: string
  width: number
  height: number
  color: string
}

export interface Images {
  /** Accepts JPEG, PNG, WebP and AVIF up to 24 megapixels. Throws ShopError UNSUPPORTED_PICTURE. */
  store(original: Buffer, name: string): Promise<StoredPicture>
}

const ENCODER = fileURLToPath(new URL('encode-picture.ts', import.meta.url))

/** A child process, so that its memory is freed when it ends, and the shop keeps running if a decoder crashes. */
const encoder = createWorkerProcess<EncodeTask, StoredPicture>(ENCODER, { idleTimeout: () => SECOND })

export function createImages(dataDir: string): Images {
  const folder = join(dataDir, 'assets')
  return { store: (original, name) => encoder.run({ folder, original, name }).catch(throwShopError) }
}

function throwShopError(error: unknown): never {
  const code = error instanceof WorkerError ? String(error.details['code']) : ''
  throw code in ERROR_STATUS ? new ShopError(code as ErrorCode) : error
}
