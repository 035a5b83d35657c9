import { createHash } from 'node:crypto'
import { extname, join } from 'node:path'
import { paths, MY_ORDERS_PATH } from '#lib/paths.ts'
import { DAY, SECOND } from '#lib/time.ts'
import { isInlineScript, type Element, parseElements } from './check.ts'
import { HASHED_FOLDER, isPage, pageAddress } from './manifest.ts'
import { readFile, writeFile } from 'node:fs/promises'
import { listFiles } from '../../platform/storage/files.ts'

export type Policy = ReadonlyMap<string, readonly string[]>

const MAP_ORIGIN = 'https://www.openstreetmap.org'

/** From Razorpay's own plugins, because there is no official list. */
const PROVIDER_SOURCES: Readonly<Record<string, readonly string[]>> = {
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

export interface PolicySettings {
  api: string
  checkout: string
  knownScripts: ReadonlySet<string>
}

export function pagePolicy(
  path: string,
  page: readonly Element[],
  settings: PolicySettings
): Policy {
  const { checkout } = settings
  const policy = basePolicy(path, page, settings)
  return path === paths.cart && !checkout.startsWith('/')
    ? addProviderSources(policy, checkout)
    : policy
}

function addProviderSources(policy: Policy, checkout: string): Policy {
  const { origin } = new URL(checkout)
  const isRazorpay = PROVIDER_SOURCES['script-src']?.includes(origin)
  const sources = (directive: string): readonly string[] => {
    const ofRazorpay = PROVIDER_SOURCES[directive] ?? []
    return isRazorpay || ofRazorpay.length === 0 ? ofRazorpay : [origin]
  }
  const all = [...policy].map(
    ([directive, own]) => [directive, [...new Set([...own, ...sources(directive)])]] as const
  )
  return new Map([...simplify(all), ['style-src', ["'self'", "'unsafe-inline'"]]])
}

function basePolicy(
  path: string,
  page: readonly Element[],
  { api, knownScripts }: PolicySettings
): Policy {
  const apiOrigins = api.startsWith('/') ? [] : [new URL(api).origin]
  // A script in the text of a product or a post gets no permission.
  const scripts = page.filter(isInlineScript).filter(({ text }) => knownScripts.has(text))
  const styles = page.filter(({ name }) => name === 'style')
  return new Map([
    ['default-src', ["'none'"]],
    ['script-src', ["'self'", ...hashSources(scripts)]],
    ['style-src', ["'self'", ...hashSources(styles)]],
    // Needed, because React and Astro write style attributes. Style attributes can't run scripts.
    ['style-src-attr', ["'unsafe-inline'"]],
    ['img-src', ["'self'", 'data:', ...apiOrigins]],
    ['font-src', ["'self'"]],
    ['connect-src', ["'self'", ...apiOrigins]],
    ['frame-src', [path === paths.contact ? MAP_ORIGIN : "'none'"]],
    ['manifest-src', ["'self'"]],
    ['base-uri', ["'none'"]],
    ['object-src', ["'none'"]],
    ['form-action', ["'self'", ...apiOrigins]],
    ['frame-ancestors', ["'none'"]]
  ])
}

export function mergePolicies(policies: readonly Policy[]): Policy {
  const all = new Map<string, string[]>()
  for (const policy of policies) {
    for (const [directive, sources] of policy) {
      const merged = all.get(directive) ?? []
      all.set(directive, [...merged, ...sources.filter(source => !merged.includes(source))])
    }
  }
  return new Map(simplify([...all]))
}

/** Removes 'none' beside other sources, and hashes, which would switch off 'unsafe-inline'. */
function simplify(
  policy: readonly (readonly [string, readonly string[]])[]
): [string, readonly string[]][] {
  return policy.map(([directive, sources]) => {
    const ignored = sources.includes("'unsafe-inline'") ? /^'(?:none|sha256-.*)'$/ : /^'none'$/
    return [
      directive,
      sources.length > 1 ? sources.filter(source => !ignored.test(source)) : sources
    ]
  })
}

export function formatPolicy(policy: Policy): string {
  return [...policy].map(([directive, sources]) => [directive, ...sources].join(' ')).join('; ')
}

export function parsePolicy(text: string): Policy {
  return new Map(
    text.split('; ').map(part => {
      const [directive = '', ...sources] = part.split(' ')
      return [directive, sources]
    })
  )
}

function hashSources(inline: readonly Element[]): string[] {
  return [
    ...new Set(
      inline.map(({ text }) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    )
  ]
}

const YEAR_IN_SECONDS = (365 * DAY) / SECOND
const FOREVER = `public, max-age=${YEAR_IN_SECONDS}, immutable`
const REVALIDATE = 'public, max-age=0, must-revalidate'

export function siteHeaders(siteUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    // With `same-origin`, a bank's payment popup would lose `window.opener`, which it needs.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), payment=(self "https://api.razorpay.com")',
    ...(siteUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${YEAR_IN_SECONDS}; includeSubDomains`
    })
  }
}

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.woff2': 'font/woff2'
}

export function contentType(name: string): string {
  return CONTENT_TYPES[extname(name)] ?? 'application/octet-stream'
}

export function cacheControl(name: string): string {
  if (name.startsWith(HASHED_FOLDER)) return FOREVER
  return /\.(html|xml|txt|json)$/.test(name) ? REVALIDATE : `public, max-age=${DAY / SECOND}`
}

// Browsers enforce the policies of all rules that match, so each rule allows all pages that its
// addresses can show. Pages of a folder share a rule: hosts allow only about a hundred.
export function formatHeadersFile(
  common: Record<string, string>,
  pages: ReadonlyMap<string, Policy>
): string {
  const notFound = pages.get('/404')
  const groups = new Map<string, { policies: Set<Policy>; hasSubpages: boolean }>()
  const sorted = [...pages].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [path, policy] of sorted) {
    const [, first = '', second] = path.split('/')
    const group = groups.get(`/${first}`) ?? { policies: new Set(), hasSubpages: false }
    group.policies.add(policy)
    group.hasSubpages ||= second !== undefined
    groups.set(`/${first}`, group)
  }
  const narrowerRules = [...groups].flatMap(([group, { policies, hasSubpages }]) => {
    const all = hasSubpages && notFound ? [...policies, notFound] : [...policies]
    const policy = { 'content-security-policy': formatPolicy(mergePolicies(all)) }
    return hasSubpages
      ? [formatRule(group, policy), formatRule(`${group}/*`, policy)]
      : [formatRule(group, policy)]
  })
  const commonHeaders = {
    ...common,
    'content-security-policy': formatPolicy(
      mergePolicies([...new Set(sorted.map(([, policy]) => policy))])
    )
  }
  return [
    formatRule('/*', commonHeaders),
    ...narrowerRules,
    formatRule(`/${HASHED_FOLDER}*`, { 'cache-control': FOREVER })
  ].join('\n')
}

function formatRule(path: string, headers: Record<string, string>): string {
  return [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ''].join(
    '\n'
  )
}

export const HOST_FILES = ['_headers', '_redirects'] as const

export const REDIRECTS: Readonly<Record<string, string>> = { [MY_ORDERS_PATH]: paths.orders }

/** Netlify removes `.html` and trailing slashes itself; rules for these would go in a circle. */
export function formatHostFiles(
  siteUrl: string,
  policies: ReadonlyMap<string, Policy>
): Record<(typeof HOST_FILES)[number], string> {
  const redirects = Object.entries(REDIRECTS).map(([from, to]) => `${from} ${to} 301\n`)
  return {
    _headers: formatHeadersFile(siteHeaders(siteUrl), policies),
    _redirects: redirects.join('')
  }
}

export async function writeHostFiles(
  folder: string,
  siteUrl: string,
  settings: PolicySettings
): Promise<void> {
  const policies = new Map<string, Policy>()
  for (const name of (await listFiles(folder)).filter(isPage)) {
    const address = pageAddress(name)
    const page = parseElements(await readFile(join(folder, name), 'utf8'))
    policies.set(address, pagePolicy(address, page, settings))
  }
  const files = Object.entries(formatHostFiles(siteUrl, policies))
  for (const [name, text] of files) await writeFile(join(folder, name), text)
}
