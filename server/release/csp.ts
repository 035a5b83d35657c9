import { createHash } from 'node:crypto'
import { paths } from '#lib/paths.ts'
import type { Element } from './html.ts'

/** Where a page may load from and send to; `'none'` unless listed. */
export type Policy = ReadonlyMap<string, readonly string[]>

/** The map of the contact page, loaded only after a tap. */
export const MAP_ORIGIN = 'https://www.openstreetmap.org'

/** What the provider's window loads and talks to. The provider publishes no list; this is what its own plugins allow. */
const PROVIDER: Readonly<Record<string, readonly string[]>> = {
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

// Data blocks such as JSON-LD never run, so no policy needs to allow them.
const RUNS = new Set(['', 'module', 'text/javascript', 'application/javascript', 'importmap', 'speculationrules'])

/** What the settings say of a release's pages. */
export interface Surroundings {
  /** What the pages call. */
  api: string
  /** The payment provider's script: absolute, or a path of this origin. */
  checkout: string
}

/**
 * The policy of one page: its own files, the API when that is another origin, on the cart page the payment provider, and
 * of inline scripts and styles exactly those that the page has. `path` is the page's address.
 */
export function pagePolicy(path: string, page: readonly Element[], { api, checkout }: Surroundings): Policy {
  const policy = ownPolicy(path, page, api)
  return path === paths.cart && !checkout.startsWith('/') ? withProvider(policy, checkout) : policy
}

/** Its window writes style elements, which no hash can know. */
function withProvider(policy: Policy, checkout: string): Policy {
  const { origin } = new URL(checkout)
  const isReal = PROVIDER['script-src']?.includes(origin)
  const sources = (directive: string): readonly string[] =>
    isReal ? (PROVIDER[directive] ?? []) : directive in PROVIDER ? [origin] : []
  const all = [...policy].map(([directive, own]) => [directive, [...new Set([...own, ...sources(directive)])]] as const)
  return new Map([...withoutNone(all), ['style-src', ["'self'", "'unsafe-inline'"]]])
}

function ownPolicy(path: string, page: readonly Element[], api: string): Policy {
  const others = api.startsWith('/') ? [] : [new URL(api).origin]
  const scripts = page.filter(({ name }) => name === 'script').filter(runsInline)
  const styles = page.filter(({ name }) => name === 'style')
  return new Map([
    ['default-src', ["'none'"]],
    ['script-src', ["'self'", ...hashes(scripts)]],
    ['style-src', ["'self'", ...hashes(styles)]],
    // React and Astro write style attributes; they can't run anything.
    ['style-src-attr', ["'unsafe-inline'"]],
    ['img-src', ["'self'", 'data:', ...others]],
    ['font-src', ["'self'"]],
    ['connect-src', ["'self'", ...others]],
    ['frame-src', [path === paths.contact ? MAP_ORIGIN : "'none'"]],
    ['manifest-src', ["'self'"]],
    ['base-uri', ["'none'"]],
    ['object-src', ["'none'"]],
    ['form-action', ["'self'", ...others]],
    ['frame-ancestors', ["'none'"]]
  ])
}

/** What any of the policies allows. */
export function union(policies: readonly Policy[]): Policy {
  const all = new Map<string, string[]>()
  for (const policy of policies) {
    for (const [directive, sources] of policy) {
      const known = all.get(directive) ?? []
      all.set(directive, [...known, ...sources.filter(source => !known.includes(source))])
    }
  }
  return new Map(withoutNone([...all]))
}

/** 'none' beside another source means nothing. */
function withoutNone(policy: readonly (readonly [string, readonly string[]])[]): [string, readonly string[]][] {
  return policy.map(([directive, sources]) => [
    directive,
    sources.length > 1 ? sources.filter(source => source !== "'none'") : sources
  ])
}

/** The value of the Content-Security-Policy header. */
export function policyText(policy: Policy): string {
  return [...policy].map(([directive, sources]) => [directive, ...sources].join(' ')).join('; ')
}

/** The other way. */
export function policyOf(text: string): Policy {
  return new Map(
    text.split('; ').map(part => {
      const [directive = '', ...sources] = part.split(' ')
      return [directive, sources]
    })
  )
}

function runsInline({ attributes }: Element): boolean {
  return !attributes.has('src') && RUNS.has((attributes.get('type') ?? '').trim().toLowerCase())
}

function hashes(inline: readonly Element[]): string[] {
  return [...new Set(inline.map(({ text }) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`))]
}
