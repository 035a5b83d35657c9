import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Renderer, SiteSource } from '#lib/renderer.ts'
import { SECOND } from '#lib/time.ts'
import {
  createWorkerProcess,
  serveTasks,
  type WorkerProcess
} from '../platform/process/worker-process.ts'
import { compressFolder } from './release/files.ts'
import {
  makeRelease,
  type OpenHelper,
  type ReleaseJob,
  type ReleaseResult,
  type RenderProgress
} from './release/make-release.ts'
import { renderFile, type FileToRender, type RenderedFile } from './release/page.ts'

export type RenderTask =
  | { kind: 'warm' }
  | { kind: 'render'; job: ReleaseJob }
  | { kind: 'compress'; folder: string }
  | { kind: 'open'; source: SiteSource }
  | { kind: 'file'; file: FileToRender }

const ENTRY = './entry.mjs'
const HELPER_IDLE_TIMEOUT = SECOND

/** Runs this file too, with the tasks `open` and `file`, so that two processors render. */
let helper: WorkerProcess<RenderTask, RenderedFile | undefined, never> | undefined

serveTasks<RenderTask, ReleaseResult | RenderedFile | undefined, RenderProgress>(
  async (task, report) => {
    switch (task.kind) {
      case 'warm':
        await loadRenderer()
        return undefined
      case 'render':
        return makeRelease(
          await loadRenderer(),
          task.job,
          report,
          availableParallelism() > 1 ? openHelper : undefined
        )
      case 'compress':
        await compressFolder(task.folder)
        return undefined
      case 'open':
        ;(await loadRenderer()).open(task.source)
        return undefined
      case 'file':
        return renderFile(await loadRenderer(), task.file)
    }
  }
)

const openHelper: OpenHelper = source => {
  const { run } = (helper ??= createWorkerProcess(fileURLToPath(import.meta.url), {
    idleTimeout: () => HELPER_IDLE_TIMEOUT,
    execArgv: process.execArgv
  }))
  const opened = run({ kind: 'open', source })
  return async file => {
    await opened
    return run({ kind: 'file', file })
  }
}

async function loadRenderer(): Promise<Renderer> {
  const { renderer } = (await import(new URL(ENTRY, import.meta.url).href)) as {
    renderer: Renderer
  }
  return renderer
}
