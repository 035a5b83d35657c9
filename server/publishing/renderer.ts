import { rmSync } from 'node:fs'
import type { Renderer } from '#lib/renderer.ts'
import type { RenderMessage, RenderTask } from './render-process.ts'
import { oneLine } from '../platform/process/progress.ts'
import { InvalidReleaseError } from './release/check.ts'
import { makeRelease } from './release/make-release.ts'
import { compressFolder } from './release/compress-folder.ts'

const ENTRY = './entry.mjs'
const PROGRESS_INTERVAL_MS = 100

let reportedAt = 0
let lastTask = Promise.resolve()

process.on('message', (task: RenderTask) => {
  lastTask = lastTask.then(() => runTask(task)).then(send, (error: unknown) => send(toFailure(error)))
})
process.on('disconnect', () => process.exit())

async function runTask(task: RenderTask): Promise<RenderMessage> {
  switch (task.kind) {
    case 'warm':
      await loadRenderer()
      return { kind: 'done' }
    case 'pack':
      await compressFolder(task.folder)
      return { kind: 'done' }
    case 'render':
      return { kind: 'made', made: await makeRelease(await loadRenderer(), task.job, reportProgress) }
    case 'remove':
      for (const folder of task.folders) rmSync(folder, { recursive: true, force: true })
      return { kind: 'done' }
  }
}

async function loadRenderer(): Promise<Renderer> {
  const { renderer } = (await import(new URL(ENTRY, import.meta.url).href)) as { renderer: Renderer }
  return renderer
}

function reportProgress(rendered: number, total: number): void {
  const now = performance.now()
  if (now < reportedAt + PROGRESS_INTERVAL_MS && rendered < total) return
  reportedAt = now
  send({ kind: 'progress', rendered, total })
}

function toFailure(error: unknown): RenderMessage {
  if (error instanceof InvalidReleaseError) return { kind: 'invalid', problems: error.problems, count: error.count }
  return { kind: 'failed', reason: oneLine(error) }
}

function send(message: RenderMessage): void {
  process.send?.(message)
}
