import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '#server/config.ts'
import { checkPaymentMode, readPaymentSettings } from '#server/razorpay/config.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KEYS = {
  RAZORPAY_KEY_ID: 'rzp_test_1DP5mmOlF5G5ag',
  RAZORPAY_KEY_SECRET: 'the key secret',
  RAZORPAY_WEBHOOK_SECRET: 'the webhook secret'
}

describe('Razorpay settings', () => {
  test('use the real provider when its keys are set', () => {
    expect(readConfig(KEYS).razorpay).toEqual({
      keyId: 'rzp_test_1DP5mmOlF5G5ag',
      keySecret: 'the key secret',
      webhookSecrets: ['the webhook secret'],
      apiBase: 'https://api.razorpay.com/v1',
      checkoutUrl: 'https://checkout.razorpay.com/v1/checkout.js'
    })
  })

  test('can point to an external sandbox, and accept two webhook secrets during rotation', () => {
    const sandbox = 'http://127.0.0.1:4420/v1'
    const env = {
      RAZORPAY_API_BASE: `${sandbox}/`,
      RAZORPAY_CHECKOUT_URL: `${sandbox}/checkout.js`,
      RAZORPAY_WEBHOOK_SECRET: 'the new webhook secret, the webhook secret'
    }
    expect(readConfig({ ...KEYS, ...env }).razorpay).toMatchObject({
      apiBase: sandbox,
      checkoutUrl: `${sandbox}/checkout.js`,
      webhookSecrets: ['the new webhook secret', 'the webhook secret']
    })
  })

  test.for([
    [{ ...KEYS, RAZORPAY_WEBHOOK_SECRET: ' ' }, 'RAZORPAY_WEBHOOK_SECRET'],
    [{ RAZORPAY_KEY_ID: KEYS.RAZORPAY_KEY_ID }, 'RAZORPAY_KEY_SECRET, RAZORPAY_WEBHOOK_SECRET']
  ] as const)(
    'are rejected with a list of the missing settings if only %o is set',
    ([env, missing]) => {
      expect(() => readConfig(env)).toThrow(ConfigError)
      expect(() => readConfig(env)).toThrow(`${missing} must be set too`)
    }
  )

  test.for([
    ['RAZORPAY_KEY_ID', 'hunter2'],
    ['RAZORPAY_WEBHOOK_SECRET', 'hunter2-hunter2'],
    ['RAZORPAY_WEBHOOK_SECRET', 'hunter2-hunter2-hunter2,short'],
    ['RAZORPAY_WEBHOOK_SECRET', Array(3).fill('hunter2-hunter2-hunter2').join()],
    ['RAZORPAY_API_BASE', 'https://user:hunter2@api.razorpay.com'],
    ['RAZORPAY_CHECKOUT_URL', '/checkout.js']
  ] as const)('report an invalid value without printing it: %s=%s', ([name, value]) => {
    const read = () => readConfig({ ...KEYS, [name]: value })
    expect(read).toThrow(new RegExp(`^${name} must .*for example .*`))
    expect(read).not.toThrow('hunter2')
  })
})

describe('A shop', () => {
  const LIVE = { ...KEYS, RAZORPAY_KEY_ID: 'rzp_live_1DP5mmOlF5G5ag' }
  const SITE = { SITE_URL: 'https://shop.example' }
  const SANDBOX = { SANDBOX: 'true' }
  const OPEN = { HOST: '0.0.0.0' }
  const noKeys = /^RAZORPAY_KEY_ID, .* must be set, .*set SANDBOX=true$/
  const testKeys = /^RAZORPAY_KEY_ID must start with rzp_live_, .*set SANDBOX=true$/

  test.for<[Record<string, string>, string?]>([
    [{ HOST: '::1', SITE_URL: 'http://[::1]:4321' }],
    [{ ...OPEN, ...SANDBOX }],
    [{ ...SITE, ...SANDBOX }],
    [{ ...KEYS, ...SITE, ...SANDBOX }],
    [KEYS],
    [{ ...LIVE, ...SITE }],
    [SITE, 'rzp_live_1'],
    // A copy of the shop on this machine does not use saved live keys.
    [{}, 'rzp_live_1']
  ])('starts with %o and the saved key %s', ([env, savedKeyId]) => {
    expect(() => checkPaymentMode(readConfig(env), savedKeyId)).not.toThrow()
  })

  test.for([
    [OPEN, '', noKeys],
    [OPEN, 'rzp_live_1', noKeys],
    [SITE, '', noKeys],
    [{ SITE_URL: 'http://192.168.1.7:4321' }, '', noKeys],
    [{ ...KEYS, ...SITE }, '', testKeys],
    [SITE, 'rzp_test_1', testKeys],
    [{ ...LIVE, ...SITE, ...SANDBOX }, '', /^SANDBOX must be unset/],
    [LIVE, '', /^SITE_URL must be public, .*for example SITE_URL=https/]
  ] as const)('says what is wrong with %o and the saved key %s', ([env, savedKeyId, problem]) => {
    const start = () => checkPaymentMode(readConfig(env), savedKeyId)
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(problem)
  })
})

describe('Payment settings', () => {
  test('use the sandbox, always with the same keys of its own, if no Razorpay keys are set', async () => {
    const config = readConfig({
      DATA_DIR: await temporaryFolder(),
      HOST: '0.0.0.0',
      PORT: '4420',
      SANDBOX: 'true'
    })
    const settings = await readPaymentSettings(config)
    expect(settings).toMatchObject({
      keyId: expect.stringMatching(/^rzp_test_[A-Za-z0-9]{14}$/) as string,
      apiBase: 'http://127.0.0.1:4420/sandbox/razorpay/v1',
      checkoutUrl: '/sandbox/razorpay/v1/checkout.js',
      isSandbox: true
    })
    expect(new Set([settings.keySecret, ...settings.webhookSecrets]).size).toBe(2)
    expect(await readPaymentSettings(config)).toEqual(settings)
    const other = await readPaymentSettings(readConfig({ DATA_DIR: await temporaryFolder() }))
    expect(other.keyId).not.toBe(settings.keyId)
    expect(other.keySecret).not.toBe(settings.keySecret)
  })
})
