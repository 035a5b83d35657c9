import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'

export const MANIFEST = 'release.json'

export type ReleaseFile = z.infer<typeof ReleaseFile>
const ReleaseFile = z.object({
  /** Bytes, uncompressed. */
  size: z.int(),
  /** Content hash, for the ETag. */
  hash: z.string(),
  /** Existing compressed variants, `name.br` and `name.gz`. */
  encodings: z.array(z.enum(['br', 'gzip'])),
  /** Index into `policies`, for pages. */
  policy: z.optional(z.int())
})

/** By relative path, such as `products/mysore-pak.html`. */
export type ReleaseFiles = z.infer<typeof ReleaseFiles>
export const ReleaseFiles = z.record(z.string(), ReleaseFile)

export type Manifest = z.infer<typeof Manifest>
/** Only listed files are served. */
export const Manifest = z.object({
  id: z.string().check(z.regex(/^[\w-]+$/)),
  /** Taken before the data was read. */
  createdAt: z.iso.datetime(),
  /** Hash of the code and settings that rendered it. */
  code: z.string(),
  /** Catalogue counter, taken before the data was read. */
  counter: z.int(),
  /** Hash of all data in the pages. */
  catalog: z.string(),
  headers: z.record(z.string(), z.string()),
  policies: z.array(z.string()),
  files: ReleaseFiles
})

/** Undefined if it is missing or invalid. */
export async function loadManifest(folder: string): Promise<Manifest | undefined> {
  try {
    return Manifest.safeParse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'))).data
  } catch {
    return undefined
  }
}

/** `/` for `index.html`, `/products` for `products.html`. */
export function pageAddress(name: string): string {
  return `/${name.replace(/\.html$/, '')}`.replace(/^\/index$/, '/')
}

export function pageFile(address: string): string {
  return address === '/' ? 'index.html' : `${address.slice(1)}.html`
}

export function isPage(name: string): boolean {
  return name.endsWith('.html')
}
