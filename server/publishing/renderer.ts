import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Renderer } from '#lib/renderer.ts'
import { SECOND } from '#lib/time.ts'
import { createWorkerProcess, serveTasks, type WorkerProcess } from '../platform/process/worker-process.ts'
import { compressFolder } from './release/files.ts'
import { finishFile, type FinishedFile, type RenderedFile } from './release/finish-file.ts'
import {
  makeRelease,
  type OnProgress,
  type ReleaseJob,
  type ReleaseResult,
  type RenderProgress
} from './release/make-release.ts'

export type RenderTask =
  | { kind: 'warm' }
  | { kind: 'render'; job: ReleaseJob }
  | { kind: 'compress'; folder: string }
  | { kind: 'delete'; folders: readonly string[] }
  | { kind: 'finish'; rendered: RenderedFile }

const ENTRY = './entry.mjs'
const PROGRESS_INTERVAL_MS = 100
const HELPER_IDLE_TIMEOUT = SECOND

/** Runs this file too, so that rendering and compressing use two processors. */
let helper: WorkerProcess<RenderTask, FinishedFile, never> | undefined

/** Runs in the render process, which also does the other work that needs much memory or CPU. */
serveTasks<RenderTask, ReleaseResult | FinishedFile | undefined, RenderProgress>(async (task, report) => {
  switch (task.kind) {
    case 'warm':
      await loadRenderer()
      return undefined
    case 'render':
      return makeRelease(await loadRenderer(), task.job, throttle(report), finishInHelper)
    case 'compress':
      await compressFolder(task.folder)
      return undefined
    case 'delete':
      for (const folder of task.folders) rmSync(folder, { recursive: true, force: true })
      return undefined
    case 'finish':
      return finishFile(task.rendered)
  }
})

function finishInHelper(rendered: RenderedFile): Promise<FinishedFile> {
  helper ??= createWorkerProcess(fileURLToPath(import.meta.url), {
    idleTimeout: () => HELPER_IDLE_TIMEOUT,
    execArgv: process.execArgv
  })
  return helper.run({ kind: 'finish', rendered })
}

async function loadRenderer(): Promise<Renderer> {
  const { renderer } = (await import(new URL(ENTRY, import.meta.url).href)) as { renderer: Renderer }
  return renderer
}

function throttle(report: OnProgress): OnProgress {
  let reportedAt = -Infinity
  return progress => {
    const now = performance.now()
    if (now < reportedAt + PROGRESS_INTERVAL_MS && progress.rendered < progress.of) return
    reportedAt = now
    report(progress)
  }
}
