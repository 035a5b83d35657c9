import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { logInAsAdmin, statusAndCode } from '../support/accounts.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { openShop, type Shop } from '../support/shop.ts'

const PUBLIC_PATHS = [
  '/products',
  '/products/laddu',
  '/catalog/live',
  '/pictures',
  '/blog',
  '/discounted-products',
  '/flash-deals',
  '/health'
]
const JSON_TYPE = { 'content-type': 'application/json' }

const UNKNOWN_IDS = [
  '..%2f..%2fetc%2fpasswd',
  '..',
  '%00',
  'laddu%00',
  '%20',
  '__proto__',
  'toString',
  '%F0%9F%8D%AC',
  "';%20drop%20table%20products;--",
  '<script>',
  'LADDU',
  'laddu%2F',
  'x'.repeat(5000)
]
async function expectRunning(shop: Shop): Promise<void> {
  expect((await shop.get('/products/laddu')).status).toBe(200)
}

const openSmallShop = (engine: Engine = 'sqlite'): Promise<Shop> =>
  openShop(engine, { products: { laddu: {} } })

describe('API with bad input', () => {
  // PostgreSQL refuses some of these texts.
  test.for(ENGINES)('returns 404 for unknown product ids on %s', async engine => {
    const shop = await openSmallShop(engine)
    for (const id of UNKNOWN_IDS)
      expect(await shop.get(`/products/${id}`), id).toMatchObject({
        status: 404,
        body: { code: expect.stringMatching(/NOT_FOUND$/) }
      })
    await expectRunning(shop)
  })

  test('returns 400 for malformed URL encodings and bodies that are no JSON object', async () => {
    const shop = await openSmallShop()
    const malformed = { status: 400, body: { code: 'MALFORMED_REQUEST' } }
    for (const id of ['%', '%zz', '%E0%A4%A', 'laddu%'])
      expect(await shop.get(`/products/${id}`), id).toMatchObject(malformed)
    const invalid = ['{', '', '{"name":}', '{"__proto__":{"admin":true}}', '\u0000', '{"name":"a"']
    for (const payload of [...invalid, '[]', 'null', '"text"', '42', 'true'])
      expect(await shop.post('/contact', payload, JSON_TYPE), payload).toMatchObject(malformed)
    await expectRunning(shop)
  })

  test('accepts an empty body with a content type where a call takes none', async () => {
    const shop = await openShop('sqlite', {
      products: { laddu: {} },
      deals: { festival: { product: 'laddu' } }
    })
    const { token } = await logInAsAdmin(shop)
    const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` }
    for (const [method, path] of [
      ['POST', '/flash-deals/generate/laddu'],
      ['DELETE', '/cart'],
      ['DELETE', '/discounted-products/festival']
    ] as const)
      expect((await shop.request({ method, url: `/api${path}`, headers })).status, path).toBe(200)
    const withBody = { method: 'DELETE', url: '/api/cart', headers, payload: '{' } as const
    expect(statusAndCode(await shop.request(withBody))).toBe('400 MALFORMED_REQUEST')
  })

  test('returns 413 for a body over 64 kB and 415 for other types than JSON', async () => {
    const shop = await openSmallShop()
    expect(await shop.post('/contact', { name: 'x'.repeat(70_000) })).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LARGE' }
    })
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'nonsense'])
      expect(await shop.post('/contact', 'name=x', { 'content-type': type }), type).toMatchObject({
        status: 415,
        body: { code: 'UNSUPPORTED_MEDIA_TYPE' }
      })
    await expectRunning(shop)
  })

  test('ignores unknown query parameters', async () => {
    const shop = await openSmallShop()
    for (const path of PUBLIC_PATHS) {
      const reply = await shop.get(`${path}?utm_source=x&__proto__[a]=1&page=-1&x=%00&%`)
      expect([reply.status, reply.body], path).toEqual([200, (await shop.get(path)).body])
    }
  })

  test('refuses invalid lists of ids', async () => {
    const shop = await openSmallShop()
    for (const query of ['?ids=a&ids=b', `?ids=${'a,'.repeat(3000)}`])
      expect(await shop.get(`/catalog/live${query}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { ids: expect.any(String) } }
      })
  })

  test('returns 404 at unknown addresses and for methods other than GET and HEAD', async () => {
    const shop = await openSmallShop()
    const notFound = { status: 404, body: { message: 'Not found.', code: 'NOT_FOUND' } }
    for (const url of ['/api', '/api/', '/api/products/laddu/more', '/api//products', '/nothing'])
      expect(await shop.request({ url }), url).toMatchObject(notFound)
    for (const path of PUBLIC_PATHS) {
      const url = `/api${path}`
      expect((await shop.request({ method: 'HEAD', url })).status, path).toBe(200)
      for (const method of ['OPTIONS', 'DELETE', 'PUT', 'PATCH', 'POST'] as const)
        if (`${method} ${path}` !== 'POST /discounted-products')
          expect(
            await shop.request({ method, url, payload: '{', headers: JSON_TYPE }),
            `${method} ${path}`
          ).toMatchObject(notFound)
    }
  })

  test('refuses malformed HTTP requests and continues to run', async () => {
    const shop = await openSmallShop()
    await shop.app.listen({ host: '127.0.0.1', port: 0 })
    expect(await sendRaw(shop, 'nonsense\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [^]*"code":"MALFORMED_REQUEST"/
    )
    const header = `GET /api/products HTTP/1.1\r\nHost: shop\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`
    expect(await sendRaw(shop, header)).toMatch(/^HTTP\/1\.1 431 /)
    await expectRunning(shop)
  })
})

function sendRaw({ app }: Shop, request: string): Promise<string> {
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return new Promise((resolve, reject) => {
    let response = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('data', chunk => (response += chunk.toString()))
    socket.on('close', () => resolve(response))
    socket.on('error', reject)
  })
}
