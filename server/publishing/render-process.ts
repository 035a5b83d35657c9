import pLimit from 'p-limit'
import { MINUTE, SECOND } from '#lib/time.ts'
import type { Environment } from '../config.ts'
import {
  createWorkerProcess,
  WorkerError,
  type WorkerProcess
} from '../platform/process/worker-process.ts'
import { InvalidReleaseError } from './release/page.ts'
import type {
  OnProgress,
  ReleaseJob,
  ReleaseResult,
  RenderProgress
} from './release/make-release.ts'
import type { RenderTask } from './renderer.ts'
import {
  BuildError,
  clientFolder,
  findFailureReason,
  rendererFile,
  toChildEnvironment
} from './site-code.ts'

export interface RenderProcess {
  warm(code: string): void
  render(
    code: string,
    job: ReleaseJob,
    options: { signal: AbortSignal; onProgress: OnProgress }
  ): Promise<ReleaseResult>
  compressClientFiles(code: string, signal: AbortSignal): Promise<void>
  close(): void
}

type Renderer = WorkerProcess<RenderTask, ReleaseResult | undefined, RenderProgress>
type RunOptions = Parameters<Renderer['run']>[1]

/** Longer than IDLE_TIMEOUT, because after a small change another change is likely. */
const IDLE_TIMEOUT_AFTER_CHANGE = MINUTE
/** Rendering all pages takes much memory, which is freed when the process ends. */
const IDLE_TIMEOUT = 3 * SECOND

export function createRenderProcess(env: Environment): RenderProcess {
  const oneAtATime = pLimit(1)
  let current: { code: string; renderer: Renderer } | undefined
  let idleTimeout = IDLE_TIMEOUT

  function openRenderer(code: string): Renderer {
    if (current?.code === code) return current.renderer
    current?.renderer.close()
    const renderer: Renderer = createWorkerProcess(rendererFile(code), {
      env: { ...toChildEnvironment(env), NODE_ENV: 'production' },
      execArgv: ['--max-semi-space-size=16'],
      idleTimeout: () => idleTimeout
    })
    current = { code, renderer }
    return renderer
  }

  function run(
    code: string,
    task: RenderTask,
    options?: RunOptions
  ): Promise<ReleaseResult | undefined> {
    return oneAtATime(() => openRenderer(code).run(task, options)).catch(throwPublishError)
  }

  return {
    warm(code) {
      idleTimeout = IDLE_TIMEOUT_AFTER_CHANGE
      void run(code, { kind: 'warm' }).catch(() => undefined)
    },
    async render(code, job, options) {
      idleTimeout =
        job.rendersAll || job.lastFolder === undefined ? IDLE_TIMEOUT : IDLE_TIMEOUT_AFTER_CHANGE
      const result = await run(code, { kind: 'render', job }, options)
      if (!result) throw new BuildError('Rendering failed', '')
      return result
    },
    async compressClientFiles(code, signal) {
      await run(code, { kind: 'compress', folder: clientFolder(code) }, { signal })
    },
    close: () => current?.renderer.close()
  }
}

function throwPublishError(error: unknown): never {
  if (!(error instanceof WorkerError)) throw error
  const { problems, count } = error.details
  if (Array.isArray(problems)) throw new InvalidReleaseError(problems as string[], Number(count))
  const reason = error.output ? `: ${findFailureReason(error.output)}` : ''
  throw new BuildError(`Rendering failed: ${error.message}${reason}`, error.output)
}
