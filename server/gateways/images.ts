import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ERRORS, ShopError, type ErrorCode } from '#lib/errors.ts'
import { SECOND } from '#lib/time.ts'
import type { PressOrder, PressReply } from './image-process.ts'

export interface KeptPicture {
  /** The picture's name and the start of its content's hash. */
  key: string
  /** Of the original as it is looked at, in pixels. */
  width: number
  height: number
  /** The average colour: '#c08a3e'. */
  color: string
}

export interface Images {
  /**
   * Makes every form in which pages ask for the picture, those that are there already excepted. Throws ShopError
   * UNSUPPORTED_PICTURE for what is no JPEG, PNG, WebP or AVIF or has more than 24 megapixels.
   */
  keep(original: Buffer, name: string): Promise<KeptPicture>
}

interface Waiting {
  resolve(kept: KeptPicture): void
  reject(error: Error): void
}

/** How long the process waits for another picture before it ends. */
const IDLE = SECOND
const PROCESS = fileURLToPath(new URL('image-process.ts', import.meta.url))

/**
 * Keeps pictures in `<dataDir>/assets`, under names that change with the content. They are made by a process of their
 * own: the memory it takes goes with it, and a file made to break a decoder breaks no shop.
 */
export function createImages(dataDir: string): Images {
  const folder = join(dataDir, 'assets')
  const waiting = new Map<number, Waiting>()
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  function start(): ChildProcess {
    const started = fork(PROCESS, { execArgv: ['--import', loader()], serialization: 'advanced' })
    started.on('message', (reply: PressReply) => settle(reply))
    started.on('error', fail)
    started.on('exit', () => {
      if (child === started) fail(new Error('The process that makes pictures ended'))
    })
    return started
  }

  function fail(error: Error): void {
    child = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  function settle(reply: PressReply): void {
    const order = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('kept' in reply) order?.resolve(reply.kept)
    else order?.reject(failure(reply))
    if (waiting.size === 0) idle = setTimeout(rest, IDLE)
  }

  function rest(): void {
    const resting = child
    child = undefined
    if (resting?.connected) resting.disconnect()
  }

  return {
    keep: (original, name) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle)
        child ??= start()
        const id = ++lastId
        waiting.set(id, { resolve, reject })
        child.send({ id, folder, original, name } satisfies PressOrder)
      })
  }
}

function failure({ code, message }: { code: string; message: string }): Error {
  if (code in ERRORS) return new ShopError(code as ErrorCode)
  return Object.assign(new Error(message), { code })
}

// Found from here and not from the folder the shop was started in.
function loader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
}
