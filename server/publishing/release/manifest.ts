import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { isInside } from '../../platform/storage/files.ts'

export const MANIFEST_FILE = 'release.json'
export const RECORD_FILE = 'reads.json'
/**
 * The files of a release that its manifest does not list, and last the manifest, which makes an
 * upload complete.
 */
export const DETAIL_FILES = [RECORD_FILE, '_headers', '_redirects', MANIFEST_FILE]
/** Files in this folder have a hash of their content in their name. */
export const HASHED_FOLDER = '_astro/'

export const RELEASE_ID = /^[\w-]+$/

export type ReleaseFile = z.infer<typeof ReleaseFile>
const ReleaseFile = z.object({
  size: z.int(),
  hash: z.string().check(z.regex(/^[\w-]+$/)),
  encodings: z.array(z.enum(['br', 'gzip'])),
  policy: z.optional(z.int())
})

export type ReleaseFiles = z.infer<typeof ReleaseFiles>
export const ReleaseFiles = z.record(z.string().check(z.refine(isInside)), ReleaseFile)

export type Manifest = z.infer<typeof Manifest>
export const Manifest = z.object({
  id: z.string().check(z.regex(RELEASE_ID)),
  createdAt: z.iso.datetime(),
  code: z.string(),
  counter: z.int(),
  catalog: z.string(),
  headers: z.record(z.string(), z.string()),
  policies: z.array(z.string()),
  files: ReleaseFiles,
  /**
   * Pages that could not be rendered. A release has the last version of such a page, or none if
   * there was none.
   */
  failed: z._default(z.array(z.string()), [])
})

export async function loadManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => '')
  return parseManifest(text)
}

export function parseManifest(text: string): Manifest | undefined {
  try {
    return Manifest.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
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

/** Lists the API reads that each file depends on, and a digest of the result of each read. */
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

/** Returns undefined if the release is of other code or can't be read. */
export async function loadPreviousRelease(
  folder: string,
  code: string
): Promise<PreviousRelease | undefined> {
  const [manifest, record] = await Promise.all([loadManifest(folder), loadRecord(folder)])
  return manifest && record && manifest.code === code ? { ...manifest, folder, record } : undefined
}
