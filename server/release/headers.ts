import { formatPolicy, union, type Policy } from './csp.ts'

const YEAR_IN_SECONDS = 365 * 24 * 60 * 60
const DAY_IN_SECONDS = 24 * 60 * 60

export const FOREVER = `public, max-age=${YEAR_IN_SECONDS}, immutable`
export const REVALIDATE = 'public, max-age=0, must-revalidate'

export const HASHED = '_astro/'

export function siteHeaders(siteUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    // A bank's payment popup needs `window.opener`.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self "https://api.razorpay.com")',
    ...(siteUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${YEAR_IN_SECONDS}; includeSubDomains`
    })
  }
}

export function cacheControl(name: string): string {
  if (name.startsWith(HASHED)) return FOREVER
  return /\.(html|xml|txt|json)$/.test(name) ? REVALIDATE : `public, max-age=${DAY_IN_SECONDS}`
}

// CDN hosts apply all matching rules (about a hundred at most, so pages of a folder share one), and browsers enforce
// all policies: the rule for all paths is the union, and narrower rules restrict it.
export function headersFile(common: Record<string, string>, pages: ReadonlyMap<string, Policy>): string {
  const groups = new Map<string, { policies: Set<Policy>; hasFolder: boolean }>()
  for (const [path, policy] of pages) {
    const [, first = '', second] = path.split('/')
    const group = groups.get(`/${first}`) ?? { policies: new Set(), hasFolder: false }
    group.policies.add(policy)
    group.hasFolder ||= second !== undefined
    groups.set(`/${first}`, group)
  }
  const narrower = [...groups].flatMap(([group, { policies, hasFolder }]) => {
    const policy = { 'content-security-policy': formatPolicy(union([...policies])) }
    return hasFolder ? [rule(group, policy), rule(`${group}/*`, policy)] : [rule(group, policy)]
  })
  const everywhere = { ...common, 'content-security-policy': formatPolicy(union([...new Set(pages.values())])) }
  return [rule('/*', everywhere), ...narrower, rule(`/${HASHED}*`, { 'cache-control': FOREVER })].join('\n')
}

function rule(path: string, headers: Record<string, string>): string {
  return [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n')
}
