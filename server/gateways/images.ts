import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ERRORS, ShopError, type ErrorCode } from '#lib/errors.ts'
import { SECOND } from '#lib/time.ts'
import type { EncodeRequest, EncodeReply } from './image-process.ts'

export interface StoredPicture {
  /** Name plus the start of the content's hash. */
  key: string
  /** Pixels of the original after rotation. */
  width: number
  height: number
  /** Average colour, such as '#c08a3e'. */
  color: string
}

export interface Images {
  /**
   * Writes the missing variants of a JPEG, PNG, WebP or AVIF of at most 24 megapixels. Throws ShopError
   * UNSUPPORTED_PICTURE.
   */
  store(original: Buffer, name: string): Promise<StoredPicture>
}

interface PendingPicture {
  resolve(picture: StoredPicture): void
  reject(error: Error): void
}

const IDLE_TIMEOUT = SECOND
const PROCESS = fileURLToPath(new URL('image-process.ts', import.meta.url))

/**
 * Stores pictures in `<dataDir>/assets` under content-hashed names. A child process encodes them: its memory is returned
 * when it ends, and a decoder that crashes does not stop the shop.
 */
export function createImages(dataDir: string): Images {
  const folder = join(dataDir, 'assets')
  const pending = new Map<number, PendingPicture>()
  let child: ChildProcess | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let lastId = 0

  function start(): ChildProcess {
    const started = fork(PROCESS, { execArgv: ['--import', resolveTsx()], serialization: 'advanced' })
    started.on('message', (reply: EncodeReply) => handleReply(reply))
    started.on('error', fail)
    started.on('exit', () => {
      if (child === started) fail(new Error('The picture process exited'))
    })
    return started
  }

  function fail(error: Error): void {
    child = undefined
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }

  function handleReply(reply: EncodeReply): void {
    const request = pending.get(reply.id)
    pending.delete(reply.id)
    if ('picture' in reply) request?.resolve(reply.picture)
    else request?.reject(toError(reply))
    if (pending.size === 0) idleTimer = setTimeout(stop, IDLE_TIMEOUT)
  }

  function stop(): void {
    const resting = child
    child = undefined
    if (resting?.connected) resting.disconnect()
  }

  return {
    store: (original, name) =>
      new Promise((resolve, reject) => {
        clearTimeout(idleTimer)
        child ??= start()
        const id = ++lastId
        pending.set(id, { resolve, reject })
        child.send({ id, folder, original, name } satisfies EncodeRequest)
      })
  }
}

function toError({ code, message }: { code: string; message: string }): Error {
  if (code in ERRORS) return new ShopError(code as ErrorCode)
  return Object.assign(new Error(message), { code })
}

// Resolved from this file, not from the working directory.
function resolveTsx(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
}
