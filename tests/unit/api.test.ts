import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { api, apiBase, configureApi } from '#lib/api.ts'
import { ShopError } from '#lib/errors.ts'

type Answer = () => Response | Promise<Response>

let asked: { url: string; init: RequestInit }[] = []

beforeEach(() => {
  asked = []
})

/** Answers one call after the other; the last answer is repeated. */
function answer(...answers: Answer[]): void {
  configureApi({
    base: '/api',
    async send(url, init) {
      asked.push({ url, init })
      return (answers[asked.length - 1] ?? answers.at(-1) ?? noNetwork)()
    }
  })
}

const noNetwork: Answer = () => Promise.reject(new TypeError('fetch failed'))
const json =
  (body: unknown, status = 200): Answer =>
  () =>
    new Response(JSON.stringify(body), { status })

const MESSAGE = { name: 'Asha', email: 'asha@example.test', message: 'Vanakkam' }

describe('a call', () => {
  test('is named by its request line, with its parameters filled in', async () => {
    answer(json({ products: [] }))
    await api('GET /products/{id}', { params: { id: 'a/b c' } })
    await api('GET /catalog/live', { query: { ids: 'a,b' } })
    expect(asked.map(({ url }) => url)).toEqual(['/api/products/a%2Fb%20c', '/api/catalog/live?ids=a%2Cb'])
  })

  test('sends its body as JSON', async () => {
    answer(json({ message: 'Thanks', reference: 'M-1' }, 201))
    expect(await api('POST /contact', { body: MESSAGE })).toEqual({ message: 'Thanks', reference: 'M-1' })
    expect(asked[0]?.init).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(String(asked[0]?.init.body))).toEqual(MESSAGE)
  })

  test('of a visitor goes to the public base, also after the build has asked another', () => {
    configureApi({ base: 'http://127.0.0.1:4321/api' })
    expect(apiBase()).toBe('/api')
  })
})

describe('a token', () => {
  const told: unknown[] = []

  beforeEach(() => {
    told.length = 0
    configureApi({ token: () => 't0ken', onUnauthorized: (...words) => void told.push(words) })
  })
  afterEach(() => configureApi({ token: () => undefined, onUnauthorized: () => undefined }))

  test('goes with every call', async () => {
    answer(json([]))
    await api('GET /products')
    expect(new Headers(asked[0]?.init.headers).get('authorization')).toBe('Bearer t0ken')
  })

  test('that the shop does not take any more is told, before the call fails', async () => {
    answer(json({ code: 'UNAUTHORIZED', message: 'Please login again to continue' }, 401))
    await expect(api('GET /auth/me')).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
    expect(told).toEqual([['t0ken', 'GET /auth/me']])
  })

  test('that was not there is not missed', async () => {
    configureApi({ token: () => undefined })
    answer(json({}, 401))
    await expect(api('GET /auth/me')).rejects.toThrow()
    expect(told).toEqual([])
    expect(new Headers(asked[0]?.init.headers).has('authorization')).toBe(false)
  })
})

describe('without a network', () => {
  test('a read is tried once more', async () => {
    answer(noNetwork, json([]))
    expect(await api('GET /products')).toEqual([])
  })

  test('a read that finds none twice says so', async () => {
    answer(noNetwork)
    await expect(api('GET /products')).rejects.toThrow(new ShopError('OFFLINE'))
    expect(asked).toHaveLength(2)
  })

  test('a write is never repeated by itself', async () => {
    answer(noNetwork)
    await expect(api('POST /contact', { body: MESSAGE })).rejects.toMatchObject({ code: 'OFFLINE' })
    expect(asked).toHaveLength(1)
  })
})

describe('a refusal', () => {
  test('carries the server’s code, words and fields', async () => {
    const fields = { email: 'Please enter a valid email address' }
    answer(json({ code: 'INVALID_INPUT', message: fields.email, fields }, 400))
    await expect(api('POST /contact', { body: MESSAGE })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: fields.email,
      fields
    })
  })

  test('says when it is worth trying again', async () => {
    const body = JSON.stringify({ code: 'TOO_MANY_REQUESTS', message: 'Please wait.' })
    answer(() => new Response(body, { status: 429, headers: { 'retry-after': '60' } }))
    await expect(api('GET /products')).rejects.toMatchObject({ message: 'Please wait.', retryAfter: 60 })
  })

  test.for([
    [502, 'INTERNAL'],
    [418, 'MALFORMED_REQUEST']
  ] as const)('by something that is not the shop (%i) is %s', async ([status, code]) => {
    answer(() => new Response('<html>nginx</html>', { status }))
    await expect(api('GET /products')).rejects.toMatchObject({ code })
  })
})
