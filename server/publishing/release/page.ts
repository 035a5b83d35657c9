import { Parser } from 'htmlparser2'
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import pLimit from 'p-limit'
import { isPrivatePath, isSamePage, NOT_FOUND_PATH, paths } from '#lib/paths.ts'
import type { Renderer } from '#lib/renderer.ts'
import { hashContent, writeCompressed } from './files.ts'
import { isPage, pageAddress, pageFile, type ReleaseFile } from './store.ts'

export interface FileToRender {
  folder: string
  name: string
  address: string
  previousHash?: string | undefined
  api: string
  checkout: string
}

interface RenderedPage {
  policy: string
  links: readonly string[]
  unknownScripts: number
  noindex: true | undefined
}

export interface RenderedFile {
  reads: string[]
  file: ReleaseFile | undefined
  page: RenderedPage | undefined
}

/** A renderer can render only one page at a time. */
const oneAtATime = pLimit(1)

export async function renderFile(
  renderer: Renderer,
  { folder, name, address, previousHash, api, checkout }: FileToRender
): Promise<RenderedFile | undefined> {
  const { status, body, reads } = await oneAtATime(async () => {
    // Lets the event loop handle the messages of the other process first.
    await setImmediate()
    return renderer.render(address)
  })
  const expected = isSamePage(address, NOT_FOUND_PATH) ? 404 : 200
  if (status !== expected) return undefined
  const page = isPage(name)
    ? readPage(name, body.toString(), { api, checkout, knownScripts: renderer.inlineScripts })
    : undefined
  const isSame = hashContent(body) === previousHash
  const file = isSame
    ? undefined
    : { ...writeCompressed(folder, name, body), ...(page?.noindex && { noindex: page.noindex }) }
  return { reads, file, page }
}

function readPage(name: string, html: string, settings: PolicySettings): RenderedPage {
  const elements = parseElements(html)
  const isHidden = elements.some(({ attributes }) => attributes.get('name') === 'robots')
  return {
    policy: pagePolicy(pageAddress(name), elements, settings),
    links: listLinks(elements),
    unknownScripts: countUnknownScripts(elements, settings.knownScripts),
    noindex: isHidden || undefined
  }
}

interface Element {
  name: string
  /** Entities, such as `&amp;`, are not decoded. */
  attributes: ReadonlyMap<string, string>
  text: string
}

export function parseElements(html: string): Element[] {
  const elements: Element[] = []
  let inline: Element | undefined
  const handlers = {
    onopentag(name: string, attributes: Record<string, string>) {
      const element = { name, attributes: new Map(Object.entries(attributes)), text: '' }
      elements.push(element)
      inline = name === 'script' || name === 'style' ? element : undefined
    },
    ontext(text: string) {
      if (inline) inline.text += text
    },
    onclosetag: () => void (inline = undefined)
  }
  // Decoding takes half of the time, and no check needs the few values that contain entities.
  const parser = new Parser(handlers, { decodeEntities: false })
  // Browsers normalise newlines before they compute hashes for the Content-Security-Policy.
  parser.end(html.replace(/\r\n?/g, '\n'))
  return elements
}

// Scripts of other types, such as JSON-LD, are data. Browsers don't run them.
const EXECUTABLE_TYPE = /^(?:|module|(?:text|application)\/javascript|importmap|speculationrules)$/i

function isInlineScript({ name, attributes }: Element) {
  return (
    name === 'script' &&
    !attributes.has('src') &&
    EXECUTABLE_TYPE.test((attributes.get('type') ?? '').trim())
  )
}

export function countUnknownScripts(page: readonly Element[], known: ReadonlySet<string>): number {
  return page.filter(element => isInlineScript(element) && !known.has(element.text)).length
}

const LINK_ATTRIBUTES: Record<string, readonly string[]> = {
  a: ['href'],
  link: ['href'],
  script: ['src'],
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  use: ['href'],
  'astro-island': ['component-url', 'renderer-url']
}

export function listLinks(page: readonly Element[]): string[] {
  const links = page.flatMap(({ name, attributes }) =>
    (LINK_ATTRIBUTES[name] ?? []).flatMap(attribute => {
      const value = attributes.get(attribute) ?? ''
      return attribute === 'srcset'
        ? value.split(',').map(part => part.trim().split(/\s+/)[0] ?? '')
        : [value]
    })
  )
  return [...new Set(links.filter(link => /^\/(?![/\\])/.test(link)))]
}

type FileSet = Pick<ReadonlySet<string>, 'has'>

export function findBrokenLinks(
  name: string,
  links: readonly string[],
  files: FileSet,
  assets: FileSet
): string[] {
  return links
    .filter(link => !linkExists(link, files, assets))
    .map(link => `${pageAddress(name)} links to ${link}, which does not exist`)
}

function linkExists(link: string, files: FileSet, assets: FileSet) {
  const path = decodePath(link.replace(/[?#].*$/, ''))
  if (path === undefined) return false
  if (path.startsWith('/assets/')) return assets.has(path.slice('/assets/'.length))
  const isDynamic = isPrivatePath(path) || isSamePage(path, paths.deals) || path.startsWith('/api/')
  return isDynamic || files.has(pageFile(path)) || files.has(path.slice(1))
}

export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

type Policy = Readonly<Record<string, readonly string[]>>

export interface PolicySettings {
  api: string
  /** Address of the provider's script. */
  checkout: string
  knownScripts: ReadonlySet<string>
}

const MAP_ORIGIN = 'https://www.openstreetmap.org'

/** From Razorpay's own plugins, because there is no official list. */
const RAZORPAY_SOURCES = {
  'script-src': ['https://checkout.razorpay.com', 'https://cdn.razorpay.com'],
  'frame-src': ['https://api.razorpay.com', 'https://checkout.razorpay.com'],
  'connect-src': [
    'https://api.razorpay.com',
    'https://checkout.razorpay.com',
    'https://lumberjack.razorpay.com',
    'https://lumberjack-metrics.razorpay.com'
  ],
  'img-src': ['https://cdn.razorpay.com', 'https://checkout.razorpay.com'],
  'form-action': ['https://api.razorpay.com']
}

export function pagePolicy(
  path: string,
  page: readonly Element[],
  { api, checkout, knownScripts }: PolicySettings
): string {
  const apiOrigins = api.startsWith('/') ? [] : [new URL(api).origin]
  // A script in the text of a product or a post gets no permission.
  const scripts = page.filter(isInlineScript).filter(({ text }) => knownScripts.has(text))
  const styles = page.filter(({ name }) => name === 'style')
  const policy = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...hashSources(scripts)],
    'style-src': ["'self'", ...hashSources(styles)],
    // Needed, because React and Astro write style attributes. Style attributes can't run scripts.
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', ...apiOrigins],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...apiOrigins],
    'frame-src': [isSamePage(path, paths.contact) ? MAP_ORIGIN : "'none'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'form-action': ["'self'", ...apiOrigins],
    'frame-ancestors': ["'none'"]
  }
  if (!isSamePage(path, paths.cart)) return formatUnion([policy])
  // The owner can change from the built-in sandbox, which the API serves, to the provider.
  return formatUnion([policy, ...[checkout, ...apiOrigins].map(providerPolicy)])
}

function providerPolicy(checkout: string): Policy {
  const { origin } = new URL(checkout)
  const isRazorpay = RAZORPAY_SOURCES['script-src'].includes(origin)
  const sources = Object.entries(RAZORPAY_SOURCES).map(
    ([directive, ofRazorpay]) => [directive, isRazorpay ? ofRazorpay : [origin]] as const
  )
  return { ...Object.fromEntries(sources), 'style-src': ["'unsafe-inline'"] }
}

function hashSources(inline: readonly Element[]) {
  return inline.map(({ text }) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
}

export function mergePolicies(policies: readonly string[]): string {
  return formatUnion(
    policies.map(policy =>
      Object.fromEntries(
        policy.split('; ').map(part => {
          const [directive = '', ...sources] = part.split(' ')
          return [directive, sources]
        })
      )
    )
  )
}

function formatUnion(policies: readonly Policy[]) {
  const union = new Map<string, Set<string>>()
  for (const [directive, sources] of policies.flatMap(policy => Object.entries(policy)))
    union.set(directive, new Set([...(union.get(directive) ?? []), ...sources]))
  const directives = [...union].map(([directive, sources]) => {
    // 'none' may only stand alone, and hashes would switch off 'unsafe-inline'.
    const ignored = sources.has("'unsafe-inline'") ? /^'(?:none|sha256-.*)'$/ : /^'none'$/
    const kept = [...sources].filter(source => sources.size === 1 || !ignored.test(source))
    return [directive, ...kept].join(' ')
  })
  return directives.join('; ')
}

const REQUIRED_FILES = ['index.html', 'products.html', '404.html', 'sitemap-index.xml']

export function findMissingFiles(files: FileSet): string[] {
  return REQUIRED_FILES.filter(name => !files.has(name)).map(name => `${name} is missing`)
}

const MAX_LISTED_PROBLEMS = 20

export class InvalidReleaseError extends Error {
  override readonly name = 'InvalidReleaseError'
  readonly problems: readonly string[]
  readonly count: number

  constructor(problems: readonly string[], count = problems.length) {
    super(`${problems[0]}${count > 1 ? ` (and ${count - 1} more)` : ''}`)
    this.problems = problems.slice(0, MAX_LISTED_PROBLEMS)
    this.count = count
  }
}
