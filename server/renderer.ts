import { rmSync } from 'node:fs'
import type { Renderer } from '#lib/renderer.ts'
import type { Message, Task } from './gateways/render-process.ts'
import { oneLine } from './progress.ts'
import { InvalidReleaseError } from './release/check.ts'
import { makeRelease } from './release/make-release.ts'
import { packFiles } from './release/pack.ts'

const ENTRY = './entry.mjs'
const PROGRESS_EVERY = 100

let reportedAt = 0
let work = Promise.resolve()

process.on('message', (task: Task) => {
  work = work.then(() => perform(task)).then(send, (error: unknown) => send(failure(error)))
})
process.on('disconnect', () => process.exit())

async function perform(task: Task): Promise<Message> {
  switch (task.kind) {
    case 'warm':
      await load()
      return { kind: 'done' }
    case 'pack':
      await packFiles(task.folder)
      return { kind: 'done' }
    case 'render':
      return { kind: 'made', made: await makeRelease(await load(), task.job, reportProgress) }
    case 'remove':
      for (const folder of task.folders) rmSync(folder, { recursive: true, force: true })
      return { kind: 'done' }
  }
}

async function load(): Promise<Renderer> {
  const { renderer } = (await import(new URL(ENTRY, import.meta.url).href)) as { renderer: Renderer }
  return renderer
}

function reportProgress(rendered: number, of: number): void {
  const now = performance.now()
  if (now < reportedAt + PROGRESS_EVERY && rendered < of) return
  reportedAt = now
  send({ kind: 'progress', rendered, of })
}

function failure(error: unknown): Message {
  if (error instanceof InvalidReleaseError) return { kind: 'invalid', problems: error.problems, count: error.count }
  return { kind: 'failed', reason: oneLine(error) }
}

function send(message: Message): void {
  process.send?.(message)
}
