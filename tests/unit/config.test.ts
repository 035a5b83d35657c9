import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  ConfigError,
  needsTrustProxy,
  readEnvironment,
  toLocalApiUrl,
  readConfig
} from '#server/config.ts'

describe('Settings', () => {
  test('have defaults for a fresh machine', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 4321,
      siteUrl: 'http://localhost:4321',
      hasServiceWorker: true,
      publicApiBase: '/api',
      trustProxy: false,
      dataDir: resolve('data'),
      databaseUrl: resolve('data/shop.db'),
      adminEmail: 'admin@localhost.test',
      adminPassword: undefined,
      demoData: true,
      smtpUrl: undefined,
      mailFrom: undefined,
      razorpay: undefined,
      provider: {
        apiBase: 'https://api.razorpay.com/v1',
        checkoutUrl: 'https://checkout.razorpay.com/v1/checkout.js'
      },
      mayUseTestMode: false,
      shopSecret: undefined,
      rebuildSecret: undefined,
      deployHookUrl: undefined,
      metricsToken: undefined,
      shutdownDelay: 0,
      logFormat: 'json',
      logLevel: 'info'
    })
  })

  test('treat empty values as unset, and derive addresses from the port and the data folder', () => {
    expect(readConfig({ PORT: '', HOST: ' ', SMTP_URL: '' })).toEqual(readConfig({}))
    expect(readConfig({ PORT: '8080', DATA_DIR: '/srv/shop' })).toMatchObject({
      siteUrl: 'http://localhost:8080',
      databaseUrl: '/srv/shop/shop.db'
    })
  })

  test('are parsed and normalised', () => {
    const config = readConfig({
      ...{ SITE_URL: 'https://Shop.example/', DEMO_DATA: 'false', SANDBOX: 'true' },
      ...{ PUBLIC_API_BASE: 'https://api.shop.example/api/', ADMIN_EMAIL: 'Meena@Shop.example' }
    })
    expect(config).toMatchObject({
      ...{ siteUrl: 'https://shop.example', publicApiBase: 'https://api.shop.example/api' },
      ...{ adminEmail: 'meena@shop.example', demoData: false, mayUseTestMode: true }
    })
  })

  test.for([
    ['PORT', '65536'],
    ['HOST', 'http://localhost'],
    ['SITE_URL', 'ftp://shop.example'],
    ['SITE_URL', 'https://shop.example/path'],
    ['PUBLIC_API_BASE', '//evil.example/api'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['DATA_DIR', 'a\0b'],
    ['STORAGE_URL', 's3://key:secret@bucket'],
    ['ADMIN_PASSWORD', 'short'],
    ['DEMO_DATA', 'yes'],
    ['SANDBOX', '1'],
    ['MAIL_FROM', 'a@b\r\nBcc: c@d'],
    ['METRICS_TOKEN', 'too short'],
    ['SHOP_SECRET', 'with less than 32 characters'],
    ['DEPLOY_HOOK_URL', 'host.example/hook'],
    ['LOG_LEVEL', 'loud']
  ] as const)('report the invalid value %s=%s in one line with an example', ([name, value]) => {
    const error = catchError(() => readConfig({ [name]: value }))
    expect(error).toBeInstanceOf(ConfigError)
    expect(error.message).toMatch(new RegExp(`^${name} must .*for example .*`))
    expect(error.message).not.toContain('\n')
  })

  test.for([
    ['DATABASE_URL', 'mysql://shop:hunter22@db/shop'],
    ['SMTP_URL', 'imap://shop:hunter22@mail/'],
    ['REBUILD_SECRET', 'hunter2'],
    ['ADMIN_PASSWORD', 'hunter2'.repeat(30)],
    ['DEPLOY_HOOK_URL', 'ftp://host/hunter22']
  ] as const)('do not print the secret value of %s', ([name, value]) => {
    expect(catchError(() => readConfig({ [name]: value })).message).not.toContain('hunter2')
  })
})

describe('The object store', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hunter2' }

  test('is a folder, if one is named', () => {
    expect(readConfig({ STORAGE_URL: 'file:' }).storage).toBeUndefined()
    const { storage } = readConfig({ STORAGE_URL: 'file:///mnt/shared%20files' })
    expect(storage).toEqual({ type: 'folder', folder: '/mnt/shared files' })
  })

  test('is a bucket at an address, or at Amazon', () => {
    const url = 's3://sweets/shop/?endpoint=https://s3.example:9000&region=auto'
    expect(readConfig({ ...keys, STORAGE_URL: url }).storage).toEqual({
      type: 's3',
      bucket: 'sweets',
      prefix: 'shop/',
      endpoint: 'https://s3.example:9000',
      region: 'auto',
      accessKeyId: 'id',
      secretAccessKey: 'hunter2'
    })
    const { storage } = readConfig({ ...keys, STORAGE_URL: 's3://sweets?region=ap-south-1' })
    expect(storage).toMatchObject({ prefix: '', endpoint: 'https://s3.ap-south-1.amazonaws.com' })
  })

  test('needs both keys of a bucket', () => {
    const settings = { STORAGE_URL: 's3://sweets', AWS_SECRET_ACCESS_KEY: 'hunter2' }
    const { message } = catchError(() => readConfig(settings))
    expect(message).toMatch(/^STORAGE_URL needs .* AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY$/)
    expect(message).not.toContain('hunter2')
  })
})

describe('Trusted proxies', () => {
  test('are given by their number or their addresses', () => {
    expect(readConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2)
    const addresses = { TRUST_PROXY: '10.0.0.7, 10.1.0.0/16,fd00::/8' }
    expect(readConfig(addresses).trustProxy).toEqual(['10.0.0.7', '10.1.0.0/16', 'fd00::/8'])
  })

  test('are missing if a public site with https listens only on this machine', () => {
    const site = { SITE_URL: 'https://shop.example', SANDBOX: 'true' }
    expect(needsTrustProxy(readConfig(site))).toBe(true)
    expect(needsTrustProxy(readConfig({ ...site, TRUST_PROXY: '1' }))).toBe(false)
    expect(needsTrustProxy(readConfig({ ...site, HOST: '0.0.0.0' }))).toBe(false)
    expect(needsTrustProxy(readConfig({}))).toBe(false)
  })
})

test('A .env file adds missing environment variables', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palagaram-env-'))
  writeFileSync(join(folder, '.env'), 'PORT=5000\nMAIL_FROM="Shop <a@b.example>"\n')
  vi.stubEnv('PORT', '6000')
  expect(readEnvironment(folder)).toMatchObject({ PORT: '6000', MAIL_FROM: 'Shop <a@b.example>' })
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
  expect(readEnvironment(folder)['PATH']).toBe(process.env['PATH'])
})

test.for([
  ['127.0.0.1', 'http://127.0.0.1:4321/api'],
  ['::', 'http://127.0.0.1:4321/api'],
  ['::1', 'http://[::1]:4321/api'],
  ['shop.internal', 'http://shop.internal:4321/api']
] as const)('The local API URL is reachable when the server listens on %s', ([host, address]) => {
  expect(toLocalApiUrl({ host, port: 4321 })).toBe(address)
})

function catchError(run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('Expected an error')
}
