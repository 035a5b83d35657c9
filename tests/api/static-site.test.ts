import { rm } from 'node:fs/promises'
import { request, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MESSAGES } from '#lib/messages.ts'
import { buildApp } from '#server/app.ts'
import { openReleases } from '#server/publishing/release/store.ts'
import {
  makePage,
  openTestPublisher,
  type SiteFiles,
  SMALL_SITE
} from '../support/test-publisher.ts'

type Get = (
  path: string,
  headers?: Record<string, string>,
  method?: string
) => Promise<{ status: number; headers: IncomingHttpHeaders; raw: Buffer; text: string }>

/** `files: null` starts a site without a published release. */
async function openSite(files: SiteFiles | null = SMALL_SITE) {
  const publisher = await openTestPublisher()
  const { database, write, config } = publisher
  const { dataDir } = config
  const publish = (next: SiteFiles) => {
    publisher.setFiles(next)
    return publisher.publishRelease({ force: true })
  }
  if (files) await publish(files)
  let ticks = 0
  const warnings: string[] = []
  const app = await buildApp({
    config: { ...config, logLevel: 'warn' },
    database,
    write,
    clock: Date.now,
    site: { releases: openReleases(dataDir, () => ticks) },
    logTarget: { write: line => void warnings.push(line) }
  })
  onTestFinished(async () => {
    await app.close()
    expect(warnings).toEqual([])
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  // Unlike fetch, sends every path as it is.
  const get: Get = (path, headers = {}, method = 'GET') =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, method, path, headers, agent: false }
      const sent = request(options, response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const raw = Buffer.concat(chunks)
          const { statusCode: status = 0, headers } = response
          resolve({ status, headers, raw, text: raw.toString() })
        })
      })
      sent.on('error', reject).end()
    })
  return { get, publish, dataDir, advanceClock: (ms: number) => void (ticks += ms) }
}

describe('Published site', () => {
  test('is served at URLs without an extension, and redirects others to them', async () => {
    const { get } = await openSite({ ...SMALL_SITE, 'blogs/care.html': makePage('Pickle care') })
    expect((await get('/')).text).toContain('<h1>Home</h1>')
    expect((await get('/products?category=sweets')).text).toContain('<h1>Products</h1>')
    const { status, headers } = await get('/blogs/care')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const [requested, location] of [
      ['/products/', '/products'],
      ['/products/?q=murukku&sort=rating', '/products?q=murukku&sort=rating'],
      ['/products.html?q=1', '/products?q=1'],
      ['/index.html', '/'],
      ['/my-orders', '/orders'],
      ['/my-orders/', '/orders'],
      ['/products/new-sweet/', '/products/new-sweet']
    ] as const)
      expect(await get(requested)).toMatchObject({ status: 308, headers: { location } })
  })

  test('does not redirect to another site', async () => {
    const { get } = await openSite()
    for (const path of [
      '//evil.example/',
      '/\\evil.example/',
      '/%5Cevil.example/',
      '/\\/evil.example/..//'
    ]) {
      const { status, headers } = await get(path)
      expect([308, 404], path).toContain(status)
      const target = new URL(String(headers['location'] ?? '/'), 'http://shop.example')
      expect(target.host, path).toBe('shop.example')
    }
  })

  test('shows the not-found page with status 404 at other URLs', async () => {
    const { get } = await openSite()
    for (const path of [
      '/nothing',
      '/products/none',
      '/404',
      '/release.json',
      '/_headers',
      '/products.html.br',
      '/.env',
      '/%',
      '/%E0%A4%A',
      '/%00',
      '/../../etc/passwd',
      '/..%2f..%2fetc%2fpasswd',
      '/_astro/../release.json',
      '/__proto__',
      `/${'a'.repeat(10_000)}`
    ]) {
      const reply = await get(path)
      expect(reply.status, path).toBe(404)
      expect(reply.text, path).toContain(MESSAGES.notFound)
      expect(reply.headers['cache-control'], path).toBe('no-cache')
    }
    expect(await get('/nothing', {}, 'HEAD')).toMatchObject({ status: 404, text: '' })
  })

  test('returns JSON errors for unknown URLs under /api and /assets', async () => {
    const { get } = await openSite()
    for (const path of ['/api', '/api/nothing', '/assets/nothing.avif', '/%61pi/nothing']) {
      const { status, text } = await get(path)
      expect(status, path).toBe(404)
      expect(JSON.parse(text), path).toMatchObject({ code: 'NOT_FOUND', message: 'Not found.' })
    }
  })
})

describe('Page response', () => {
  test('is compressed according to Accept-Encoding', async () => {
    const { get } = await openSite()
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0.1, gzip', 'gzip'],
      ['br;q=0, gzip;q=0', undefined],
      ['identity, br;q=0.5', undefined]
    ] as const) {
      const { headers, raw } = await get('/_astro/shop.1a2b.js', { 'accept-encoding': accepted })
      expect(headers['content-encoding'], accepted).toBe(encoding)
      expect(headers['vary']).toContain('Accept-Encoding')
      const text =
        encoding === 'br' ? brotliDecompressSync(raw) : encoding === 'gzip' ? gunzipSync(raw) : raw
      expect(text.toString()).toBe(SMALL_SITE['_astro/shop.1a2b.js'])
    }
  })

  test('has status 304 if the browser sends the current ETag of the same encoding', async () => {
    const { get } = await openSite()
    const etags = new Set<unknown>()
    for (const accepted of ['br', 'gzip', 'identity']) {
      const { etag } = (await get('/products', { 'accept-encoding': accepted })).headers
      etags.add(etag)
      const known = { 'accept-encoding': accepted, 'if-none-match': `"other", W/${String(etag)}` }
      const again = await get('/products', known)
      expect(again).toMatchObject({ status: 304, text: '', headers: { etag } })
    }
    expect(etags.size).toBe(3)
    expect((await get('/products', { 'if-none-match': '"old"' })).status).toBe(200)
  })

  test('must be revalidated by browsers, unless the file name contains a hash', async () => {
    const { get } = await openSite()
    const full = await get('/')
    expect(full.headers['cache-control']).toBe('public, max-age=0, must-revalidate')
    expect((await get('/_astro/shop.1a2b.js')).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable'
    )
    expect((await get('/_astro/gone.js')).headers['cache-control']).toBe('no-cache')
    const head = await get('/', {}, 'HEAD')
    expect(head).toMatchObject({ status: 200, text: '', headers: { etag: full.headers['etag'] } })
    expect(head.headers['content-length']).toBe(String(full.raw.length))
  })

  test('has the common security headers and the content security policy of its page', async () => {
    const { get } = await openSite()
    expect((await get('/')).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self' 'sha256-/
      )
    })
    for (const path of ['/products', '/nowhere'])
      expect((await get(path)).headers['content-security-policy'], path).toContain(
        "script-src 'self';"
      )
  })
})

test('A release of another process is served within a second, if it can be read', async () => {
  const { get, publish, dataDir, advanceClock } = await openSite()
  const newHome = { ...SMALL_SITE, 'index.html': makePage('New home') }
  await get('/')
  const damaged = await publish(newHome)
  await rm(join(dataDir, 'releases', damaged, 'release.json'))
  advanceClock(1000)
  expect((await get('/')).text).toContain('<h1>Home</h1>')
  await publish(newHome)
  advanceClock(1000)
  expect((await get('/')).text).toContain('<h1>New home</h1>')
})

test('Before the first release, every page shows that the shop is starting and reloads itself', async () => {
  const { get, publish, advanceClock } = await openSite(null)
  const { status, text, headers } = await get('/products')
  expect(status).toBe(503)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(text).toContain('<h1>The shop is opening</h1>')
  expect(text).toContain('http-equiv="refresh"')
  expect((await get('/api/health')).status).toBe(200)
  await publish(SMALL_SITE)
  advanceClock(1000)
  expect((await get('/products')).status).toBe(200)
})
