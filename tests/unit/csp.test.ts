import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { formatHostFiles, siteHeaders } from '#server/publishing/release/headers.ts'
import { mergePolicies, pagePolicy, parseElements } from '#server/publishing/release/page.ts'

const SELF = "'self'"
const MAP = 'https://www.openstreetmap.org'
const API_ORIGIN = 'https://api.shop.example'
const API = `${API_ORIGIN}/api`
const CHECKOUT = 'https://checkout.razorpay.com'

const RAZORPAY = `${CHECKOUT}/v1/checkout.js`

function textOf(page: string, options: { path?: string; api?: string; checkout?: string } = {}) {
  const { path = '/', api = '/api', checkout = RAZORPAY } = options
  const knownScripts = new Set(['one()', 'two()', 'three()'])
  return pagePolicy(path, parseElements(page), { api, checkout, knownScripts })
}

function parsePolicy(text: string) {
  return new Map(
    text.split('; ').map(part => {
      const [directive = '', ...sources] = part.split(' ')
      return [directive, sources]
    })
  )
}

function policyOf(...page: Parameters<typeof textOf>) {
  return parsePolicy(textOf(...page))
}

function hash(text: string) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

describe('Content security policy of a page', () => {
  test('allows the known scripts that are in the page, and its styles', () => {
    const policy = policyOf(
      '<script>one()</script><script type="module">two()</script><script src="/_astro/x.js"></script>' +
        '<script type="application/ld+json">{"@type":"Product"}</script><style>p{}</style><script>one()</script>'
    )
    expect(policy.get('script-src')).toEqual([SELF, hash('one()'), hash('two()')])
    expect(policy.get('style-src')).toEqual([SELF, hash('p{}')])
  })

  test('allows no script that is not part of the code, whatever its type', () => {
    const unknown = ['', ' type="module"', ' type="importmap"', ' type="speculationrules"']
    const page = unknown.map(type => `<script${type}>stolen()</script>`).join('')
    const policy = policyOf(`${page}<script>one()</script>`)
    expect(policy.get('script-src')).toEqual([SELF, hash('one()')])
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

  const cart = { path: '/cart', checkout: RAZORPAY }
  const external = { path: '/cart', checkout: 'http://127.0.0.1:4400/v1/checkout.js' }
  test.for([
    ['the map on the contact page', { path: '/contact' }, 'frame-src', [MAP]],
    ['calls of an API on another origin', { api: API }, 'connect-src', [SELF, API_ORIGIN]],
    ['pictures of that API', { api: API }, 'img-src', [SELF, 'data:', API_ORIGIN]],
    ['forms of that API', { api: API }, 'form-action', [SELF, API_ORIGIN]],
    ['scripts of the provider', cart, 'script-src', [SELF, CHECKOUT, 'https://cdn.razorpay.com']],
    ['its frames', cart, 'frame-src', ['https://api.razorpay.com', CHECKOUT]],
    ['its forms', cart, 'form-action', [SELF, 'https://api.razorpay.com']],
    ['its styles', cart, 'style-src', [SELF, "'unsafe-inline'"]],
    ['scripts of an external sandbox', external, 'script-src', [SELF, 'http://127.0.0.1:4400']],
    [
      'scripts of the built-in sandbox',
      { ...external, api: API },
      'script-src',
      [SELF, 'http://127.0.0.1:4400', API_ORIGIN]
    ]
  ] as const)('allows %s', ([, options, directive, sources]) => {
    expect(policyOf('<style>p{}</style>', options).get(directive)).toEqual(sources)
  })

  test('allows the provider only on the cart page', () => {
    for (const path of ['/', '/orders/invoice', '/login'])
      expect(textOf('', { ...cart, path }), path).not.toMatch(/razorpay|'unsafe-inline'(?!;)/)
    expect(textOf('', external)).not.toContain('razorpay.com')
    expect(policyOf('', cart).get('connect-src')).toContain('https://lumberjack.razorpay.com')
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
  expect(combined.get('frame-src')).toContain(MAP)
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
