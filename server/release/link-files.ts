import { copyFileSync, linkSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ReleaseFiles } from './manifest.ts'

export const SUFFIX = { br: '.br', gzip: '.gz' } as const

export class DamagedError extends Error {
  override readonly name = 'DamagedError'
}

/** Hard-links or copies. Synchronous, which takes a third of the time for 10,000 files. Throws DamagedError. */
export function linkFiles(files: ReleaseFiles, from: string, to: string): void {
  const folders = new Set<string>()
  for (const [name, { encodings }] of Object.entries(files)) {
    const folder = dirname(name)
    if (!folders.has(folder)) mkdirSync(join(to, folder), { recursive: true })
    folders.add(folder)
    for (const form of [name, ...encodings.map(encoding => name + SUFFIX[encoding])]) {
      linkFile(join(from, form), join(to, form))
    }
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new DamagedError(`${from} is missing`)
    copyFileSync(from, to)
  }
}
