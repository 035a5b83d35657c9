import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DATA_POLICY } from '#server/platform/http/server.ts'
import { call, logInAsAdmin } from '../support/accounts.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { SANDBOX_KEYS } from '../support/sandbox.ts'

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

  test('tells everybody that no money moves and no mail is sent', async () => {
    const shop = await openShop('sqlite')
    expect((await call(shop, 'GET /status')).body).toEqual({
      testMode: true,
      sendsMail: false,
      mailNotSetUp: true,
      notLive: false
    })
  })

  test('tells only administrators that no mail is sent if payments are real', async () => {
    const shop = await openShop('sqlite', { config: { testMode: false } })
    const { token } = await logInAsAdmin(shop)
    expect((await call(shop, 'GET /status')).body).toMatchObject({
      sendsMail: false,
      mailNotSetUp: false
    })
    expect((await call(shop, 'GET /status', { token })).body).toMatchObject({ mailNotSetUp: true })
  })
})

describe('Shop with Razorpay keys', () => {
  test('does not mount the sandbox', async () => {
    const { keyId, keySecret } = SANDBOX_KEYS
    const razorpay = {
      keyId,
      keySecret,
      webhookSecrets: ['secret'],
      apiBase: 'https://api.example/v1',
      checkoutUrl: 'https://checkout.example/checkout.js'
    }
    const shop = await openShop('sqlite', { config: { razorpay } })
    expect(shop.app.payments.settings).toEqual({ ...razorpay, isSandbox: false })
    for (const path of ['/checkout.js', '/orders']) {
      expect((await shop.request({ url: V1 + path, headers: authorizationOf(shop) })).status).toBe(
        404
      )
    }
  })
})
