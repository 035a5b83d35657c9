import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { pagePolicy, policyText, union } from '#server/release/csp.ts'
import { headersFile, siteHeaders } from '#server/release/headers.ts'
import { elements } from '#server/release/html.ts'

const API = 'https://api.shop.example/api'

const SANDBOX = '/sandbox/razorpay/v1/checkout.js'
const REAL = 'https://checkout.razorpay.com/v1/checkout.js'

function policyOf(
  page: string,
  { path = '/', api = '/api', checkout = SANDBOX } = {}
): ReadonlyMap<string, readonly string[]> {
  return pagePolicy(path, elements(page), { api, checkout })
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

describe('the policy of a page', () => {
  test('allows exactly the inline scripts and styles that it has', () => {
    const policy = policyOf(
      '<script>one()</script><script type="module">two()</script><script src="/_astro/x.js"></script>' +
        '<script type="application/ld+json">{"@type":"Product"}</script><style>p{}</style><script>one()</script>'
    )
    expect(policy.get('script-src')).toEqual(["'self'", hash('one()'), hash('two()')])
    expect(policy.get('style-src')).toEqual(["'self'", hash('p{}')])
  })

  test('hashes as the standard says', () => {
    const known = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
    expect(policyOf("<script>alert('Hello, world.');</script>").get('script-src')).toContain(known)
  })

  test('lets nothing else in, and nobody frame it', () => {
    const text = policyText(policyOf('<p>'))
    expect(text).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
    expect(text).toContain("frame-src 'none'")
    expect(text).toContain("base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'")
    expect(text).not.toMatch(/https?:|unsafe-eval/)
  })

  test('names the map only on the contact page', () => {
    expect(policyOf('', { path: '/contact' }).get('frame-src')).toEqual(['https://www.openstreetmap.org'])
    expect(policyOf('', { path: '/about' }).get('frame-src')).toEqual(["'none'"])
  })

  test('names the API when it is another origin: its calls, its pictures, its forms', () => {
    const policy = policyOf('', { api: API })
    expect(policy.get('connect-src')).toEqual(["'self'", 'https://api.shop.example'])
    expect(policy.get('img-src')).toEqual(["'self'", 'data:', 'https://api.shop.example'])
    expect(policy.get('form-action')).toEqual(["'self'", 'https://api.shop.example'])
    expect(policy.get('script-src')).toEqual(["'self'"])
  })
})

describe('the payment provider', () => {
  test('is named on the cart page alone', () => {
    const cart = policyOf('<style>p{}</style>', { path: '/cart', checkout: REAL })
    expect(cart.get('script-src')).toEqual(["'self'", 'https://checkout.razorpay.com', 'https://cdn.razorpay.com'])
    expect(cart.get('frame-src')).toEqual(['https://api.razorpay.com', 'https://checkout.razorpay.com'])
    expect(cart.get('connect-src')).toContain('https://lumberjack.razorpay.com')
    expect(cart.get('form-action')).toEqual(["'self'", 'https://api.razorpay.com'])
    expect(cart.get('style-src')).toEqual(["'self'", "'unsafe-inline'"])
    for (const path of ['/', '/orders', '/orders/invoice', '/login'])
      expect(policyText(policyOf('', { path, checkout: REAL })), path).not.toMatch(/razorpay|'unsafe-inline'(?!;)/)
  })

  test('needs no other origin while the sandbox of this shop stands in for it', () => {
    expect(policyOf('', { path: '/cart' })).toEqual(policyOf(''))
  })

  test('may be a double somewhere else, which is then all that is named', () => {
    const policy = policyOf('', { path: '/cart', checkout: 'http://127.0.0.1:4400/v1/checkout.js' })
    expect(policy.get('script-src')).toEqual(["'self'", 'http://127.0.0.1:4400'])
    expect(policy.get('frame-src')).toEqual(['http://127.0.0.1:4400'])
    expect(policyText(policy)).not.toContain('razorpay.com')
  })
})

test('the union of policies allows what any of them allows', () => {
  const contact = policyOf('<script>a</script>', { path: '/contact' })
  const both = union([contact, policyOf('<script>b</script>')])
  expect(both.get('script-src')).toEqual(["'self'", hash('a'), hash('b')])
  expect(both.get('frame-src')).toEqual(['https://www.openstreetmap.org'])
  expect(both.get('default-src')).toEqual(["'none'"])
})

describe('the _headers file', () => {
  const pages = new Map([
    ['/', policyOf('<script>home</script>')],
    ['/products', policyOf('<script>list</script>')],
    ['/products/mysore-pak', policyOf('<script>one</script>')],
    ['/contact', policyOf('', { path: '/contact' })]
  ])
  const file = headersFile(siteHeaders('https://shop.example'), pages)
  const rules = new Map(
    file
      .split(/\n(?=\/)/)
      .map(rule => rule.trimEnd().split('\n'))
      .map(([path = '', ...headers]) => [path, headers.map(header => header.trim())])
  )

  test('has a rule for all paths, and a narrower policy for each folder of pages', () => {
    expect([...rules.keys()]).toEqual(['/*', '/', '/products', '/products/*', '/contact', '/_astro/*'])
  })

  // A browser that gets two policies obeys both.
  test('allows for all paths what any page needs, so that both rules together are the narrower one', () => {
    const everywhere = rules.get('/*')?.join('\n')
    for (const source of ['home', 'list', 'one'].map(hash)) expect(everywhere).toContain(source)
    expect(everywhere).toContain('openstreetmap')
    expect(rules.get('/')?.join()).not.toContain('openstreetmap')
    expect(rules.get('/')?.join()).not.toContain(hash('list'))
    expect(rules.get('/products')).toEqual(rules.get('/products/*'))
  })

  test('keeps hashed files for a year', () => {
    expect(rules.get('/_astro/*')).toEqual(['cache-control: public, max-age=31536000, immutable'])
  })

  test('asks for https only where the site is reached by it', () => {
    expect(rules.get('/*')?.join('\n')).toContain('strict-transport-security: max-age=31536000; includeSubDomains')
    expect(siteHeaders('http://localhost:4321')).not.toHaveProperty('strict-transport-security')
  })
})
