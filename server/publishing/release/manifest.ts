import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { DAY, type EpochMs } from '#lib/time.ts'
import { isInside } from '../../platform/storage/files.ts'

export const MANIFEST_FILE = 'release.json'
export const RECORD_FILE = 'reads.json'
export const HASHED_FOLDER = '_astro/'

/** Open pages load scripts of older code for this time. */
const HASHED_FILE_LIFETIME = DAY

export type ReleaseFile = z.infer<typeof ReleaseFile>
const ReleaseFile = z.object({
  size: z.int(),
  hash: z.string().check(z.regex(/^[\w-]+$/)),
  encodings: z.array(z.enum(['br', 'gzip'])),
  policy: z.optional(z.int()),
  unusedSince: z.optional(z.int())
})

export type ReleaseFiles = z.infer<typeof ReleaseFiles>
export const ReleaseFiles = z.record(z.string().check(z.refine(isInside)), ReleaseFile)

export type Manifest = z.infer<typeof Manifest>
export const Manifest = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  code: z.string(),
  /** The counters `catalog` and `stock levels` before the content was read. */
  counter: z.int(),
  levels: z._default(z.int(), 0),
  catalog: z.string(),
  headers: z.record(z.string(), z.string()),
  policies: z.array(z.string()),
  files: ReleaseFiles,
  /** Pages that could not be rendered. The release has their last versions, if any. */
  failed: z._default(z.array(z.string()), [])
})

export async function loadManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => '')
  try {
    return Manifest.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

export function keepHashedFiles<File extends { unusedSince?: number | undefined }>(
  files: Readonly<Record<string, File>>,
  isCurrent: (name: string) => boolean,
  now: EpochMs
): Record<string, File & { unusedSince: EpochMs }> {
  const older = Object.entries(files)
    .filter(([name]) => name.startsWith(HASHED_FOLDER) && !isCurrent(name))
    .map(([name, file]) => [name, { ...file, unusedSince: file.unusedSince ?? now }] as const)
  return Object.fromEntries(
    older.filter(([, { unusedSince }]) => unusedSince > now - HASHED_FILE_LIFETIME)
  )
}

export function pageAddress(name: string): string {
  return `/${name.replace(/\.html$/, '')}`.replace(/^\/index$/, '/')
}

export function pageFile(address: string): string {
  return address === '/' ? 'index.html' : `${address.slice(1)}.html`
}

export function isPage(name: string): boolean {
  return name.endsWith('.html')
}

export interface ReadRecord {
  digests: ReadonlyMap<string, string>
  readsByFile: ReadonlyMap<string, readonly string[]>
}

interface StoredRecord {
  reads: [read: string, digest: string][]
  files: [name: string, reads: number[]][]
}

async function loadRecord(folder: string): Promise<ReadRecord | undefined> {
  try {
    const { reads, files } = JSON.parse(
      await readFile(join(folder, RECORD_FILE), 'utf8')
    ) as StoredRecord
    const readsByFile = files.map(
      ([name, numbers]) => [name, numbers.map(number => reads[number]?.[0] ?? '')] as const
    )
    return { digests: new Map(reads), readsByFile: new Map(readsByFile) }
  } catch {
    return undefined
  }
}

export function formatRecord({ digests, readsByFile }: ReadRecord): string {
  const reads = [...digests]
  const numbers = new Map(reads.map(([read], number) => [read, number]))
  const files = [...readsByFile].map(([name, list]) => [
    name,
    list.map(read => numbers.get(read) ?? -1)
  ])
  return JSON.stringify({ reads, files })
}

export interface PreviousRelease extends Manifest {
  folder: string
  record: ReadRecord
}

export async function loadPreviousRelease(folder: string): Promise<PreviousRelease | undefined> {
  const [manifest, record] = await Promise.all([loadManifest(folder), loadRecord(folder)])
  return manifest && record && { ...manifest, folder, record }
}
