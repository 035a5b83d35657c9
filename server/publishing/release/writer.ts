import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compress } from './compress.ts'
import type { ReleaseFile } from './manifest.ts'

const CONCURRENCY = 8

export interface Writer {
  add(name: string, content: Buffer): Promise<void>
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
    files.set(name, { size: content.length, hash: hashContent(content), encodings })
  }

  async function queue(work: Promise<void>): Promise<void> {
    busy.add(work)
    // A failed write stays in `busy`, so that `finish` rejects.
    void work.then(() => busy.delete(work)).catch(() => undefined)
    if (busy.size >= CONCURRENCY) await Promise.race(busy)
  }

  return {
    add: (name, content) => queue(write(name, content)),
    async finish() {
      await Promise.all(busy)
      return files
    }
  }
}

export function hashContent(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}
