import { fork, type ChildProcess } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { MINUTE, SECOND } from '#lib/time.ts'
import type { Environment } from '../config.ts'
import { InvalidReleaseError } from './release/check.ts'
import { clientFolder, rendererFile } from './release/code-store.ts'
import type { ReleaseResult, Progress, ReleaseJob } from './release/make-release.ts'
import { BuildError, toChildEnvironment, findFailureReason } from './site-builder.ts'

export interface RenderProcess {
  warm(code: string): void
  render(code: string, job: ReleaseJob, options: { signal: AbortSignal; progress: Progress }): Promise<ReleaseResult>
  compressClientFiles(code: string, signal: AbortSignal): Promise<void>
  deleteFolders(code: string, folders: readonly string[]): Promise<void>
  close(): void
}

export type RenderTask =
  | { kind: 'warm' }
  | { kind: 'render'; job: ReleaseJob }
  | { kind: 'pack'; folder: string }
  | { kind: 'remove'; folders: readonly string[] }

export type RenderMessage =
  | { kind: 'progress'; rendered: number; total: number }
  | { kind: 'made'; made: ReleaseResult }
  | { kind: 'done' }
  | { kind: 'invalid'; problems: readonly string[]; count: number }
  | { kind: 'failed'; reason: string }

type Result = Exclude<RenderMessage, { kind: 'progress' }>

interface RunningProcess {
  child: ChildProcess
  code: string
  output: string
}

/** Longer than IDLE_TIMEOUT, because after a small change another change is likely. */
const IDLE_TIMEOUT_AFTER_CHANGE = MINUTE
const IDLE_TIMEOUT = 3 * SECOND
const MAX_OUTPUT = 32 * 1024

export function createRenderProcess(env: Environment, apiBase: string): RenderProcess {
  let running: RunningProcess | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let idleTimeout = IDLE_TIMEOUT
  let lastTask: Promise<unknown> = Promise.resolve()

  function start(code: string): RunningProcess {
    const child = fork(rendererFile(code), {
      env: { ...toChildEnvironment(env), NODE_ENV: 'production', BUILD_API_BASE: apiBase },
      execArgv: ['--max-semi-space-size=4'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc']
    })
    const newProcess: RunningProcess = { child, code, output: '' }
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        newProcess.output = (newProcess.output + text).slice(-MAX_OUTPUT)
      })
    }
    child.once('exit', () => {
      if (running === newProcess) running = undefined
    })
    return newProcess
  }

  function runTask(code: string, task: RenderTask, signal?: AbortSignal, progress?: Progress): Promise<Result> {
    const pending = lastTask.then(async () => {
      signal?.throwIfAborted()
      clearTimeout(idleTimer)
      if (running && running.code !== code) close()
      running ??= start(code)
      const result = await sendTask(running, task, signal, progress)
      const isSmallChange =
        result.kind === 'made' && result.made.state === 'made' && result.made.rendered < result.made.pages
      if (isSmallChange || task.kind === 'warm') idleTimeout = IDLE_TIMEOUT_AFTER_CHANGE
      else if (task.kind !== 'remove') idleTimeout = IDLE_TIMEOUT
      idleTimer = setTimeout(close, idleTimeout)
      idleTimer.unref()
      return result
    })
    lastTask = pending.catch(() => undefined)
    return pending
  }

  function close(): void {
    clearTimeout(idleTimer)
    running?.child.kill('SIGKILL')
    running = undefined
  }

  return {
    warm: code => void runTask(code, { kind: 'warm' }).catch(() => undefined),
    async render(code, job, { signal, progress }) {
      const result = await runTask(code, { kind: 'render', job }, signal, progress)
      if (result.kind !== 'made') throw new BuildError('Rendering failed', '')
      return result.made
    },
    compressClientFiles: async (code, signal) =>
      void (await runTask(code, { kind: 'pack', folder: clientFolder(code) }, signal)),
    deleteFolders: async (code, folders) =>
      void (folders.length > 0 && (await runTask(code, { kind: 'remove', folders }))),
    close
  }
}

function sendTask(
  running: RunningProcess,
  task: RenderTask,
  signal?: AbortSignal,
  progress?: Progress
): Promise<Result> {
  const { child } = running
  const listening = new AbortController()
  return new Promise<Result>((resolve, reject) => {
    const listenerOptions = { signal: listening.signal }
    const stop = (): void => {
      // The unfinished release remains on disk. The next publish deletes it.
      child.kill('SIGKILL')
      reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', stop, listenerOptions)
    const onMessage = (message: RenderMessage): void => {
      if (message.kind === 'progress') return progress?.(message.rendered, message.total)
      if (message.kind === 'invalid') return reject(new InvalidReleaseError(message.problems, message.count))
      if (message.kind === 'failed') return reject(toBuildError(message.reason, running))
      resolve(message)
    }
    const onExit = (code: number | null, killedBy: string | null): void =>
      reject(toBuildError(`the process exited (${killedBy ?? code})`, running))
    child.on('message', onMessage).once('exit', onExit).once('error', reject)
    listening.signal.addEventListener('abort', () =>
      child.off('message', onMessage).off('exit', onExit).off('error', reject)
    )
    child.send(task, error => error && reject(error))
  }).finally(() => listening.abort())
}

function toBuildError(reason: string, running: RunningProcess): BuildError {
  const output = stripVTControlCharacters(running.output).trim()
  const detail = output ? `: ${findFailureReason(output)}` : ''
  return new BuildError(`Rendering failed: ${reason}${detail}`, output)
}
