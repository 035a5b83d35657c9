import { formatPolicy, mergePolicies, type Policy } from './csp.ts'

const YEAR_IN_SECONDS = 365 * 24 * 60 * 60
const DAY_IN_SECONDS = 24 * 60 * 60

export const FOREVER = `public, max-age=${YEAR_IN_SECONDS}, immutable`
export const REVALIDATE = 'public, max-age=0, must-revalidate'

export const HASHED_FOLDER = '_astro/'

export function siteHeaders(siteUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    // With `same-origin`, a bank's payment popup would lose `window.opener`, which it needs.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self "https://api.razorpay.com")',
    ...(siteUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${YEAR_IN_SECONDS}; includeSubDomains`
    })
  }
}

export function cacheControl(name: string): string {
  if (name.startsWith(HASHED_FOLDER)) return FOREVER
  return /\.(html|xml|txt|json)$/.test(name) ? REVALIDATE : `public, max-age=${DAY_IN_SECONDS}`
}

// A CDN sends the headers of all rules that match a path, and browsers enforce every policy that they receive.
// Therefore the rule `/*` contains the sources of all pages. Pages of a folder share a rule, because CDNs allow only
// about a hundred rules.
export function formatHeadersFile(common: Record<string, string>, pages: ReadonlyMap<string, Policy>): string {
  const groups = new Map<string, { policies: Set<Policy>; hasSubpages: boolean }>()
  for (const [path, policy] of pages) {
    const [, first = '', second] = path.split('/')
    const group = groups.get(`/${first}`) ?? { policies: new Set(), hasSubpages: false }
    group.policies.add(policy)
    group.hasSubpages ||= second !== undefined
    groups.set(`/${first}`, group)
  }
  const narrowerRules = [...groups].flatMap(([group, { policies, hasSubpages }]) => {
    const policy = { 'content-security-policy': formatPolicy(mergePolicies([...policies])) }
    return hasSubpages ? [formatRule(group, policy), formatRule(`${group}/*`, policy)] : [formatRule(group, policy)]
  })
  const commonHeaders = {
    ...common,
    'content-security-policy': formatPolicy(mergePolicies([...new Set(pages.values())]))
  }
  return [
    formatRule('/*', commonHeaders),
    ...narrowerRules,
    formatRule(`/${HASHED_FOLDER}*`, { 'cache-control': FOREVER })
  ].join('\n')
}

function formatRule(path: string, headers: Record<string, string>): string {
  return [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n')
}
