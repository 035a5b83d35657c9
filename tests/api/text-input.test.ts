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
import { openShop, type Reply } from '../support/shop.ts'

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
      const contact = { name: 'Anita', email: 'anita@example.com', message: 'Vanakkam' }
      const payment = { razorpay_payment_id: 'pay_1', razorpay_signature: 'x' }
      const product = { version: 1, nameTamil: 'லட்டு\0' }
      const settings = { version: 1, value: { ...orders, cancellable: ['\ud83d'] } }
      const replies = [
        await shop.post('/contact', { ...contact, message: 'Vanakkam\0' }),
        await shop.post('/contact', { ...contact, name: 'Anita \ud83d' }),
        await callAs(anita, shop, 'POST /orders', { ...payment, razorpay_order_id: 'order_\0' }),
        await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 1e15 }),
        await call(shop, 'PATCH /admin/products/laddu', { token, body: product }),
        await call(shop, 'PUT /admin/settings/orders', { token, body: settings })
      ]
      for (const street of ['\0', '\ude00\ud83d'])
        replies.push(
          await callAs(anita, shop, 'PUT /auth/profile', { name: 'Anita', address: { street } })
        )
      for (const query of ['orders?q', 'orders?ids', 'orders/export?q', 'users?q', 'messages?q'])
        replies.push(await call(shop, `GET /admin/${query}=%00`, { token }))
      expect(replies.map(statusAndCode)).toEqual(replies.map(() => '400 INVALID_INPUT'))
    }
  )

  test.for(ENGINES)('names the field of a checkout that has half an emoji on %s', async engine => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const items = [{ product: 'laddu', quantity: 1 }]
    const extra = { customerDetails: { ...CUSTOMER, name: 'Anita \ud83d' } }
    const refusal = {
      status: 400,
      body: { code: 'INVALID_INPUT', fields: { 'customerDetails.name': expect.any(String) } }
    }
    expect(await requestPayment(shop, anita, { items, extra })).toMatchObject(refusal)
    // The same text after a payment without a list of items.
    const { total: amount } = await quoteOf(shop, anita, items)
    const { id } = (await callAs(anita, shop, 'POST /payments/razorpay-order', { amount }))
      .body as { id: string }
    const order = {
      items,
      customerDetails: CUSTOMER,
      shippingAddress: ADDRESS,
      ...(await shop.sandbox.pay(id))
    }
    expect(await callAs(anita, shop, 'POST /orders', { ...order, ...extra })).toMatchObject(refusal)
    expect((await callAs(anita, shop, 'POST /orders', order)).status).toBe(201)
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

  test.for(ENGINES)('of the payment provider are never stored as they are on %s', async engine => {
    const shop = await openCheckoutShop(engine, { products })
    const postWebhook = (entity: object): Promise<Reply> => {
      const [secret = ''] = shop.app.payments.settings.webhookSecrets
      const event = { event: 'payment.captured', payload: { payment: { entity } } }
      const payload = JSON.stringify(event)
      const signature = hmac(secret, payload)
      const headers = { 'content-type': 'application/json', 'x-razorpay-signature': signature }
      return shop.post('/payments/razorpay-webhook', payload, headers)
    }
    const { id } = await openPayment(shop, await addShopper(shop), {
      items: [{ product: 'laddu', quantity: 1 }]
    })
    const { razorpay_payment_id } = await shop.sandbox.pay(id)
    const texts = { description: 'Anita \ud83d', notes: { name: '\ude00' } }
    expect((await postWebhook({ id: razorpay_payment_id, ...texts })).status).toBe(200)
    await shop.app.whenIdle()
    const orders = shop.database.kysely.selectFrom('orders').select('payment_state')
    expect(await orders.execute()).toEqual([{ payment_state: 'paid' }])
    expect(statusAndCode(await postWebhook({ id: 'pay_\0' }))).toBe('400 MALFORMED_REQUEST')
    const callback = await shop.post(
      '/payments/razorpay-callback',
      'razorpay_order_id=order_%00&razorpay_payment_id=pay_1&razorpay_signature=x',
      { 'content-type': 'application/x-www-form-urlencoded' }
    )
    expect([callback.status, callback.headers['location']]).toEqual([303, '/cart'])
  })
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
