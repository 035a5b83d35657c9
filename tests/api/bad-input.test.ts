import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ENGINES } from '../support/database.ts'
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
const ADMIN_CALLS = ['POST /discounted-products']
const JSON_TYPE = { 'content-type': 'application/json' }

async function expectRunning(shop: Shop): Promise<void> {
  expect((await shop.get('/products/laddu')).status).toBe(200)
}

describe.each(ENGINES)('API with bad input on %s', engine => {
  const products = { laddu: {} }

  test.for([
    '..%2f..%2fetc%2fpasswd',
    '..',
    '%00',
    'laddu%00',
    '%20',
    '__proto__',
    'constructor',
    'toString',
    '%F0%9F%8D%AC',
    "';%20drop%20table%20products;--",
    '<script>',
    '{id}',
    'LADDU',
    'laddu/',
    'laddu%2F',
    'x'.repeat(201),
    'x'.repeat(5000)
  ])('returns 404 for the unknown product id %s', async id => {
    const shop = await openShop(engine, { products })
    const reply = await shop.get(`/products/${id}`)
    expect(reply).toMatchObject({ status: 404, body: { code: expect.stringMatching(/NOT_FOUND$/) } })
    await expectRunning(shop)
  })

  test.for(['%', '%zz', '%E0%A4%A', 'laddu%'])('returns 400 for the malformed URL encoding %s', async id => {
    const shop = await openShop(engine, { products })
    expect(await shop.get(`/products/${id}`)).toMatchObject({ status: 400, body: { code: 'MALFORMED_REQUEST' } })
    await expectRunning(shop)
  })

  test.for(['{', '', '{"name":}', '{"__proto__":{"admin":true}}', '\u0000', '{"name":"a"'])(
    'returns 400 for the invalid JSON body %s',
    async payload => {
      const shop = await openShop(engine, { products })
      const reply = await shop.request({ method: 'POST', url: '/api/contact', payload, headers: JSON_TYPE })
      expect(reply).toMatchObject({ status: 400, body: { code: 'MALFORMED_REQUEST' } })
      await expectRunning(shop)
    }
  )

  test.for(['[]', 'null', '"text"', '42', 'true'])('returns 400 for the non-object body %s', async payload => {
    const shop = await openShop(engine, { products })
    const reply = await shop.request({ method: 'POST', url: '/api/contact', payload, headers: JSON_TYPE })
    expect(reply).toMatchObject({ status: 400, body: { code: 'MALFORMED_REQUEST' } })
  })

  test('names the fields that have the wrong type', async () => {
    const shop = await openShop(engine, { products })
    const body = { name: 42, email: ['a@example.com'], message: { text: 'x' }, website: 7 }
    expect(await shop.post('/contact', body)).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_INPUT',
        fields: {
          name: 'Please enter your name',
          email: 'Please enter your email',
          message: 'Please enter your message',
          website: 'Please check this.'
        }
      }
    })
  })

  test('returns 413 for a body over 64 kB', async () => {
    const shop = await openShop(engine, { products })
    const reply = await shop.post('/contact', { name: 'x'.repeat(70_000) })
    expect(reply).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } })
    await expectRunning(shop)
  })

  test.for(['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'nonsense'])(
    'returns 415 for a body of type %s',
    async type => {
      const shop = await openShop(engine, { products })
      const reply = await shop.request({
        method: 'POST',
        url: '/api/contact',
        payload: 'name=x',
        headers: { 'content-type': type }
      })
      expect(reply).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } })
    }
  )

  test.for(PUBLIC_PATHS)('ignores unknown query parameters of %s', async path => {
    const shop = await openShop(engine, { products })
    const reply = await shop.get(`${path}?utm_source=x&__proto__[a]=1&page=-1&x=%00&%`)
    expect([reply.status, reply.body]).toEqual([200, (await shop.get(path)).body])
  })

  test.for(['?ids=a&ids=b', `?ids=${'a,'.repeat(3000)}`])('refuses an invalid list of ids', async query => {
    const shop = await openShop(engine, { products })
    expect(await shop.get(`/catalog/live${query}`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', fields: { ids: expect.any(String) } }
    })
  })

  test.for(PUBLIC_PATHS)('returns 404 to visitors for methods other than GET and HEAD at %s', async path => {
    const shop = await openShop(engine, { products })
    expect((await shop.request({ method: 'HEAD', url: `/api${path}` })).status).toBe(200)
    for (const method of ['OPTIONS', 'DELETE', 'PUT', 'PATCH', 'POST'] as const) {
      if (ADMIN_CALLS.includes(`${method} ${path}`)) continue
      const reply = await shop.request({ method, url: `/api${path}`, payload: '{', headers: JSON_TYPE })
      expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
  })

  test.for(['/api', '/api/', '/api/nothing', '/api/products/laddu/more', '/api//products', '/api/..', '/nothing'])(
    'returns 404 at %s',
    async url => {
      const shop = await openShop(engine, { products })
      const body = { message: 'Not found.', code: 'NOT_FOUND' }
      expect(await shop.request({ url })).toMatchObject({ status: 404, body })
    }
  )

  test('refuses malformed HTTP requests and continues to run', async () => {
    const shop = await openShop(engine, { products })
    await shop.app.listen({ host: '127.0.0.1', port: 0 })
    expect(await sendRaw(shop, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*"code":"MALFORMED_REQUEST"/)
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
