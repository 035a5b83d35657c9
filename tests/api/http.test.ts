import { Agent, get, type IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { SECTION_NAMES } from '#lib/contract/names.ts'
import { SECOND } from '#lib/time.ts'
import { readCounters } from '#server/platform/db/counters.ts'
import { drain } from '#server/platform/http/server.ts'
import { expectOk } from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { listSources } from '../support/sources.ts'
import { openShop, type Shop } from '../support/shop.ts'

const products = { laddu: {} }

describe.each(ENGINES)('Availability on %s', engine => {
  test('is reported by GET /health, and lost calls return 503 with Retry-After', async () => {
    const shop = await openShop(engine, { hasOwnApp: true })
    expect(await shop.get('/health')).toMatchObject({
      status: 200,
      body: { status: 'ok' },
      headers: { 'cache-control': 'no-store' }
    })
    await shop.database.close()
    const message = { name: 'Anita', email: 'anita@example.com', message: 'Vanakkam' }
    for (const reply of [
      await shop.get('/health'),
      await shop.get('/products'),
      await shop.post('/contact', message)
    ])
      expect(reply).toMatchObject({
        status: 503,
        body: { code: 'UNAVAILABLE' },
        headers: { 'retry-after': '5' }
      })
  })

  test('of writes is reported by GET /health/ready, which writes at most every two seconds', async () => {
    const shop = await openShop(engine)
    for (let n = 0; n < 6; n++) {
      await expectOk(shop.get('/health/ready'))
      shop.clock.advance(SECOND)
    }
    expect(await readCounters(shop.database.kysely, ['readiness checks'])).toEqual({
      'readiness checks': 3
    })
    await forbidWrites(shop)
    shop.clock.advance(SECOND)
    expect(await shop.get('/health/ready')).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE' }
    })
    await expectOk(shop.get('/health'))
  })
})

test('An unexpected error returns 500 without details and logs them', async () => {
  const lines: string[] = []
  const shop = await openShop('sqlite', { logTarget: { write: line => void lines.push(line) } })
  await shop.database.kysely.schema.dropTable('product_pictures').execute()
  const reply = await shop.get('/products')
  expect([reply.status, reply.body]).toEqual([
    500,
    { message: 'Something went wrong on our side.', code: 'INTERNAL' }
  ])
  const logged = lines.find(line => line.includes('no such table'))
  expect(logged).toContain(`"reqId":"${String(reply.headers['x-request-id'])}"`)
})

describe('API headers', () => {
  test('forbid MIME sniffing, framing and scripts, and forbid caching of flash deals', async () => {
    const shop = await openShop('sqlite', { products })
    const { headers: deals } = await shop.get('/flash-deals')
    const others = [await shop.get('/products/laddu'), await shop.get('/nothing')]
    for (const headers of [deals, ...others.map(reply => reply.headers)]) {
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin'
      })
      expect(headers).not.toHaveProperty('strict-transport-security')
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
    expect(deals['cache-control']).toBe('no-store')
  })

  const preflight = {
    method: 'OPTIONS',
    url: '/api/contact',
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
  } as const

  test('allow JSON and a token from the configured site on another origin, and require HTTPS', async () => {
    const shop = await openShop('sqlite', {
      config: { siteUrl: 'https://shop.example', publicApiBase: 'https://api.shop.example/api' }
    })
    const { status, headers } = await shop.request(preflight)
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-headers': 'content-type, authorization, if-none-match, device-token',
      'strict-transport-security': expect.stringMatching(/^max-age=31536000/)
    })
    const refused = await shop.get('/products/pizza', { origin: 'https://evil.example' })
    expect(refused.headers['access-control-allow-origin']).toBe('https://shop.example')
    expect(refused.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  test('allow no other origin unless one is configured', async () => {
    expect((await (await openShop()).request(preflight)).status).toBe(404)
  })
})

describe('API documentation', () => {
  test('lists every call of the contract and of other programs', async () => {
    const shop = await openShop()
    const { body } = await shop.get('/docs/json')
    const { paths } = body as { paths: object }
    const calls = listSources('src/lib/contract').flatMap(({ code }) => [
      ...code.matchAll(/'[A-Z]+ (\/[^']+)': /g)
    ])
    const settings = SECTION_NAMES.flatMap(name =>
      ['', '/versions', '/versions/{version}'].map(rest => `/admin/settings/${name}${rest}`)
    )
    // Publishing calls exist only when the server publishes the site.
    const contractPaths = new Set(
      [...calls.map(([, path = '']) => path), ...settings].filter(
        path => !path.startsWith('/admin/publishing') && !path.includes('{section}')
      )
    )
    // Other programs or browser navigation call these paths, therefore the contract does not list
    // them.
    const otherPaths = [
      '/backups/{ticket}',
      '/health',
      '/health/ready',
      '/payments/razorpay-callback',
      '/payments/razorpay-webhook'
    ]
    expect(Object.keys(paths).toSorted()).toEqual([...contractPaths, ...otherPaths].toSorted())
  })

  test('is served without links to other origins and with a strict content security policy', async () => {
    const shop = await openShop()
    for (const path of ['/docs', '/docs/', '/docs/static/swagger-ui-bundle.js']) {
      const { status, headers, text } = await shop.get(path)
      expect(status, path).toBe(200)
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/)
      if (!path.endsWith('.js')) expect(text).not.toMatch(/https?:/)
    }
    for (const path of ['/docs/static/../../nothing', '/docs/nothing'])
      expect(await shop.get(path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })
})

test('Draining fails the health checks, serves requests and then closes all connections', async () => {
  const shop = await openShop('sqlite', { products })
  const url = await shop.app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (path: string): Promise<unknown[]> =>
    request(`${url}/api${path}`, agent).then(({ statusCode, headers }) => [
      statusCode,
      headers.connection
    ])
  expect(await ask('/products')).toEqual([200, 'keep-alive'])
  const draining = drain(shop.app, 50)
  expect(await ask('/products'), 'on the connection that was open').toEqual([200, 'close'])
  expect(await ask('/health')).toEqual([503, 'close'])
  expect(await ask('/health/ready')).toEqual([503, 'close'])
  expect(await shop.get('/health')).toMatchObject({
    headers: { 'retry-after': '5' },
    body: { code: 'UNAVAILABLE' }
  })
  expect(await ask('/docs/'), 'on a new connection').toEqual([200, 'close'])
  await draining
  await shop.app.close()
  agent.destroy()
})

function request(url: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, reply => {
      reply.resume()
      reply.on('end', () => resolve(reply))
    }).on('error', reject)
  })
}

async function forbidWrites({ database: { kysely, dialect } }: Shop) {
  if (dialect === 'sqlite') await sql`pragma query_only = on`.execute(kysely)
  // Unlike a setting, it applies to connections that are already open.
  else await sql`alter table counters add check (value < 0) not valid`.execute(kysely)
}
