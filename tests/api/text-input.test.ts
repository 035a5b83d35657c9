import { describe, expect, test } from 'vitest'
import { hmac } from '#server/razorpay/config.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  addShopper,
  buy,
  callAs,
  CUSTOMER,
  openCheckoutShop,
  openPayment
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Reply } from '../support/shop.ts'

// PostgreSQL can't store null characters and halves of an emoji.
const UNSTORABLE = ['\0', '\ud83d']
const products = { laddu: { category: 'pickles' } } as const

describe('Texts of requests', () => {
  test('must be texts that every database can store', async () => {
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
    // The cells of a table are checked one by one.
    expect(unchecked.filter(path => !path.endsWith('properties csv'))).toEqual([])
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
  })
})

describe.for(ENGINES)('Line breaks in a name on %s', engine => {
  const INJECTED = 'Anita\r\n\nYou have won.\u2028http://evil.example'
  const linesOf = (text: string): string[] => text.split(/[\r\n\u2028\u2029]+/)

  test('become spaces wherever a name enters', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    for (const text of UNSTORABLE)
      expect((await callAs(anita, shop, 'PUT /auth/profile', { name: text })).status).toBe(400)
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

/** Texts that are no choice and accept a null character or half an emoji. */
function listUncheckedTexts(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, enum: choices, const: constant, pattern, allOf = [] } = schema as TextSchema
  const patterns = [pattern, ...allOf.map(part => part.pattern)].filter(
    found => found !== undefined
  )
  const hasCheck =
    (choices ?? constant) !== undefined ||
    UNSTORABLE.every(text => patterns.some(each => !new RegExp(each, 'u').test(text)))
  if (type === 'string' && !hasCheck) return [path]
  return Object.entries(schema).flatMap(([name, part]) =>
    listUncheckedTexts(part, `${path} ${name}`)
  )
}
