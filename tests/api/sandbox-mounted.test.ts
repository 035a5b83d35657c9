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
  test('mounts the sandbox with generated keys', async () => {
    const shop = await openShop('sqlite')
    expect(shop.app.payments.settings).toMatchObject({
      isSandbox: true,
      apiBase: `http://127.0.0.1:4321${V1}`
    })
    expect((await shop.request({ url: `${V1}/orders` })).status).toBe(401)
    const request = { url: `${V1}/orders`, headers: authorizationOf(shop) }
    const payload = { amount: 5000, currency: 'INR' }
    const { status, body } = await shop.request({ ...request, method: 'POST', payload })
    expect(status).toBe(200)
    expect(body).toMatchObject({ amount: 5000, status: 'created' })
    expect((await shop.request(request)).body).toMatchObject({ count: 1 })
    expect(existsSync(join(shop.dataDir, 'sandbox.db'))).toBe(true)
  })

  test('serves checkout.js', async () => {
    const shop = await openShop('sqlite')
    const { status, headers, text } = await shop.request({
      url: shop.app.payments.settings.checkoutUrl
    })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*'
    })
    expect(() => new Function(text)).not.toThrow()
    expect(text).toContain('Object.assign(window, { Razorpay })')
    expect(text).not.toMatch(/^(import|export) /m)
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

  test('creates no sandbox file before the first payment', async () => {
    const shop = await openShop('sqlite', { hasOwnApp: true })
    await shop.get('/health')
    expect(existsSync(join(shop.dataDir, 'sandbox.db'))).toBe(false)
  })

  test('does not expose the fault controls', async () => {
    const shop = await openShop('sqlite')
    for (const path of ['pay', 'pay2', 'faults', 'late', 'replay']) {
      const { status } = await shop.request({
        method: 'POST',
        url: `/sandbox/razorpay/_emu/${path}`,
        payload: {}
      })
      expect(status).toBe(400)
    }
  })

  test('has the usual headers and errors in its own API', async () => {
    const shop = await openShop('sqlite')
    expect((await shop.get('/health')).headers['content-security-policy']).toBe(DATA_POLICY)
    expect(await shop.request({ url: '/api/nothing' })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' }
    })
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
