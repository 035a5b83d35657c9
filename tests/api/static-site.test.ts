import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { MESSAGES } from '#lib/messages.ts'
import { makePage, publishRelease, SMALL_SITE } from '../support/releases.ts'
import { openSite } from '../support/site-client.ts'

describe('Published site', () => {
  test('is served at URLs without an extension', async () => {
    const { get } = await openSite({
      ...SMALL_SITE,
      'blogs/pickle-care.html': makePage('Pickle care')
    })
    expect((await get('/')).text).toContain('<h1>Home</h1>')
    expect((await get('/products')).text).toContain('<h1>Products</h1>')
    expect((await get('/products?category=sweets')).text).toContain('<h1>Products</h1>')
    const post = await get('/blogs/pickle-care')
    expect(post).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' }
    })
  })

  test.for([
    ['/products/', '/products'],
    ['/products/?q=murukku&sort=rating', '/products?q=murukku&sort=rating'],
    ['/products.html?q=1', '/products?q=1'],
    ['/index.html', '/'],
    ['/my-orders', '/orders'],
    ['/my-orders/', '/orders'],
    ['/products/new-sweet/', '/products/new-sweet']
  ] as const)('redirects %s to %s', async ([requested, canonical]) => {
    const { get } = await openSite()
    expect(await get(requested)).toMatchObject({ status: 308, headers: { location: canonical } })
  })

  test.for([
    '//evil.example/',
    '//evil.example//',
    '/\\evil.example/',
    '/%5Cevil.example/',
    '/%2F%2Fevil.example/',
    '///',
    '/\\/evil.example/..//'
  ])('does not redirect to another site: %s', async path => {
    const { get } = await openSite()
    const { status, headers } = await get(path)
    expect([308, 404]).toContain(status)
    const target = new URL(String(headers['location'] ?? '/'), 'http://shop.example')
    expect(target.host).toBe('shop.example')
  })

  test('shows the not-found page with status 404 at other URLs', async () => {
    const { get, request } = await openSite()
    for (const path of [
      '/nothing',
      '/products/none',
      '/release.json',
      '/_headers',
      '/products.html.br',
      '/.env'
    ]) {
      const reply = await get(path)
      expect(reply.status, path).toBe(404)
      expect(reply.text, path).toContain(MESSAGES.notFound)
      expect(reply.headers['cache-control'], path).toBe('no-cache')
    }
    expect(await request('HEAD', '/nothing')).toMatchObject({ status: 404, text: '' })
    expect((await get('/404')).status).toBe(404)
  })

  test.for([
    '/%',
    '/%00',
    '/%E0%A4%A',
    '/../../etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/products/../../release.json',
    '/_astro/../release.json',
    '/__proto__',
    '/constructor',
    '/toString.html',
    '/*',
    '*',
    'http://evil.example/',
    `/${'a'.repeat(10_000)}`,
    `/${'%41/'.repeat(2000)}`,
    '/?%'
  ])('returns no server error and no internal file for the unusual URL %s', async path => {
    const { get } = await openSite()
    const { status, text } = await get(path)
    expect(status).toBeLessThan(500)
    expect(text).not.toContain('fingerprint')
    expect((await get('/')).status).toBe(200)
  })

  test.for(['/%', '/%E0%A4%A', '/products/%zz?category=sweets'])(
    'shows the not-found page for the malformed URL %s',
    async path => {
      const { get } = await openSite()
      const reply = await get(path)
      expect([reply.status, reply.text.includes(MESSAGES.notFound)]).toEqual([404, true])
    }
  )

  test('answers HEAD with the headers of GET', async () => {
    const { get, request } = await openSite()
    const full = await get('/products')
    const head = await request('HEAD', '/products')
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers['content-length']).toBe(String(full.raw.length))
    expect(head.headers['etag']).toBe(full.headers['etag'])
  })

  test('refuses POST, PUT, DELETE and PATCH', async () => {
    const { request } = await openSite()
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { status, text } = await request(method, '/products')
      expect([404, 405], method).toContain(status)
      expect(JSON.parse(text), method).toHaveProperty('message')
    }
  })

  test('returns JSON errors for unknown URLs under /api and /assets', async () => {
    const { get } = await openSite()
    for (const path of ['/api', '/api/nothing', '/assets/nothing.avif', '/%61pi/nothing']) {
      const { status, text } = await get(path)
      expect(status, path).toBe(404)
      expect(JSON.parse(text), path).toMatchObject({
        code: 'NOT_FOUND',
        message: 'Not found.'
      })
    }
  })
})

describe('Page response', () => {
  test.for([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.1, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['*', 'br'],
    ['identity, br;q=0.5', undefined],
    ['zstd', undefined]
  ] as const)('is compressed according to Accept-Encoding: %s', async ([accepted, encoding]) => {
    const { get } = await openSite()
    const { headers, raw } = await get('/_astro/shop.1a2b.js', { 'accept-encoding': accepted })
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['vary']).toContain('Accept-Encoding')
    const text =
      encoding === 'br' ? brotliDecompressSync(raw) : encoding === 'gzip' ? gunzipSync(raw) : raw
    expect(text.toString()).toBe(SMALL_SITE['_astro/shop.1a2b.js'])
  })

  test('has status 304 if the browser sends the current ETag of the same encoding', async () => {
    const { get } = await openSite()
    const etags = new Set<unknown>()
    for (const accepted of ['br', 'gzip', 'identity']) {
      const { headers } = await get('/products', { 'accept-encoding': accepted })
      etags.add(headers['etag'])
      const known = {
        'accept-encoding': accepted,
        'if-none-match': `"other", W/${String(headers['etag'])}`
      }
      const again = await get('/products', known)
      expect(again).toMatchObject({ status: 304, text: '' })
      expect(again.headers['etag']).toBe(headers['etag'])
    }
    expect(etags.size).toBe(3)
    expect((await get('/products', { 'if-none-match': '"old"' })).status).toBe(200)
  })

  test('must be revalidated by browsers, unless the file name contains a hash', async () => {
    const { get } = await openSite()
    expect((await get('/')).headers['cache-control']).toBe('public, max-age=0, must-revalidate')
    expect((await get('/_astro/shop.1a2b.js')).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable'
    )
    expect((await get('/_astro/gone.js')).headers['cache-control']).toBe('no-cache')
  })

  test('has the common security headers and the content security policy of its page', async () => {
    const { get } = await openSite()
    const { headers } = await get('/')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin-allow-popups'
    })
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-/
    )
    expect((await get('/products')).headers['content-security-policy']).toContain(
      "script-src 'self';"
    )
    expect((await get('/nowhere')).headers['content-security-policy']).toContain(
      "default-src 'none'"
    )
  })

  test('is complete even if the page is large', async () => {
    const large = makePage('Large', 'rice '.repeat(400_000))
    const { get, request } = await openSite({ ...SMALL_SITE, 'large.html': large })
    expect((await get('/large')).text).toBe(large)
    for (const [encoding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync]
    ] as const) {
      const { headers, raw } = await get('/large', { 'accept-encoding': encoding })
      expect(headers['content-encoding']).toBe(encoding)
      expect(decompress(raw).toString()).toBe(large)
    }
    expect(await request('HEAD', '/large')).toMatchObject({ status: 200, text: '' })
  })
})

test('A page that cannot be read is an error, not a page that does not exist', async () => {
  const { get, dataDir, warnings } = await openSite()
  await rm(join(dataDir, 'current', 'products.html'))
  await mkdir(join(dataDir, 'current', 'products.html'))
  expect((await get('/products')).status).toBe(500)
  expect(warnings.splice(0).join()).toContain('EISDIR')
})

describe('Switch to another release', () => {
  test('takes effect within a second if another process has published the release', async () => {
    const { get, dataDir, advanceClock } = await openSite()
    expect((await get('/')).text).toContain('<h1>Home</h1>')
    await publishRelease(dataDir, { ...SMALL_SITE, 'index.html': makePage('New home') })
    advanceClock(1000)
    expect((await get('/')).text).toContain('<h1>New home</h1>')
  })

  test('keeps the scripts of the previous release for pages that are open in browsers', async () => {
    const { get, dataDir, advanceClock } = await openSite()
    await publishRelease(dataDir, {
      'index.html': makePage('New home'),
      'products.html': makePage('Products'),
      '404.html': makePage('404'),
      'sitemap-index.xml': '<sitemapindex></sitemapindex>'
    })
    advanceClock(1000)
    expect((await get('/')).text).toContain('New home')
    expect((await get('/_astro/shop.1a2b.js')).text).toBe(SMALL_SITE['_astro/shop.1a2b.js'])
  })

  test('does not happen if the new release cannot be read', async () => {
    const { get, dataDir, advanceClock } = await openSite()
    await get('/')
    const id = await publishRelease(dataDir, { ...SMALL_SITE, 'index.html': makePage('New home') })
    await rm(join(dataDir, 'releases', id, 'release.json'))
    advanceClock(1000)
    expect((await get('/')).text).toContain('<h1>Home</h1>')
  })
})

test('Before the first release, every page shows that the shop is starting and reloads itself', async () => {
  const { get, dataDir, advanceClock } = await openSite(null)
  const { status, text, headers } = await get('/products')
  expect(status).toBe(503)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(text).toContain(`<h1>${MESSAGES.opening}</h1>`)
  expect(text).toContain('http-equiv="refresh"')
  expect((await get('/api/health')).status).toBe(200)
  await publishRelease(dataDir)
  advanceClock(1000)
  expect((await get('/products')).status).toBe(200)
})
