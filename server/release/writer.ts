import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compress } from './compress.ts'
import type { ReleaseFile } from './manifest.ts'

/** So many files may wait for the disk and for compression. */
const AT_ONCE = 8

/** Adds files to a release, some at a time, while the next are being rendered. */
export interface Writer {
  /** Waits while too many are under way. */
  add(name: string, content: Buffer): Promise<void>
  /** What was added, by path, once all of it is written. Throws what a write threw. */
  finish(): Promise<Map<string, ReleaseFile>>
}

export function createWriter(folder: string): Writer {
  const files = new Map<string, ReleaseFile>()
  const busy = new Set<Promise<void>>()
  const folders = new Map<string, Promise<unknown>>()

  async function write(name: string, content: Buffer): Promise<void> {
    const file = join(folder, name)
    const parent = dirname(file)
    if (!folders.has(parent)) folders.set(parent, mkdir(parent, { recursive: true }))
    await folders.get(parent)
    await writeFile(file, content)
    const encodings = await compress(file, name, content)
    files.set(name, { size: content.length, hash: hashOf(content), encodings })
  }

  async function queue(work: Promise<void>): Promise<void> {
    busy.add(work)
    // One that fails stays, and is thrown by who waits for it next.
    void work.then(() => busy.delete(work)).catch(() => undefined)
    if (busy.size >= AT_ONCE) await Promise.race(busy)
  }

  return {
    add: (name, content) => queue(write(name, content)),
    async finish() {
      await Promise.all(busy)
      return files
    }
  }
}

/** Of a file's content, as it stands in its ETag. */
export function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}
