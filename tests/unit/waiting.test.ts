import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { api, configureApi } from '#lib/api.ts'
import { $waiting, repeatCalls } from '#lib/waiting.ts'

const MESSAGE = { name: 'Asha', email: 'asha@example.test', message: 'Vanakkam' }
const CHECKOUT_KEY = '3f0e6a52-4a0c-4c1e-9d53-0d9a3a1c7b11'
const PAYMENT = { body: { amount: 360, items: [], checkoutKey: CHECKOUT_KEY } } as never

interface SentCall {
  method: string
  signal: AbortSignal
  reply: (body?: unknown) => void
}

let sent: SentCall[] = []

beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  configureApi({
    send: (_, { method = '', signal }) =>
      new Promise((resolve, reject) => {
        if (!signal) throw new Error('The call can’t be aborted')
        const fail = () => reject(new TypeError('fetch failed'))
        if (signal.aborted) return fail()
        sent.push({ method, signal, reply: (body = []) => resolve(Response.json(body)) })
        signal.addEventListener('abort', fail)
      })
  })
})

afterEach(async () => {
  for (const { reply } of sent) reply()
  await vi.advanceTimersByTimeAsync(0)
  vi.useRealTimers()
  expect($waiting.get()).toBe('short')
})

const SECOND = 1000

describe('API call that takes long', () => {
  test('waits as long as the connection lives', async () => {
    const products = api('GET /products')
    const login = api('POST /auth/login', { body: { email: 'a@b.co', password: 'kesari-47' } })
    await vi.advanceTimersByTimeAsync(3600 * SECOND)
    expect(sent.map(({ method, signal }) => [method, signal.aborted])).toEqual([
      ['GET', false],
      ['POST', false]
    ])
    for (const { reply } of sent) reply(['late'])
    expect([await products, await login]).toEqual([['late'], ['late']])
  })

  test('says so after 8 s; is aborted and sent again on request, and says so after another 8 s', async () => {
    const products = api('GET /products')
    await vi.advanceTimersByTimeAsync(8 * SECOND - 1)
    expect($waiting.get()).toBe('short')
    await vi.advanceTimersByTimeAsync(1)
    expect($waiting.get()).toBe('repeatable')
    repeatCalls()
    await vi.advanceTimersByTimeAsync(0)
    expect([sent.length, sent[0]?.signal.aborted, $waiting.get()]).toEqual([2, true, 'short'])
    await vi.advanceTimersByTimeAsync(8 * SECOND)
    expect($waiting.get()).toBe('repeatable')
    sent[1]?.reply(['murukku'])
    expect(await products).toEqual(['murukku'])
    expect($waiting.get()).toBe('short')
  })

  test.for([
    ['a message', () => api('POST /contact', { body: MESSAGE })],
    ['a payment', () => api('POST /payments/razorpay-order', PAYMENT)]
  ] as const)('is never sent twice if it is %s', async ([, call]) => {
    void call()
    await vi.advanceTimersByTimeAsync(8 * SECOND)
    expect($waiting.get()).toBe('long')
    repeatCalls()
    await vi.advanceTimersByTimeAsync(0)
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([false])
  })
})
