import { describe, expect, test } from 'vitest'
import type { StoredSection } from '#lib/contract/settings.ts'
import { hmac } from '#server/razorpay/config.ts'
import { call, logInAsAdmin, statusAndCode } from '../support/accounts.ts'
import {
  ADDRESS,
  addShopper,
  buy,
  callAs,
  CUSTOMER,
  openCheckoutShop,
  openPayment,
  quoteOf,
  requestPayment
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { openShop } from '../support/shop.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const products = { laddu: { category: 'pickles' } } as const

describe('Texts of requests', () => {
  // PostgreSQL can't store null characters and halves of an emoji.
  test.for(ENGINES)(
    'refuses texts that no database can store and amounts that are too large on %s',
    async engine => {
      const shop = await openShop(engine, { products })
      const { token } = await logInAsAdmin(shop)
      const anita = await addShopper(shop)
      const { value: orders } = (await call(shop, 'GET /admin/settings/orders', { token }))
        .body as StoredSection<'orders'>
      const payment = {
        razorpay_order_id: 'order_\0',
        razorpay_payment_id: 'pay_1',
        razorpay_signature: 'x'
      }
      const replies = [
        await shop.post('/contact', {
          name: 'Anita',
          email: 'anita@example.com',
          message: 'Vanakkam\0'
        }),
        await callAs(anita, shop, 'POST /orders', payment),
        await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 1e15 }),
        await callAs(anita, shop, 'PUT /auth/profile', {
          name: 'Anita',
          address: { street: '\0' }
        }),
        await call(shop, 'PATCH /admin/products/laddu', {
          token,
          body: { version: 1, nameTamil: 'லட்டு\0' }
        }),
        await shop.post('/contact', {
          name: 'Anita \ud83d',
          email: 'anita@example.com',
          message: 'Vanakkam'
        }),
        await callAs(anita, shop, 'PUT /auth/profile', {
          name: 'Anita',
          address: { street: '\ude00\ud83d' }
        }),
        await call(shop, 'PUT /admin/settings/orders', {
          token,
          body: { version: 1, value: { ...orders, cancellable: ['\ud83d'] } }
        }),
        await call(shop, 'GET /admin/orders?q=%00', { token }),
        await call(shop, 'GET /admin/orders?ids=%00', { token }),
        await call(shop, 'GET /admin/orders/export?q=%00', { token }),
        await call(shop, 'GET /admin/users?q=%00', { token }),
        await call(shop, 'GET /admin/messages?q=%00', { token })
      ]
      expect(replies.map(statusAndCode)).toEqual(replies.map(() => '400 INVALID_INPUT'))
    }
  )

  test.for(ENGINES)('names the field of a checkout that has half an emoji on %s', async engine => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const items = [{ product: 'laddu', quantity: 1 }]
    for (const [field, extra] of [
      ['customerDetails.name', { customerDetails: { ...CUSTOMER, name: 'Anita \ud83d' } }],
      ['shippingAddress.street', { shippingAddress: { ...ADDRESS, street: '\ude00 Street' } }],
      ['shippingAddress.country', { shippingAddress: { ...ADDRESS, country: 'India\udfff' } }]
    ] as const) {
      expect(await requestPayment(shop, anita, { items, extra }), field).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { [field]: expect.any(String) } }
      })
      // The same texts after a payment without a list of items.
      const { total: amount } = await quoteOf(shop, anita, items)
      const { id } = (await callAs(anita, shop, 'POST /payments/razorpay-order', { amount }))
        .body as { id: string }
      const order = {
        items,
        customerDetails: CUSTOMER,
        shippingAddress: ADDRESS,
        ...(await shop.sandbox.pay(id))
      }
      const refused = await callAs(anita, shop, 'POST /orders', { ...order, ...extra })
      expect(refused, field).toMatchObject({
        status: 400,
        body: { fields: { [field]: expect.any(String) } }
      })
      expect((await callAs(anita, shop, 'POST /orders', order)).status, field).toBe(201)
    }
    const whole = { customerDetails: { ...CUSTOMER, name: 'Anita 🍬' } }
    expect((await requestPayment(shop, anita, { items, extra: whole })).status).toBe(200)
  })

  test('checks every text of a request', async () => {
    const shop = await openShop('sqlite')
    const { paths } = (await shop.get('/docs/json')).body as {
      paths: Record<string, Record<string, object>>
    }
    const unchecked = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(
        ([method, { responses: _, ...request }]: [string, { responses?: object }]) =>
          listUncheckedTexts(request, `${method} ${path}`)
      )
    )
    expect(unchecked).toEqual([])
  })

  test.for(ENGINES)(
    'processes a webhook whose other texts have half an emoji on %s',
    async engine => {
      const shop = await openCheckoutShop(engine, { products })
      const { id } = await openPayment(shop, await addShopper(shop, 'anita'), {
        items: [{ product: 'laddu', quantity: 1 }]
      })
      const { razorpay_payment_id } = await shop.sandbox.pay(id)
      const [secret = ''] = shop.app.payments.settings.webhookSecrets
      const entity = {
        id: razorpay_payment_id,
        description: 'Anita \ud83d',
        notes: { name: '\ude00' }
      }
      const payload = JSON.stringify({
        event: 'payment.captured',
        payload: { payment: { entity } }
      })
      const headers = { ...JSON_TYPE, 'x-razorpay-signature': hmac(secret, payload) }
      const webhook = await shop.request({
        method: 'POST',
        url: '/api/payments/razorpay-webhook',
        payload,
        headers
      })
      expect(webhook.status).toBe(200)
      await shop.app.whenIdle()
      expect(
        await shop.database.kysely.selectFrom('orders').select('payment_state').execute()
      ).toEqual([{ payment_state: 'paid' }])
    }
  )

  test.for(ENGINES)(
    'refuses null characters in ids from the payment provider on %s',
    async engine => {
      const shop = await openShop(engine, { products })
      const callback = await shop.request({
        method: 'POST',
        url: '/api/payments/razorpay-callback',
        payload: 'razorpay_order_id=order_%00&razorpay_payment_id=pay_1&razorpay_signature=x',
        headers: { 'content-type': 'application/x-www-form-urlencoded' }
      })
      expect([callback.status, callback.headers['location']]).toEqual([303, '/cart'])
      const [secret = ''] = shop.app.payments.settings.webhookSecrets
      const payload = JSON.stringify({
        event: 'payment.captured',
        payload: { payment: { entity: { id: 'pay_\0' } } }
      })
      const headers = { ...JSON_TYPE, 'x-razorpay-signature': hmac(secret, payload) }
      const webhook = await shop.request({
        method: 'POST',
        url: '/api/payments/razorpay-webhook',
        payload,
        headers
      })
      expect(statusAndCode(webhook)).toBe('400 MALFORMED_REQUEST')
    }
  )
})

describe.for(ENGINES)('Line breaks in a name on %s', engine => {
  const INJECTED = 'Anita\r\n\nYou have won.\u2028http://evil.example'
  const linesOf = (text: string): string[] => text.split(/[\r\n\u2028\u2029]+/)

  test('become spaces wherever a name enters', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    await callAs(anita, shop, 'PUT /auth/profile', { name: INJECTED, address: { street: '1\n2' } })
    expect((await callAs(anita, shop, 'GET /auth/me')).body).toMatchObject({
      name: 'Anita You have won. http://evil.example',
      address: { street: '1 2' }
    })
    expect(statusAndCode(await callAs(anita, shop, 'PUT /auth/profile', { name: '\u0001' }))).toBe(
      '400 INVALID_INPUT'
    )
    await shop.post('/contact', {
      name: INJECTED,
      email: 'anita@example.com',
      message: 'One\n\nTwo'
    })
    const order = await buy(shop, anita, [{ product: 'laddu', quantity: 1 }], {
      customerDetails: { ...CUSTOMER, name: INJECTED }
    })
    expect(order.customerDetails.name).toBe('Anita You have won. http://evil.example')
    await shop.deliverMails()
    expect(shop.mails.length).toBeGreaterThan(2)
    for (const { text, subject } of shop.mails) {
      expect(linesOf(text).filter(line => /^(You have|http:..evil)/.test(line))).toEqual([])
      expect(linesOf(subject)).toHaveLength(1)
    }
    expect(shop.mails.some(({ text }) => text.includes('One\n\nTwo'))).toBe(true)
  })

  test('that an older version has stored do not reach mails', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { _id } = await buy(shop, anita, [{ product: 'laddu', quantity: 1 }])
    const customer = JSON.stringify({ ...CUSTOMER, name: INJECTED })
    await shop.write(trx => trx.updateTable('orders').set({ customer }).execute())
    expect(statusAndCode(await callAs(anita, shop, `POST /orders/${_id}/cancel`))).toBe('200')
    await shop.deliverMails()
    const texts = shop.mails.map(({ text }) => text).filter(text => text.includes('You have won'))
    expect(texts.length).toBeGreaterThan(0)
    for (const text of texts)
      expect(linesOf(text).filter(line => line.startsWith('You have'))).toEqual([])
  })
})

interface TextSchema {
  type?: string
  enum?: unknown
  const?: unknown
  pattern?: string
  allOf?: { pattern?: string }[]
}

/** Texts that are no choice and accept half an emoji, which PostgreSQL can't store. */
function listUncheckedTexts(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, enum: choices, const: constant, pattern, allOf = [] } = schema as TextSchema
  const patterns = [pattern, ...allOf.map(part => part.pattern)].filter(
    found => found !== undefined
  )
  const hasCheck =
    (choices ?? constant) !== undefined ||
    patterns.some(each => !new RegExp(each, 'u').test('\ud83d'))
  if (type === 'string' && !hasCheck) return [path]
  return Object.entries(schema).flatMap(([name, part]) =>
    listUncheckedTexts(part, `${path} ${name}`)
  )
}
