import { policyText, union, type Policy } from './csp.ts'

/** A year: hashed files never change, and browsers keep to https for as long. */
const YEAR_IN_SECONDS = 365 * 24 * 60 * 60
const DAY_IN_SECONDS = 24 * 60 * 60

export const FOREVER = `public, max-age=${YEAR_IN_SECONDS}, immutable`
export const ASK_FIRST = 'public, max-age=0, must-revalidate'

/** The folder of files whose names carry a hash of their content. */
export const HASHED = '_astro/'

/** What every reply of the published site says, whatever the page. */
export function siteHeaders(siteUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    // The bank's window of a payment needs its opener.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self "https://api.razorpay.com")',
    ...(siteUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${YEAR_IN_SECONDS}; includeSubDomains`
    })
  }
}

/** How long a file of a release may be kept without asking; `name` is its path in the release. */
export function cacheControl(name: string): string {
  if (name.startsWith(HASHED)) return FOREVER
  return /\.(html|xml|txt|json)$/.test(name) ? ASK_FIRST : `public, max-age=${DAY_IN_SECONDS}`
}

/**
 * The `_headers` file of CDN hosts (Netlify, Cloudflare Pages). There a path gets the headers of every rule that it
 * matches, and a browser that gets two policies obeys both: so the rule for all paths allows what any page needs, and the
 * narrower rules take away from it. Pages of one folder share a rule, because hosts take about a hundred.
 */
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
    const policy = { 'content-security-policy': policyText(union([...policies])) }
    return hasFolder ? [rule(group, policy), rule(`${group}/*`, policy)] : [rule(group, policy)]
  })
  const everywhere = { ...common, 'content-security-policy': policyText(union([...new Set(pages.values())])) }
  return [rule('/*', everywhere), ...narrower, rule(`/${HASHED}*`, { 'cache-control': FOREVER })].join('\n')
}

function rule(path: string, headers: Record<string, string>): string {
  return [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n')
}
