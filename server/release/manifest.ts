import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'

export const MANIFEST = 'release.json'

export type ReleaseFile = z.infer<typeof ReleaseFile>
const ReleaseFile = z.object({
  /** Bytes, uncompressed. */
  size: z.int(),
  /** Of the content, for the ETag. */
  hash: z.string(),
  /** Which compressed forms lie beside it, as `name.br` and `name.gz`. */
  encodings: z.array(z.enum(['br', 'gzip'])),
  /** Of a page: which of the policies is its own. */
  policy: z.optional(z.int())
})

/** By path below a folder: `products/mysore-pak.html`. */
export type ReleaseFiles = z.infer<typeof ReleaseFiles>
export const ReleaseFiles = z.record(z.string(), ReleaseFile)

export type Manifest = z.infer<typeof Manifest>
/** What a release says of itself: nothing is served that it does not list. */
export const Manifest = z.object({
  id: z.string().check(z.regex(/^[\w-]+$/)),
  /** From before its data was read. */
  createdAt: z.iso.datetime(),
  /** Which code rendered it. */
  code: z.string(),
  /** The counter of the catalogue from before its data was read: as long as it stands, nothing has changed. */
  counter: z.int(),
  /** A hash of all that its pages were made of. */
  catalog: z.string(),
  headers: z.record(z.string(), z.string()),
  policies: z.array(z.string()),
  files: ReleaseFiles
})

/** What a release says of itself; undefined when there is none, or one that can't be read. */
export async function loadManifest(folder: string): Promise<Manifest | undefined> {
  try {
    return Manifest.safeParse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'))).data
  } catch {
    return undefined
  }
}

/** The address of a page by its file: `/` for `index.html`, `/products` for `products.html`. */
export function pageAddress(name: string): string {
  return `/${name.replace(/\.html$/, '')}`.replace(/^\/index$/, '/')
}

/** The file of a page by its address. */
export function pageFile(address: string): string {
  return address === '/' ? 'index.html' : `${address.slice(1)}.html`
}

export function isPage(name: string): boolean {
  return name.endsWith('.html')
}
