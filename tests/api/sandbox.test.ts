import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HOUR } from '#lib/time.ts'
import { DATA_POLICY } from '#server/platform/http/server.ts'
import { call, logInAsAdmin } from '../support/accounts.ts'
import { SANDBOX_KEYS, startSandbox, type TestReply } from '../support/sandbox.ts'
import { openShop, type Shop } from '../support/shop.ts'

const toRefusal = ({ status, body }: TestReply) =>
  `${status} ${(body['error'] as { description: string } | undefined)?.description}`

test('The sandbox refuses the payments that Razorpay refuses', async () => {
  const { call, control, createOrder } = await startSandbox()
  const order_id = await createOrder(50_000)
  const { body } = await control('POST', '/pay', { order_id, outcome: 'authorized' })
  const payment = `/payments/${String(body['razorpay_payment_id'])}`
  const post = async (path: string, sent: object) => toRefusal(await call('POST', path, sent))
  const capture = (amount: number) => post(`${payment}/capture`, { amount, currency: 'INR' })
  expect([
    await post('/orders', { amount: 99, currency: 'INR' }),
    await capture(49_999),
    await capture(50_000),
    await capture(50_000),
    toRefusal(await control('POST', '/pay', { order_id })),
    await post(`${payment}/refund`, { amount: 50_001 }),
    await post(`${payment}/refund`, {}),
    await post(`${payment}/refund`, {})
  ]).toEqual([
    '400 The amount must be at least INR 1.00',
    '400 Capture amount must be equal to the amount authorized.',
    '200 undefined',
    '400 This payment has already been captured',
    '400 Payment already done for this order.',
    '400 The refund amount provided is greater than amount captured.',
    '200 undefined',
    '400 The payment has been fully refunded already.'
  ])
})

const V1 = '/sandbox/razorpay/v1'

const authorizationOf = ({ app }: Shop): Record<string, string> => {
  const { keyId, keySecret } = app.payments.settings
  return { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` }
}

describe('Shop without Razorpay keys', () => {
  test('mounts the sandbox with generated keys, and keeps its own headers and errors', async () => {
    const shop = await openShop('sqlite', { hasOwnApp: true })
    const { settings } = shop.app.payments
    expect(settings).toMatchObject({ isSandbox: true, apiBase: `http://127.0.0.1:4321${V1}` })
    const script = await shop.request({ url: settings.checkoutUrl })
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(script.text).toContain('Object.assign(window, { Razorpay })')
    expect((await shop.request({ url: `${V1}/orders` })).status).toBe(401)
    const file = join(shop.dataDir, 'sandbox.db')
    expect(existsSync(file)).toBe(false)
    const request = { url: `${V1}/orders`, headers: authorizationOf(shop) }
    const payload = { amount: 5000, currency: 'INR' }
    const { body } = await shop.request({ ...request, method: 'POST', payload })
    expect(body).toMatchObject({ amount: 5000, status: 'created' })
    expect(existsSync(file)).toBe(true)
    const unknown = await shop.get('/nothing')
    expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(unknown.headers['content-security-policy']).toBe(DATA_POLICY)
  })

  test('tells everybody that no money moves, and only administrators of a real shop that no mail is sent', async () => {
    const shop = await openShop('sqlite')
    const status = { testMode: true, sendsMail: false, mailNotSetUp: true, notLive: false }
    expect((await call(shop, 'GET /status')).body).toEqual({ ...status, setOnServer: [] })
    const real = await openShop('sqlite', { hasOwnApp: true })
    real.app.payments.settings.keyId = 'rzp_live_1'
    const { token } = await logInAsAdmin(real)
    const statuses = [await call(real, 'GET /status'), await call(real, 'GET /status', { token })]
    expect(statuses.map(({ body }) => body)).toMatchObject([
      { sendsMail: false, mailNotSetUp: false },
      { mailNotSetUp: true }
    ])
  })
})

test('The sandbox sends a refused webhook again for a day', async () => {
  const { clock, pay, createOrder, deliver, webhooks } = await startSandbox({
    onWebhook: () => false
  })
  await pay(await createOrder(10_000))
  await deliver()
  const counts = [webhooks.length]
  for (const hours of [2, 2, 24, 24]) {
    clock.advance(hours * HOUR)
    await deliver()
    counts.push(webhooks.length / (counts[0] ?? 0))
  }
  expect(counts.slice(1)).toEqual([2, 3, 4, 4])
})

test('A shop with Razorpay keys does not mount the sandbox', async () => {
  const { keyId, keySecret } = SANDBOX_KEYS
  const addresses = { apiBase: 'https://api.example/v1', checkoutUrl: 'https://pay.example/c.js' }
  const razorpay = { keyId, keySecret, webhookSecrets: ['secret'], ...addresses }
  const shop = await openShop('sqlite', { config: { razorpay } })
  expect(shop.app.payments.settings).toEqual({ ...razorpay, isSandbox: false })
  for (const path of ['/checkout.js', '/orders']) {
    const { status } = await shop.request({ url: V1 + path, headers: authorizationOf(shop) })
    expect(status).toBe(404)
  }
})
