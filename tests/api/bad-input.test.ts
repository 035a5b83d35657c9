import { describe, expect, test } from 'vitest'
import { expectBody, expectOk, expectOutcome, logInAsAdmin } from '../support/accounts.ts'
import { CUSTOMER, addShopper, buy, callAs, openCheckoutShop } from '../support/checkout.ts'
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
// PostgreSQL can't store null characters and halves of an emoji.
const UNSTORABLE = ['\0', '\ud83d']
const PICKLES = { laddu: { category: 'pickles' } } as const

const UNKNOWN_IDS = [
  '..%2f..%2fetc%2fpasswd',
  'laddu%00',
  '%20',
  '__proto__',
  "';%20drop%20table%20products;--",
  'LADDU',
  'laddu%2F',
  'x'.repeat(5000)
]
async function expectRunning(shop: Shop) {
  await expectOk(shop.get('/products/laddu'))
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
    await expectOutcome(shop.request(withBody), '400 MALFORMED_REQUEST')
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

  test('refuses invalid lists of ids and amounts that no database can store', async () => {
    const shop = await openSmallShop()
    const order = { amount: 1e15 }
    await expectOutcome(
      callAs(await addShopper(shop), shop, 'POST /payments/razorpay-order', order),
      '400 INVALID_INPUT'
    )
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
})

test('Texts of requests must be texts that every database can store', async () => {
  const shop = await openShop()
  const { paths } = (await shop.get('/docs/json')).body as {
    paths: Record<string, Record<string, object>>
  }
  const unchecked = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(
      ([method, { responses: _, ...request }]: [string, { responses?: object }]) =>
        listUncheckedTexts(request, `${method} ${path}`)
    )
  )
  // The cells of a table are checked one by one.
  expect(unchecked.filter(path => !path.endsWith('properties csv'))).toEqual([])
})

describe.for(ENGINES)('Line breaks in a name on %s', engine => {
  const INJECTED = 'Anita\r\n\nYou have won.\u2028http://evil.example'
  const linesOf = (text: string) => text.split(/[\r\n\u2028\u2029]+/)

  test('become spaces wherever a name enters', async () => {
    const shop = await openCheckoutShop(engine, { products: PICKLES })
    const anita = await addShopper(shop)
    for (const text of UNSTORABLE)
      expect((await callAs(anita, shop, 'PUT /auth/profile', { name: text })).status).toBe(400)
    await callAs(anita, shop, 'PUT /auth/profile', { name: INJECTED, address: { street: '1\n2' } })
    await expectBody(callAs(anita, shop, 'GET /auth/me'), {
      name: 'Anita You have won. http://evil.example',
      address: { street: '1 2' }
    })
    await expectOutcome(
      callAs(anita, shop, 'PUT /auth/profile', { name: '\u0001' }),
      '400 INVALID_INPUT'
    )
    await shop.post('/contact', {
      name: INJECTED,
      email: 'anita@example.com',
      message: 'One\n\nTwo'
    })
    const order = await buy(shop, anita, [{ product: 'laddu', quantity: 1 }], {
      customerDetails: { ...CUSTOMER, name: INJECTED }
    })
    expect(order.customerDetails.name).toBe('Anita You have won. http://evil.example')
    await shop.deliverMails()
    expect(shop.mails.length).toBeGreaterThan(2)
    for (const { text, subject } of shop.mails) {
      expect(linesOf(text).filter(line => /^(You have|http:..evil)/.test(line))).toEqual([])
      expect(linesOf(subject)).toHaveLength(1)
    }
    expect(shop.mails.some(({ text }) => text.includes('One\n\nTwo'))).toBe(true)
  })
})

interface TextSchema {
  type?: string
  enum?: unknown
  const?: unknown
  pattern?: string
  allOf?: { pattern?: string }[]
}

/** Texts that are no choice and accept a null character or half an emoji. */
function listUncheckedTexts(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, enum: choices, const: constant, pattern, allOf = [] } = schema as TextSchema
  const patterns = [pattern, ...allOf.map(part => part.pattern)].filter(
    found => found !== undefined
  )
  const hasCheck =
    (choices ?? constant) !== undefined ||
    UNSTORABLE.every(text => patterns.some(each => !new RegExp(each, 'u').test(text)))
  if (type === 'string' && !hasCheck) return [path]
  return Object.entries(schema).flatMap(([name, part]) =>
    listUncheckedTexts(part, `${path} ${name}`)
  )
}
