import { beforeEach, describe, expect, test } from 'vitest'
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

  test.for([
    [502, 'INTERNAL'],
    [418, 'MALFORMED_REQUEST']
  ] as const)('by something that is not the shop (%i) is %s', async ([status, code]) => {
    answer(() => new Response('<html>nginx</html>', { status }))
    await expect(api('GET /products')).rejects.toMatchObject({ code })
  })
})
