import { createHash } from 'node:crypto'
import { api, configureApi } from '#lib/api.ts'
import { LANGUAGE_CODES, type Language } from '#lib/constants.ts'
import { SiteContent } from '#lib/contract/content.ts'
import { language } from '#lib/contract/texts.ts'
import { localize } from '#lib/localize.ts'
import { isShopPage } from '#lib/paths.ts'
import { forgetParts, type SiteSource } from '#lib/renderer.ts'
import type { EpochMs } from '#lib/time.ts'
import { inLanguage } from './language.ts'

configureApi({
  base: process.env['BUILD_API_BASE'] ?? `${process.env['DEV_API'] ?? 'http://localhost:4321'}/api`
})

export interface Site extends SiteContent {
  readAt: EpochMs
}

type Argument = string | number

const LOADERS = new Map<string, (...args: readonly Argument[]) => Promise<unknown>>()
/** By read: language and call of a tracked function, for example `["ta","product","p12"]`. */
let digests = new Map<string, string>()
let tracked: Set<string> | undefined
let site: Promise<Site> | undefined

/** Makes all pages show the given content until the next call. */
export function openSource({ content, readAt }: SiteSource): void {
  site = Promise.resolve({ ...SiteContent.parse(content), readAt })
  forgetParts()
  digests = new Map()
}

/** All content, in the language of the page. */
export async function getSite(): Promise<Site> {
  // In development, each read shows the latest content.
  const content = await (import.meta.env?.DEV ? readSite() : (site ??= readSite()))
  return LOCAL_SITES[language()](content)
}

/** One call reads everything, so that a product of a deal or a link is never missing. */
async function readSite(): Promise<Site> {
  return { ...SiteContent.parse(await api('GET /site-content')), readAt: Date.now() }
}

/** Records each call as a dependency of the rendered page. The result must be JSON. */
export function trackedRead<Args extends readonly Argument[], Value>(
  name: string,
  load: (site: Site, ...args: Args) => Value
): (...args: Args) => Promise<Value> {
  const read = async (...args: Args): Promise<Value> => load(await getSite(), ...args)
  LOADERS.set(name, read as (...args: readonly Argument[]) => Promise<unknown>)
  return (...args) => {
    tracked?.add(JSON.stringify([language(), name, ...args]))
    return read(...args)
  }
}

export function derived<Value>(compute: (site: Site) => Value): (site: Site) => Value {
  const computed = new WeakMap<Site, { value: Value }>()
  return from => {
    const result = computed.get(from) ?? { value: compute(from) }
    computed.set(from, result)
    return result.value
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
  const [code, name, ...args] = JSON.parse(read) as [Language, string, ...Argument[]]
  const load = (): Promise<unknown> | undefined => LOADERS.get(name)?.(...args)
  const digest = (await inLanguage(code, load)?.then(hash, () => undefined)) ?? 'nothing'
  digests.set(read, digest)
  return digest
}

export function hash(value: unknown): string {
  return createHash('sha1')
    .update(JSON.stringify(value) ?? 'undefined')
    .digest('base64url')
    .slice(0, 12)
}

const LOCAL_SITES = Object.fromEntries(
  LANGUAGE_CODES.map(code => [code, derived(content => localize(content, code))])
) as Record<Language, (content: Site) => Site>

const idsOf = (items: readonly { id: string }[]): Set<string> => new Set(items.map(({ id }) => id))

const loadPages = derived(({ products, posts, collections }) => ({
  products: idsOf(products),
  posts: idsOf(posts),
  collections: idsOf(collections)
}))

/** Other links must be left out, because publishing fails at a broken link. */
export function hasPage(from: Site, address: string): boolean {
  return isShopPage(address, loadPages(from))
}
