import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'

export const MANIFEST_FILE = 'release.json'

export type ReleaseFile = z.infer<typeof ReleaseFile>
const ReleaseFile = z.object({
  size: z.int(),
  hash: z.string(),
  encodings: z.array(z.enum(['br', 'gzip'])),
  policy: z.optional(z.int())
})

export type ReleaseFiles = z.infer<typeof ReleaseFiles>
export const ReleaseFiles = z.record(z.string(), ReleaseFile)

export type Manifest = z.infer<typeof Manifest>
export const Manifest = z.object({
  id: z.string().check(z.regex(/^[\w-]+$/)),
  createdAt: z.iso.datetime(),
  code: z.string(),
  counter: z.int(),
  catalog: z.string(),
  headers: z.record(z.string(), z.string()),
  policies: z.array(z.string()),
  files: ReleaseFiles
})

export async function loadManifest(folder: string): Promise<Manifest | undefined> {
  try {
    return Manifest.safeParse(JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8'))).data
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
