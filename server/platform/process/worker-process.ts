import { fork, type ChildProcess, type ForkOptions } from 'node:child_process'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { oneLine } from './command.ts'

const MAX_OUTPUT = 32 * 1024

interface RunOptions<Progress> {
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
}

export interface WorkerProcess<Task, Result, Progress> {
  run(task: Task, options?: RunOptions<Progress>): Promise<Result>
  close(): void
}

interface WorkerOptions extends Pick<ForkOptions, 'env' | 'execArgv'> {
  /** In ms. The process ends if it gets no task for this time. */
  idleTimeout: () => number
}

export class WorkerError extends Error {
  override readonly name = 'WorkerError'
  readonly details: Readonly<Record<string, unknown>>
  readonly output: string

  constructor(message: string, details: Record<string, unknown>, output: string) {
    super(message)
    this.details = details
    this.output = stripVTControlCharacters(output).trim()
  }
}

interface Waiting<Result, Progress> {
  resolve(result: Result): void
  reject(error: Error): void
  onProgress: ((progress: Progress) => void) | undefined
}

interface Running<Result, Progress> {
  child: ChildProcess
  waiting: Map<number, Waiting<Result, Progress>>
}

type Reply<Result, Progress> = { id: number } & (
  | { result: Result }
  | { progress: Progress }
  | { failure: Record<string, unknown> & { message: string } }
)

/** Started by the first task. `file` must call `serveTasks`. */
export function createWorkerProcess<Task, Result, Progress = never>(
  file: string,
  { idleTimeout, env, execArgv = [] }: WorkerOptions
): WorkerProcess<Task, Result, Progress> {
  let running: Running<Result, Progress> | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let lastId = 0

  function start(): Running<Result, Progress> {
    const child = fork(file, {
      ...(env && { env }),
      execArgv: file.endsWith('.ts') ? ['--import', findTsx(), ...execArgv] : execArgv,
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc']
    })
    const started: Running<Result, Progress> = { child, waiting: new Map() }
    let output = ''
    const fail = (error: Error) => {
      if (running === started) running = undefined
      for (const { reject } of started.waiting.values()) reject(error)
    }
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-MAX_OUTPUT)
      })
    }
    child.on('message', (reply: Reply<Result, Progress>) => {
      const task = started.waiting.get(reply.id)
      if ('progress' in reply) task?.onProgress?.(reply.progress)
      else if ('result' in reply) task?.resolve(reply.result)
      else task?.reject(new WorkerError(reply.failure.message, reply.failure, output))
    })
    child.once('error', fail)
    child.once('exit', (code, killedBy) =>
      fail(new WorkerError(`the process exited (${killedBy ?? code})`, {}, output))
    )
    return started
  }

  function close() {
    clearTimeout(idleTimer)
    running?.child.kill('SIGKILL')
    running = undefined
  }

  return {
    close,
    async run(task, { signal, onProgress } = {}) {
      signal?.throwIfAborted()
      clearTimeout(idleTimer)
      const target = (running ??= start())
      const { child, waiting } = target
      const id = ++lastId
      const listening = new AbortController()
      try {
        return await new Promise<Result>((resolve, reject) => {
          waiting.set(id, { resolve, reject, onProgress })
          const stop = () => {
            if (running === target) running = undefined
            child.kill('SIGKILL')
            reject(signal?.reason as Error)
          }
          signal?.addEventListener('abort', stop, { signal: listening.signal })
          child.send({ id, task }, error => error && reject(error))
        })
      } finally {
        listening.abort()
        waiting.delete(id)
        if (running === target && waiting.size === 0)
          idleTimer = setTimeout(close, idleTimeout()).unref()
      }
    }
  }
}

export function serveTasks<Task, Result, Progress = never>(
  run: (task: Task, report: (progress: Progress) => void) => Promise<Result>
): void {
  const send = (reply: Reply<Result, Progress>) => void process.send?.(reply)
  process.on('message', ({ id, task }: { id: number; task: Task }) => {
    void run(task, progress => send({ id, progress })).then(
      result => send({ id, result }),
      (error: unknown) => send({ id, failure: { ...(error as object), message: oneLine(error) } })
    )
  })
  process.on('disconnect', () => process.exit())
}

function findTsx() {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
}
