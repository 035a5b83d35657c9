import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ERRORS, ShopError, type ErrorCode } from '#lib/errors.ts'
import { SECOND } from '#lib/time.ts'
import type { EncodeRequest, EncodeReply } from './image-process.ts'

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

interface PendingPicture {
  resolve(picture: StoredPicture): void
  reject(error: Error): void
}

const IDLE_TIMEOUT = SECOND
const PROCESS_FILE = fileURLToPath(new URL('image-process.ts', import.meta.url))

/** Encodes in a child process. Its memory is freed when it ends, and if a decoder crashes, the shop keeps running. */
export function createImages(dataDir: string): Images {
  const folder = join(dataDir, 'assets')
  const pending = new Map<number, PendingPicture>()
  let child: ChildProcess | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let lastId = 0

  function start(): ChildProcess {
    const newChild = fork(PROCESS_FILE, { execArgv: ['--import', resolveTsx()], serialization: 'advanced' })
    newChild.on('message', (reply: EncodeReply) => handleReply(reply))
    newChild.on('error', fail)
    newChild.on('exit', () => {
      if (child === newChild) fail(new Error('The picture process exited'))
    })
    return newChild
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
    const idleChild = child
    child = undefined
    if (idleChild?.connected) idleChild.disconnect()
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

function resolveTsx(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
}
