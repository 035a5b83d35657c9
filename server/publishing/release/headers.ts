import { readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { LANGUAGE_CODES, TRANSLATIONS } from '#lib/constants.ts'
import { localPath, MY_ORDERS_PATH, paths } from '#lib/paths.ts'
import { DAY, SECOND } from '#lib/time.ts'
import { listFiles } from '../../platform/storage/files.ts'
import { mergePolicies, pagePolicy, parseElements, type PolicySettings } from './page.ts'
import { HASHED_FOLDER, ID_FILE, isPage, pageAddress } from './store.ts'

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
  return /\.(html|xml|txt|json|webmanifest)$|^sw\.js$/.test(name)
    ? REVALIDATE
    : `public, max-age=${DAY / SECOND}`
}

export const HOST_FILES = ['_headers', '_redirects'] as const

export const REDIRECTS: Readonly<Record<string, string>> = Object.fromEntries(
  LANGUAGE_CODES.map(code => [localPath(MY_ORDERS_PATH, code), localPath(paths.orders, code)])
)

/** Netlify removes `.html` and trailing slashes itself; rules for these would go in a circle. */
export function formatHostFiles(
  siteUrl: string,
  policyByAddress: ReadonlyMap<string, string>
): Record<(typeof HOST_FILES)[number], string> {
  const redirects = Object.entries(REDIRECTS).map(([from, to]) => `${from} ${to} 301\n`)
  const notFound = TRANSLATIONS.map(code => `/${code}/* /${code}/404.html 404\n`)
  return {
    _headers: formatHeadersFile(siteHeaders(siteUrl), policyByAddress),
    _redirects: [...redirects, ...notFound].join('')
  }
}

// Browsers enforce the policies of all rules that match, so each rule allows all pages that its
// addresses can show. Pages of a folder share a rule: hosts allow only about a hundred.
function formatHeadersFile(
  common: Record<string, string>,
  policyByAddress: ReadonlyMap<string, string>
) {
  const notFound = policyByAddress.get('/404') ?? ''
  const groups = new Map<string, { policies: Set<string>; hasSubpages: boolean }>()
  const sorted = [...policyByAddress].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [path, policy] of sorted) {
    const [, first = '', second] = path.split('/')
    const group = groups.get(`/${first}`) ?? { policies: new Set(), hasSubpages: false }
    group.policies.add(policy)
    group.hasSubpages ||= second !== undefined
    groups.set(`/${first}`, group)
  }
  const narrowerRules = [...groups].flatMap(([group, { policies, hasSubpages }]) => {
    const all = hasSubpages ? [...policies, notFound] : [...policies]
    const paths = hasSubpages ? [group, `${group}/*`] : [group]
    return paths.map(path => formatRule(path, policyHeader(all)))
  })
  const allPolicies = [...new Set(sorted.map(([, policy]) => policy))]
  return [
    formatRule('/*', { ...common, ...policyHeader(allPolicies) }),
    ...narrowerRules,
    formatRule(`/${HASHED_FOLDER}*`, { 'cache-control': FOREVER })
  ].join('\n')
}

function policyHeader(policies: readonly string[]): Record<string, string> {
  return { 'content-security-policy': mergePolicies(policies) }
}

function formatRule(path: string, headers: Record<string, string>) {
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)
  return [path, ...lines, ''].join('\n')
}

export async function writeHostFiles(
  folder: string,
  siteUrl: string,
  settings: PolicySettings
): Promise<void> {
  const policyByAddress = new Map<string, string>()
  for (const name of (await listFiles(folder)).filter(isPage)) {
    const address = pageAddress(name)
    const page = parseElements(await readFile(join(folder, name), 'utf8'))
    policyByAddress.set(address, pagePolicy(address, page, settings))
  }
  const files = Object.entries(formatHostFiles(siteUrl, policyByAddress))
  const id = [ID_FILE, new Date().toISOString()] as const
  for (const [name, text] of [...files, id]) await writeFile(join(folder, name), text)
}
