import type { StoredSection } from '#lib/contract/settings.ts'
import { describe, expect, test } from 'vitest'
import { SAVED_SECRET } from '#lib/constants.ts'
import { openPayments } from '#server/orders/payment/accounts.ts'
import { sendRefunds } from '#server/orders/payment/jobs.ts'
import { createRazorpay } from '#server/razorpay/client.ts'
import { hmac } from '#server/razorpay/config.ts'
import { createMail } from '#server/platform/mail/mail.ts'
import { readMailServer } from '#server/settings/secrets.ts'
import { readSender } from '#server/settings/contact.ts'
import { call, expectBody, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
import {
  addShopper,
  callAs,
  openPayment,
  placeOrder,
  refundsOf,
  type Shopper,
  sendWebhook
} from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { openSettings } from '../support/settings.ts'
import type { Reply, ShopOptions } from '../support/shop.ts'

const KEYS = {
  keyId: 'rzp_test_Typed00000001',
  keySecret: 'typed-key-secret',
  webhookSecret: 'typed-webhook-secret'
}
const MAIL = { server: '127.0.0.1', user: 'meena', password: 'app-password-1' }
const fieldsOf = ({ body }: Reply): unknown => (body as { fields?: unknown }).fields
const LEMONS = [{ product: 'lemon', quantity: 1 }]

/** A shop in test mode, and a provider that knows the keys which its owner enters. */
async function openShopWithoutKeys(engine: Engine = 'sqlite', options: ShopOptions = {}) {
  const [own, provider] = [await startSandbox(), await startSandbox({ keys: KEYS })]
  const { apiBase, checkoutUrl } = provider.razorpay
  const shop = await openSettings(engine, {
    products: { lemon: { category: 'pickles', price: 120, stock: 10 } },
    gateway: createRazorpay({ ...own.razorpay, isSandbox: true }, { backoff: [] }),
    config: { provider: { apiBase, checkoutUrl } },
    ...options
  })
  Object.assign(shop.app.payments.settings, own.razorpay)
  return { shop, own, provider, anita: await addShopper(shop, 'anita') }
}
type TestShop = Awaited<ReturnType<typeof openShopWithoutKeys>>['shop']

async function startServer() {
  return Number(new URL((await startMailServer('accept')).url).port)
}

async function pay(shop: TestShop, shopper: Shopper, at: TestSandbox, id: string) {
  const reply = await placeOrder(shop, shopper, await at.pay(id))
  expect(reply.status).toBe(201)
  return (reply.body as { _id: string })._id
}

async function sendEvent(shop: TestShop, secret: string) {
  const body = JSON.stringify({ event: 'payment.failed', payload: {} })
  return (await sendWebhook(shop, body, hmac(secret, body))).status
}

describe.each(ENGINES)('Keys that the owner saves on %s', engine => {
  test('begin new payments, while each open payment and refund keeps its own keys', async () => {
    const { shop, own, provider, anita } = await openShopWithoutKeys(engine)
    const first = await openPayment(shop, anita, { items: LEMONS })
    expect(first).toMatchObject({ sandbox: true, key: own.razorpay.keyId })
    await expectOk(shop.save('payments', KEYS))
    const firstOrder = await pay(shop, anita, own, first.id)
    const second = await openPayment(shop, anita, { items: LEMONS })
    const { keyId: key, checkoutUrl: script } = provider.razorpay
    expect(second).toMatchObject({ sandbox: false, key, script })
    await expectOk(shop.save('payments', { webhookSecret: 'a new webhook secret' }))
    // Saving again must not forget the earlier secret.
    await expectOk(shop.save('payments', {}))
    await expectOk(shop.save('payments', { keyId: '' }))
    expect(await openPayment(shop, await addShopper(shop), { items: LEMONS })).toMatchObject({
      sandbox: true
    })
    await expectOk(shop.callAsAdmin('POST /admin/settings/payments/test'))
    const secondOrder = await pay(shop, anita, provider, second.id)
    const secrets = [KEYS.webhookSecret, 'a new webhook secret', ...own.razorpay.webhookSecrets]
    const replies = secrets.map(secret => sendEvent(shop, secret))
    expect(await Promise.all(replies)).toEqual([200, 200, 200])
    expect(await sendEvent(shop, 'a secret of somebody else')).toBe(401)
    for (const id of [firstOrder, secondOrder])
      await expectOk(callAs(anita, shop, `POST /orders/${id}/cancel`))
    await sendRefunds(shop.app, 'this shop')
    expect((await refundsOf(shop)).map(({ state }) => state)).toEqual(['processed', 'processed'])
  })
})

describe('Passwords and keys', () => {
  test('are in no reply, table or log, and an empty field keeps them', async () => {
    const lines: string[] = []
    const logTarget = { write: (line: string) => void lines.push(line) }
    const { shop } = await openShopWithoutKeys('sqlite', { logTarget })
    const port = await startServer()
    await expectOutcome(
      shop.save('payments', { ...KEYS, keySecret: 'typed-key' }),
      '400 INVALID_INPUT'
    )
    await expectOutcome(shop.save('mail', { ...MAIL, port: 1 }), '503 MAIL_NOT_SENT')
    await expectOk(shop.save('payments', KEYS))
    await expectOk(shop.save('mail', { ...MAIL, port }))
    const texts = [...lines]
    for (const table of ['settings', 'audit'] as const)
      texts.push(JSON.stringify(await shop.database.kysely.selectFrom(table).selectAll().execute()))
    for (const path of ['payments', 'payments/versions/1', 'mail'])
      texts.push((await shop.callAsAdmin(`GET /admin/settings/${path}`)).text)
    expect(texts.join()).toContain('"path":"/api/admin/settings/payments"')
    expect(texts.join()).not.toMatch(/typed-key|typed-webhook|app-password/)
    const saved = { ...KEYS, keySecret: SAVED_SECRET, webhookSecret: SAVED_SECRET }
    const kept = await shop.save('payments', { keySecret: '', webhookSecret: '' })
    expect(kept.body).toMatchObject({ value: saved, version: 2 })
    const other = await shop.save('payments', { keyId: 'rzp_test_Other' })
    expect(fieldsOf(other)).toHaveProperty(['value.keySecret'])
    // A new server must not get the password of the old one.
    expect(fieldsOf(await shop.save('mail', { server: 'evil.example' }))).toHaveProperty([
      'value.password'
    ])
  })

  test('are asked for again in a copy that can’t read them, and nobody can pay until then', async () => {
    const { shop, anita } = await openShopWithoutKeys()
    await shop.save('payments', KEYS)
    await shop.save('mail', { ...MAIL, port: await startServer() })
    const copy = shop.app
    copy.settingsKey = Buffer.alloc(32)
    copy.payments = await openPayments(copy)
    expect((await shop.read('payments')).value).toMatchObject({ keySecret: '', keyId: KEYS.keyId })
    await expectBody(shop.callAsAdmin('GET /status'), { mailNotSetUp: true })
    await expect(openPayment(shop, anita, { items: LEMONS })).rejects.toThrow(
      'PAYMENTS_UNAVAILABLE'
    )
    await expectOk(shop.save('payments', KEYS))
    await openPayment(shop, await addShopper(shop), { items: LEMONS })
  })

  test('are saved only by an owner, if the provider knows them, and if the shop may use them', async () => {
    const { shop } = await openShopWithoutKeys()
    const { token } = await addShopper(shop, 'mani', 'manager')
    const readSecret = async () =>
      ((await shop.callAsAdmin('GET /admin/settings/payments')).body as StoredSection<'payments'>)
        .value.webhookSecret
    const suggested = await readSecret()
    expect([suggested, await readSecret()]).toEqual([expect.stringMatching(/^\w{48}$/), suggested])
    for (const section of ['mail', 'payments'])
      await expectOutcome(call(shop, `GET /admin/settings/${section}`, { token }), '403 FORBIDDEN')
    const wrong = await shop.save('payments', { ...KEYS, keySecret: 'wrong' })
    expect(fieldsOf(wrong)).toHaveProperty(['value.keySecret'])
    const live = await shop.save('payments', { ...KEYS, keyId: 'rzp_live_1' })
    expect(fieldsOf(live)).toHaveProperty(['value.keyId'])
    shop.app.config.siteUrl = 'https://shop.example'
    expect(fieldsOf(await shop.save('payments', KEYS))).toHaveProperty(['value.keyId'])
    shop.clock.advance(11 * 60_000)
    expect(statusAndCode(await shop.save('payments', KEYS))).toBe('403 VERIFICATION_REQUIRED')
  })
})

test('Mail leaves at once through a server that has accepted a test mail, from its user’s address', async () => {
  const server = await startMailServer('accept')
  const shop = await openSettings('sqlite', { hasOwnApp: true })
  const { app, database } = shop
  const mail = createMail({
    dataDir: app.config.dataDir,
    readSender: () => readSender(database.kysely, app.config),
    readServer: () => readMailServer(app),
    usesTestMode: async () => false
  })
  const letter = { id: 'test', to: 'anita@example.com', subject: 'Hello', text: 'Hello' } as const
  expect(await mail.send(letter)).toBeUndefined()
  const port = Number(new URL(server.url).port)
  server.mode = 'reject'
  expect((await shop.save('mail', { server: '127.0.0.1', port })).text).toContain('451 Try later')
  server.mode = 'accept'
  await expectOk(shop.save('mail', { server: '127.0.0.1', port }))
  expect(await mail.send(letter)).toBe(`127.0.0.1:${port}`)
  expect(server.received).toHaveLength(2)
  await shop.save('mail', { user: 'meena@gmail.com', password: 'app-password-1' })
  expect(await readSender(database.kysely, app.config)).toContain('<meena@gmail.com>')
  app.settingsKey = Buffer.alloc(32)
  await expect(mail.send(letter)).rejects.toMatchObject({ code: 'EAUTH' })
})
