import { fork, type ChildProcess } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { MINUTE, SECOND } from '#lib/time.ts'
import type { Environment } from '../config.ts'
import { UnfitError } from '../release/check.ts'
import { clientOf, processOf } from '../release/code-store.ts'
import type { Made, Progress, ReleaseJob } from '../release/make-release.ts'
import { BuildError, passedOn, reasonIn } from './site-builder.ts'

/** Makes releases, in a process of its own whose memory goes with it. */
export interface RenderProcess {
  /** Starts the process, if there is none, for a render that is about to come. `code` is the folder of the built code. */
  warm(code: string): void
  /** See `makeRelease`. Throws UnfitError, BuildError, or the signal's reason. */
  render(code: string, job: ReleaseJob, options: { signal: AbortSignal; progress: Progress }): Promise<Made>
  /** See `packFiles`. */
  pack(code: string, signal: AbortSignal): Promise<void>
  remove(code: string, folders: readonly string[]): Promise<void>
  close(): void
}

/** What the process is told. */
export type Task =
  | { kind: 'warm' }
  | { kind: 'render'; job: ReleaseJob }
  | { kind: 'pack'; folder: string }
  | { kind: 'remove'; folders: readonly string[] }

/** What it says. */
export type Answer =
  | { kind: 'progress'; rendered: number; of: number }
  | { kind: 'made'; made: Made }
  | { kind: 'done' }
  | { kind: 'unfit'; problems: readonly string[]; count: number }
  | { kind: 'failed'; reason: string }

type Result = Exclude<Answer, { kind: 'progress' }>

interface Running {
  child: ChildProcess
  code: string
  said: string
}

/** Who changes one thing soon changes the next, and then finds the process ready. */
const KEPT_AFTER_CHANGE = MINUTE
const KEPT_OTHERWISE = 3 * SECOND
const KEPT_OUTPUT = 32 * 1024

/** `apiBase` is where pages read their data. */
export function createRenderProcess(env: Environment, apiBase: string): RenderProcess {
  let running: Running | undefined
  let idle: NodeJS.Timeout | undefined
  let kept = KEPT_OTHERWISE
  let last: Promise<unknown> = Promise.resolve()

  function start(code: string): Running {
    const child = fork(processOf(code), {
      env: { ...passedOn(env), NODE_ENV: 'production', BUILD_API_BASE: apiBase },
      execArgv: ['--max-semi-space-size=4'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc']
    })
    const started: Running = { child, code, said: '' }
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        started.said = (started.said + text).slice(-KEPT_OUTPUT)
      })
    }
    child.once('exit', () => {
      if (running === started) running = undefined
    })
    return started
  }

  /** One task at a time; a process that has loaded other code makes room. */
  function perform(code: string, task: Task, signal?: AbortSignal, progress?: Progress): Promise<Result> {
    const turn = last.then(async () => {
      signal?.throwIfAborted()
      clearTimeout(idle)
      if (running && running.code !== code) close()
      running ??= start(code)
      const result = await ask(running, task, signal, progress)
      const changed = result.kind === 'made' && result.made.state === 'made' && result.made.rendered < result.made.pages
      if (changed || task.kind === 'warm') kept = KEPT_AFTER_CHANGE
      else if (task.kind !== 'remove') kept = KEPT_OTHERWISE
      idle = setTimeout(close, kept)
      idle.unref()
      return result
    })
    last = turn.catch(() => undefined)
    return turn
  }

  function close(): void {
    clearTimeout(idle)
    running?.child.kill('SIGKILL')
    running = undefined
  }

  return {
    warm: code => void perform(code, { kind: 'warm' }).catch(() => undefined),
    async render(code, job, { signal, progress }) {
      const result = await perform(code, { kind: 'render', job }, signal, progress)
      if (result.kind !== 'made') throw new BuildError('The pages could not be rendered', '')
      return result.made
    },
    pack: async (code, signal) => void (await perform(code, { kind: 'pack', folder: clientOf(code) }, signal)),
    remove: async (code, folders) => void (folders.length > 0 && (await perform(code, { kind: 'remove', folders }))),
    close
  }
}

function ask(running: Running, task: Task, signal?: AbortSignal, progress?: Progress): Promise<Result> {
  const { child } = running
  const ended = new AbortController()
  return new Promise<Result>((resolve, reject) => {
    const once = { signal: ended.signal }
    const stop = (): void => {
      // What it has half made is cleared away by the next publish.
      child.kill('SIGKILL')
      reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', stop, once)
    const hear = (answer: Answer): void => {
      if (answer.kind === 'progress') return progress?.(answer.rendered, answer.of)
      if (answer.kind === 'unfit') return reject(new UnfitError(answer.problems, answer.count))
      if (answer.kind === 'failed') return reject(failed(answer.reason, running))
      resolve(answer)
    }
    const end = (code: number | null, by: string | null): void => reject(failed(`it ended (${by ?? code})`, running))
    child.on('message', hear).once('exit', end).once('error', reject)
    ended.signal.addEventListener('abort', () => child.off('message', hear).off('exit', end).off('error', reject))
    child.send(task, error => error && reject(error))
  }).finally(() => ended.abort())
}

function failed(reason: string, { said }: Running): BuildError {
  const output = stripVTControlCharacters(said).trim()
  const detail = output ? `: ${reasonIn(output)}` : ''
  return new BuildError(`The pages could not be rendered: ${reason}${detail}`, output)
}
