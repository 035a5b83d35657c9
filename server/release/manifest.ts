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

export type Manifest = z.infer<typeof Manifest>
/** What a release says of itself: nothing is served that it does not list. */
export const Manifest = z.object({
  id: z.string().check(z.regex(/^[\w-]+$/)),
  createdAt: z.iso.datetime(),
  /** Of all that the release was made of; another one now means that it is stale. */
  fingerprint: z.string(),
  /** The part of the fingerprint that the catalogue decides. */
  catalog: z.string(),
  headers: z.record(z.string(), z.string()),
  policies: z.array(z.string()),
  /** By path in the release: `products/mysore-pak.html`. */
  files: z.record(z.string(), ReleaseFile)
})

/** The address of a page by its file: `/` for `index.html`, `/products` for `products.html`. */
export function pageAddress(name: string): string {
  return `/${name.replace(/\.html$/, '')}`.replace(/^\/index$/, '/')
}
