import { rmSync } from 'node:fs'
import type { Renderer } from '#lib/renderer.ts'
import { serveTasks } from '../platform/process/worker-process.ts'
import { compressFolder } from './release/files.ts'
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

const ENTRY = './entry.mjs'
const PROGRESS_INTERVAL_MS = 100

/** Runs in the render process, which also does the other work that needs much memory or CPU. */
serveTasks<RenderTask, ReleaseResult | undefined, RenderProgress>(async (task, report) => {
  switch (task.kind) {
    case 'warm':
      await loadRenderer()
      return undefined
    case 'render':
      return makeRelease(await loadRenderer(), task.job, throttle(report))
    case 'compress':
      await compressFolder(task.folder)
      return undefined
    case 'delete':
      for (const folder of task.folders) rmSync(folder, { recursive: true, force: true })
      return undefined
  }
})

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
