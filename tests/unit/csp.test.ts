import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { formatHostFiles, siteHeaders } from '#server/publishing/release/headers.ts'
import { mergePolicies, pagePolicy, parseElements } from '#server/publishing/release/page.ts'

const API = 'https://api.shop.example/api'

const SANDBOX = '/sandbox/razorpay/v1/checkout.js'
const RAZORPAY = 'https://checkout.razorpay.com/v1/checkout.js'

function textOf(
  page: string,
  {
    path = '/',
    api = '/api',
    checkout = SANDBOX,
    knownScripts = new Set(['one()', 'two()', 'three()'])
  } = {}
): string {
  return pagePolicy(path, parseElements(page), { api, checkout, knownScripts })
}

function parsePolicy(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    text.split('; ').map(part => {
      const [directive = '', ...sources] = part.split(' ')
      return [directive, sources]
    })
  )
}

function policyOf(...page: Parameters<typeof textOf>): ReadonlyMap<string, readonly string[]> {
  return parsePolicy(textOf(...page))
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

describe('Content security policy of a page', () => {
  test('allows the known scripts that are in the page, and its styles', () => {
    const policy = policyOf(
      '<script>one()</script><script type="module">two()</script><script src="/_astro/x.js"></script>' +
        '<script type="application/ld+json">{"@type":"Product"}</script><style>p{}</style><script>one()</script>'
    )
    expect(policy.get('script-src')).toEqual(["'self'", hash('one()'), hash('two()')])
    expect(policy.get('style-src')).toEqual(["'self'", hash('p{}')])
  })

  test('allows no script that is not part of the code, whatever its type', () => {
    const unknown = ['', ' type="module"', ' type="importmap"', ' type="speculationrules"']
    const page = unknown.map(type => `<script${type}>stolen()</script>`).join('')
    expect(policyOf(`${page}<script>one()</script>`).get('script-src')).toEqual([
      "'self'",
      hash('one()')
    ])
  })

  test('blocks sources on other sites and forbids showing the page in a frame', () => {
    const text = textOf('<p>')
    expect(text).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
    expect(text).toContain("frame-src 'none'")
    expect(text).toContain(
      "base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    expect(text).not.toMatch(/https?:|unsafe-eval/)
  })

  test('allows the map only on the contact page', () => {
    expect(policyOf('', { path: '/contact' }).get('frame-src')).toEqual([
      'https://www.openstreetmap.org'
    ])
    expect(policyOf('', { path: '/about' }).get('frame-src')).toEqual(["'none'"])
  })

  test('allows calls, pictures and forms of an API on another origin', () => {
    const policy = policyOf('', { api: API })
    expect(policy.get('connect-src')).toEqual(["'self'", 'https://api.shop.example'])
    expect(policy.get('img-src')).toEqual(["'self'", 'data:', 'https://api.shop.example'])
    expect(policy.get('form-action')).toEqual(["'self'", 'https://api.shop.example'])
    expect(policy.get('script-src')).toEqual(["'self'"])
  })
})

describe('Content security policy for the payment provider', () => {
  test('allows the provider only on the cart page', () => {
    const cart = policyOf('<style>p{}</style>', { path: '/cart', checkout: RAZORPAY })
    expect(cart.get('script-src')).toEqual([
      "'self'",
      'https://checkout.razorpay.com',
      'https://cdn.razorpay.com'
    ])
    expect(cart.get('frame-src')).toEqual([
      'https://api.razorpay.com',
      'https://checkout.razorpay.com'
    ])
    expect(cart.get('connect-src')).toContain('https://lumberjack.razorpay.com')
    expect(cart.get('form-action')).toEqual(["'self'", 'https://api.razorpay.com'])
    expect(cart.get('style-src')).toEqual(["'self'", "'unsafe-inline'"])
    for (const path of ['/', '/orders', '/orders/invoice', '/login'])
      expect(textOf('', { path, checkout: RAZORPAY }), path).not.toMatch(
        /razorpay|'unsafe-inline'(?!;)/
      )
  })

  test('allows no origin for the built-in sandbox, and only the origin of an external one', () => {
    expect(policyOf('', { path: '/cart' })).toEqual(policyOf(''))
    const text = textOf('', { path: '/cart', checkout: 'http://127.0.0.1:4400/v1/checkout.js' })
    const policy = parsePolicy(text)
    expect(policy.get('script-src')).toEqual(["'self'", 'http://127.0.0.1:4400'])
    expect(policy.get('frame-src')).toEqual(['http://127.0.0.1:4400'])
    expect(text).not.toContain('razorpay.com')
  })
})

test('the union of policies allows every source of each policy, and all inline styles if one does', () => {
  const cart = textOf('', { path: '/cart', checkout: RAZORPAY })
  const page = textOf('<style>p{}</style><script>one()</script>')
  const contact = textOf('<script>two()</script>', { path: '/contact' })
  const combined = parsePolicy(mergePolicies([page, cart, contact]))
  // With a hash beside it, browsers ignore 'unsafe-inline'.
  expect(combined.get('style-src')).toEqual(["'self'", "'unsafe-inline'"])
  for (const source of [hash('one()'), hash('two()')])
    expect(combined.get('script-src')).toContain(source)
  expect(combined.get('frame-src')).toContain('https://www.openstreetmap.org')
  expect(combined.get('default-src')).toEqual(["'none'"])
})

describe('_headers file', () => {
  const pages = new Map([
    ['/', textOf('<script>one()</script>')],
    ['/404', textOf('<style>p{}</style>')],
    ['/products', textOf('<script>two()</script>')],
    ['/products/mysore-pak', textOf('<script>three()</script>')],
    ['/contact', textOf('', { path: '/contact' })]
  ])
  const file = formatHostFiles('https://shop.example', pages)._headers
  const rules = new Map(
    file
      .split(/\n(?=\/)/)
      .map(rule => rule.trimEnd().split('\n'))
      .map(([path = '', ...headers]) => [path, headers.map(header => header.trim())])
  )

  test('has one rule for all paths and a narrower rule for each page folder', () => {
    const folders = ['/*', '/', '/404', '/contact', '/products', '/products/*', '/_astro/*']
    expect([...rules.keys()]).toEqual(folders)
  })

  test('allows the 404 page in the rule of each page folder, because unknown addresses of a folder show it', () => {
    for (const path of ['/*', '/404', '/products', '/products/*'])
      expect(rules.get(path)?.join(), path).toContain(hash('p{}'))
    for (const path of ['/', '/contact'])
      expect(rules.get(path)?.join(), path).not.toContain(hash('p{}'))
  })

  // The rule for all paths applies to every page in addition to its own rule, and browsers obey
  // both policies.
  test('allows the sources of all pages in the rule for all paths', () => {
    const generalRule = rules.get('/*')?.join('\n')
    for (const source of ['one()', 'two()', 'three()'].map(hash))
      expect(generalRule).toContain(source)
    expect(generalRule).toContain('openstreetmap')
    expect(rules.get('/')?.join()).not.toContain('openstreetmap')
    expect(rules.get('/')?.join()).not.toContain(hash('two()'))
    expect(rules.get('/products')).toEqual(rules.get('/products/*'))
  })

  test('caches hashed files for a year, and sends Strict-Transport-Security for an https site', () => {
    expect(rules.get('/_astro/*')).toEqual(['cache-control: public, max-age=31536000, immutable'])
    expect(rules.get('/*')).toContain(
      'strict-transport-security: max-age=31536000; includeSubDomains'
    )
    expect(siteHeaders('http://localhost:4321')).not.toHaveProperty('strict-transport-security')
  })
})
