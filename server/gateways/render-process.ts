import { fork, type ChildProcess } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { MINUTE, SECOND } from '#lib/time.ts'
import type { Environment } from '../config.ts'
import { InvalidReleaseError } from '../release/check.ts'
import { clientFolder, rendererFile } from '../release/code-store.ts'
import type { ReleaseResult, Progress, ReleaseJob } from '../release/make-release.ts'
import { BuildError, childEnvironment, failureReason } from './site-builder.ts'

export interface RenderProcess {
  warm(code: string): void
  render(code: string, job: ReleaseJob, options: { signal: AbortSignal; progress: Progress }): Promise<ReleaseResult>
  pack(code: string, signal: AbortSignal): Promise<void>
  remove(code: string, folders: readonly string[]): Promise<void>
  close(): void
}

export type Task =
  | { kind: 'warm' }
  | { kind: 'render'; job: ReleaseJob }
  | { kind: 'pack'; folder: string }
  | { kind: 'remove'; folders: readonly string[] }

export type Message =
  | { kind: 'progress'; rendered: number; of: number }
  | { kind: 'made'; made: ReleaseResult }
  | { kind: 'done' }
  | { kind: 'invalid'; problems: readonly string[]; count: number }
  | { kind: 'failed'; reason: string }

type Result = Exclude<Message, { kind: 'progress' }>

interface Running {
  child: ChildProcess
  code: string
  output: string
}

/** After a small change another one is likely, so the process stays ready for longer. */
const IDLE_TIMEOUT_AFTER_CHANGE = MINUTE
const IDLE_TIMEOUT = 3 * SECOND
const MAX_OUTPUT = 32 * 1024

export function createRenderProcess(env: Environment, apiBase: string): RenderProcess {
  let running: Running | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let idleTimeout = IDLE_TIMEOUT
  let last: Promise<unknown> = Promise.resolve()

  function start(code: string): Running {
    const child = fork(rendererFile(code), {
      env: { ...childEnvironment(env), NODE_ENV: 'production', BUILD_API_BASE: apiBase },
      execArgv: ['--max-semi-space-size=4'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc']
    })
    const started: Running = { child, code, output: '' }
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        started.output = (started.output + text).slice(-MAX_OUTPUT)
      })
    }
    child.once('exit', () => {
      if (running === started) running = undefined
    })
    return started
  }

  function perform(code: string, task: Task, signal?: AbortSignal, progress?: Progress): Promise<Result> {
    const result = last.then(async () => {
      signal?.throwIfAborted()
      clearTimeout(idleTimer)
      if (running && running.code !== code) close()
      running ??= start(code)
      const result = await sendTask(running, task, signal, progress)
      const changed = result.kind === 'made' && result.made.state === 'made' && result.made.rendered < result.made.pages
      if (changed || task.kind === 'warm') idleTimeout = IDLE_TIMEOUT_AFTER_CHANGE
      else if (task.kind !== 'remove') idleTimeout = IDLE_TIMEOUT
      idleTimer = setTimeout(close, idleTimeout)
      idleTimer.unref()
      return result
    })
    last = result.catch(() => undefined)
    return result
  }

  function close(): void {
    clearTimeout(idleTimer)
    running?.child.kill('SIGKILL')
    running = undefined
  }

  return {
    warm: code => void perform(code, { kind: 'warm' }).catch(() => undefined),
    async render(code, job, { signal, progress }) {
      const result = await perform(code, { kind: 'render', job }, signal, progress)
      if (result.kind !== 'made') throw new BuildError('Rendering failed', '')
      return result.made
    },
    pack: async (code, signal) => void (await perform(code, { kind: 'pack', folder: clientFolder(code) }, signal)),
    remove: async (code, folders) => void (folders.length > 0 && (await perform(code, { kind: 'remove', folders }))),
    close
  }
}

function sendTask(running: Running, task: Task, signal?: AbortSignal, progress?: Progress): Promise<Result> {
  const { child } = running
  const ended = new AbortController()
  return new Promise<Result>((resolve, reject) => {
    const once = { signal: ended.signal }
    const stop = (): void => {
      // The next publish removes the unfinished release.
      child.kill('SIGKILL')
      reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', stop, once)
    const onMessage = (message: Message): void => {
      if (message.kind === 'progress') return progress?.(message.rendered, message.of)
      if (message.kind === 'invalid') return reject(new InvalidReleaseError(message.problems, message.count))
      if (message.kind === 'failed') return reject(toBuildError(message.reason, running))
      resolve(message)
    }
    const onExit = (code: number | null, killedBy: string | null): void =>
      reject(toBuildError(`the process exited (${killedBy ?? code})`, running))
    child.on('message', onMessage).once('exit', onExit).once('error', reject)
    ended.signal.addEventListener('abort', () =>
      child.off('message', onMessage).off('exit', onExit).off('error', reject)
    )
    child.send(task, error => error && reject(error))
  }).finally(() => ended.abort())
}

function toBuildError(reason: string, running: Running): BuildError {
  const output = stripVTControlCharacters(running.output).trim()
  const detail = output ? `: ${failureReason(output)}` : ''
  return new BuildError(`Rendering failed: ${reason}${detail}`, output)
}
