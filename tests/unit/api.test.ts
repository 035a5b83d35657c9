import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { api, configureApi } from '#lib/api.ts'
import { assertShopError, toErrorText, ShopError, type ErrorCode } from '#lib/errors.ts'
import { toErrorBody } from '#server/platform/http/errors.ts'
import { ERRORS } from '#lib/error-catalogue.ts'

type Reply = () => Response | Promise<Response>

let requests: { url: string; init: RequestInit }[] = []

beforeEach(() => {
  requests = []
})

/** Sets the replies of the API, one per call. The last reply is repeated. */
function replyWith(...replies: Reply[]) {
  configureApi({
    base: '/api',
    async send(url, init) {
      requests.push({ url, init })
      return (replies[requests.length - 1] ?? replies.at(-1) ?? noNetwork)()
    }
  })
}

const noNetwork: Reply = () => Promise.reject(new TypeError('fetch failed'))
const json =
  (body: unknown, status = 200): Reply =>
  () =>
    new Response(JSON.stringify(body), { status })

const MESSAGE = { name: 'Asha', email: 'asha@example.test', message: 'Vanakkam' }

describe('API call', () => {
  test('escapes path and query parameters in the URL', async () => {
    replyWith(json({ products: [] }))
    await api('GET /products/{id}', { params: { id: 'a/b c' } })
    await api('GET /catalog/live', { query: { ids: 'a,b' } })
    expect(requests.map(({ url }) => url)).toEqual([
      '/api/products/a%2Fb%20c',
      '/api/catalog/live?ids=a%2Cb'
    ])
  })

  test('sends its body as JSON', async () => {
    replyWith(json({ message: 'Thanks', reference: 'M-1' }, 201))
    expect(await api('POST /contact', { body: MESSAGE })).toEqual({
      message: 'Thanks',
      reference: 'M-1'
    })
    expect(requests[0]?.init).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' }
    })
    expect(JSON.parse(String(requests[0]?.init.body))).toEqual(MESSAGE)
  })
})

describe('Reply to a call that the page made before its scripts arrived', () => {
  test('is used once, by a GET call to the same address', async () => {
    vi.resetModules()
    const fresh = await import('#lib/api.ts')
    const sent: unknown[] = []
    vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
      sent.push(`${method} ${url}`)
      return json({ name: 'later' })()
    })
    vi.stubGlobal(
      'earlyReplies',
      new Map([['/api/auth/me', Promise.resolve(json({ name: 'early' })())]])
    )
    onTestFinished(() => void vi.unstubAllGlobals())
    expect([await fresh.api('GET /auth/me'), await fresh.api('GET /auth/me')]).toMatchObject([
      { name: 'early' },
      { name: 'later' }
    ])
    expect(sent).toEqual(['GET /api/auth/me'])
  })

  test('is asked for again if it was lost', async () => {
    vi.resetModules()
    const fresh = await import('#lib/api.ts')
    const lost = Promise.reject(new TypeError('Failed to fetch'))
    vi.stubGlobal('fetch', json({ name: 'later' }))
    vi.stubGlobal('earlyReplies', new Map([['/api/auth/me', lost]]))
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(await fresh.api('GET /auth/me')).toEqual({ name: 'later' })
  })
})

test('A 401 reply is not reported as an expired session if no token was sent', async () => {
  const rejections: unknown[] = []
  configureApi({ token: () => undefined, onUnauthorized: (...args) => void rejections.push(args) })
  onTestFinished(() => configureApi({ onUnauthorized: () => undefined }))
  replyWith(json({}, 401))
  await expect(api('GET /auth/me')).rejects.toThrow()
  expect(rejections).toEqual([])
  expect(new Headers(requests[0]?.init.headers).has('authorization')).toBe(false)
})

describe('API call without network', () => {
  test('retries a GET request once', async () => {
    replyWith(noNetwork, json([]))
    expect(await api('GET /products')).toEqual([])
  })

  test('fails with OFFLINE after two attempts', async () => {
    replyWith(noNetwork)
    const error = await api('GET /products').catch(assertShopError)
    expect(toErrorText(error as ShopError, 'fallback')).toBe(
      'We cannot reach the shop. Check your connection and try again.'
    )
    expect(requests).toHaveLength(2)
  })

  test('does not retry a POST request', async () => {
    replyWith(noNetwork)
    await expect(api('POST /contact', { body: MESSAGE })).rejects.toMatchObject({ code: 'OFFLINE' })
    expect(requests).toHaveLength(1)
  })
})

describe('API error', () => {
  test('contains the code, message and fields of the server, and the seconds of Retry-After', async () => {
    const fields = { email: 'Please enter a valid email address' }
    const body = { code: 'INVALID_INPUT', message: fields.email, fields }
    replyWith(() => Response.json(body, { status: 429, headers: { 'retry-after': '60' } }))
    await expect(api('POST /contact', { body: MESSAGE })).rejects.toMatchObject({
      ...body,
      retryAfter: 60
    })
  })

  test.for([
    '{}',
    'null',
    '{"message":["Account is blocked"]}',
    '<html><body>Bad Gateway</body></html>'
  ])('has no message if the reply has none, so that forms show their own text: %s', async body => {
    for (const status of [401, 500]) {
      replyWith(() => new Response(body, { status }))
      const error = await api('GET /products').catch(assertShopError)
      expect(toErrorText(error as ShopError, 'fallback')).toBe('fallback')
    }
  })
})

test('Each error has a known status and a text', () => {
  for (const [code, [status]] of Object.entries(ERRORS)) {
    expect([400, 401, 403, 404, 409, 413, 415, 417, 422, 429, 500, 503], code).toContain(status)
    expect(toErrorBody(new ShopError(code as ErrorCode)).message, code).toMatch(/[a-z]/)
  }
})
