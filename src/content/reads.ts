import { createHash } from 'node:crypto'
import { api, configureApi } from '#lib/api.ts'
import { SiteContent } from '#lib/contract/content.ts'
import { forgetParts, type SiteSource } from '#lib/renderer.ts'
import { toYearInIndia } from '#lib/time.ts'
import { isPage } from '#lib/paths.ts'

configureApi({
  base: process.env['BUILD_API_BASE'] ?? `${process.env['DEV_API'] ?? 'http://localhost:4321'}/api`
})

let source: Promise<SiteSource> | undefined
let generation = 0

/** Makes all pages show the given content until the next call. */
export function openSource({ content, readAt }: SiteSource): void {
  source = Promise.resolve({ content: SiteContent.parse(content), readAt })
  generation++
  forgetParts()
  digests = new Map()
}

/** One call reads everything, so that a product of a deal or a link is never missing. */
async function readSource(): Promise<SiteSource> {
  return { content: SiteContent.parse(await api('GET /site-content')), readAt: Date.now() }
}

const getSource = memoize(() => source ?? readSource())

export const fetchSiteContent = async (): Promise<SiteContent> => (await getSource()).content
/** All pages of a release show the same year, even at New Year. */
export const getYear = memoize(async () => toYearInIndia((await getSource()).readAt))

/** Caches the result until `openSource` is called. In development, nothing is cached. */
export function memoize<Value>(load: () => Value): () => Value {
  let cached: { value: Value; generation: number } | undefined
  return () => {
    if (import.meta.env?.DEV) return load()
    if (cached?.generation !== generation) cached = { value: load(), generation }
    return cached.value
  }
}

type Argument = string | number
type Loader = (...args: readonly Argument[]) => unknown

const LOADERS = new Map<string, Loader>()
/** By read: one call of a tracked function as JSON, for example `["product","p12"]`. */
let digests = new Map<string, string>()
let tracked: Set<string> | undefined

/** Records each call as a dependency of the rendered page. The result must be JSON. */
export function trackedRead<Args extends readonly Argument[], Value>(
  name: string,
  load: (...args: Args) => Value
): (...args: Args) => Value {
  LOADERS.set(name, load as unknown as Loader)
  return (...args) => {
    tracked?.add(JSON.stringify([name, ...args]))
    return load(...args)
  }
}

export async function trackReads<Value>(
  render: () => Promise<Value>
): Promise<{ value: Value; reads: string[] }> {
  if (tracked) throw new Error('Another page is being rendered')
  const reads = new Set<string>()
  tracked = reads
  try {
    return { value: await render(), reads: [...reads] }
  } finally {
    tracked = undefined
  }
}

export async function digestOf(read: string): Promise<string> {
  const cached = digests.get(read)
  if (cached !== undefined) return cached
  const [name, ...args] = JSON.parse(read) as [string, ...Argument[]]
  const digest = await runRead(name, args).then(hash, () => 'nothing')
  digests.set(read, digest)
  return digest
}

async function runRead(name: string, args: readonly Argument[]): Promise<unknown> {
  const load = LOADERS.get(name)
  if (!load) throw new Error(`Unknown read: ${name}`)
  return load(...args)
}

function hash(value: unknown): string {
  return createHash('sha1')
    .update(JSON.stringify(value) ?? 'undefined')
    .digest('base64url')
    .slice(0, 12)
}

const loadPages = memoize(async () => {
  const { products, posts, collections } = await fetchSiteContent()
  const idsOf = (items: readonly { id: string }[]): Set<string> =>
    new Set(items.map(({ id }) => id))
  return { products: idsOf(products), posts: idsOf(posts), collections: idsOf(collections) }
})

/** Other links must be left out, because publishing fails at a broken link. */
export async function readIsPage(): Promise<(address: string) => boolean> {
  const pages = await loadPages()
  return address => isPage(address, pages)
}
