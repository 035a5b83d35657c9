import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { HOUR } from '#lib/time.ts'
import type { Config } from '#server/config.ts'
import { sessionOf, wrongCode } from '../support/accounts.ts'
import { ADDRESS, CUSTOMER, openCheckoutShop } from '../support/checkout.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'

const PROXY = '10.0.0.7'
const VISITOR = '203.0.113.9'

type Trust = number | boolean | readonly string[]

async function visitBehind(trust: Trust, headers: Record<string, string>): Promise<unknown> {
  const trustProxy = (typeof trust === 'object' ? [...trust] : trust) as Config['trustProxy']
  const shop = await openShop('sqlite', { config: { trustProxy } })
  shop.app.get('/visit', ({ ip, protocol, host }) => ({ ip, protocol, host }))
  return (await shop.request({ url: '/visit', remoteAddress: PROXY, headers })).body
}

describe('Headers of a proxy', () => {
  const headers = {
    host: '127.0.0.1:4321',
    'x-forwarded-for': `198.51.100.1, ${VISITOR}`,
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'shop.example'
  }
  const asTold = { ip: VISITOR, protocol: 'https', host: 'shop.example' }
  const asConnected = { ip: PROXY, protocol: 'http', host: '127.0.0.1:4321' }

  test.for([
    ['one proxy', 1, asTold],
    ['the address of the proxy', [PROXY], asTold],
    ['the network of the proxy', ['10.0.0.0/8'], asTold],
    ['another address', ['10.0.0.8'], asConnected],
    ['nothing', false, asConnected]
  ] as const)(
    'give address, protocol and host of the visitor only if trusted: %s',
    async ([, trust, visit]) => expect(await visitBehind(trust, headers)).toEqual(visit)
  )
})

test('300 shoppers of one mobile carrier can mistype, log in, draw, open a checkout and return within a minute', async () => {
  const shop = await openCheckoutShop('sqlite', {
    config: { trustProxy: 1 },
    products: { laddu: { price: 100, stock: 1000 } },
    deals: { now: { product: 'laddu', to: HOUR } }
  })
  await buyAsVisitor(shop, 'first@example.com')
  // The counts are the only memory of the limits.
  const { numUpdatedRows } = await shop.write(trx =>
    trx
      .updateTable('rate_counts')
      .set(row => ({ count: row('count', '*', 299) }))
      .where('key', 'like', `% of ${VISITOR}`)
      .executeTakeFirstOrThrow()
  )
  expect(Number(numUpdatedRows)).toBeGreaterThan(5)
  await buyAsVisitor(shop, 'last@example.com')
})

/** Fails if a call has another status than expected. */
async function buyAsVisitor(shop: Shop, email: string): Promise<void> {
  async function send(
    line: string,
    status: number,
    body?: object | string,
    token = ''
  ): Promise<Reply> {
    const [method, path] = line.split(' ')
    const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
    const headers = { 'x-forwarded-for': VISITOR, authorization: `Bearer ${token}` }
    const reply = await shop.request({
      method: method as 'POST',
      url: `/api${path}`,
      remoteAddress: PROXY,
      headers: { ...headers, ...(body && { 'content-type': type }) },
      ...(body !== undefined && { payload: body })
    })
    expect([line, reply.status, reply.text]).toEqual([line, status, expect.any(String)])
    return reply
  }

  await send('POST /auth/register', 200, { email, password: 'kesari-47', displayName: 'Anita' })
  await send('POST /auth/login', 400, { email, password: 'kesari-74' })
  await send('POST /auth/login', 200, { email, password: 'kesari-47' })
  await send('POST /auth/send-otp', 200, { email })
  await shop.deliverMails()
  const otp = shop.mails.find(({ to }) => to === email)?.subject.slice(0, 6) ?? ''
  await send('POST /auth/verify-otp', 400, { email, otp: wrongCode(otp) })
  const { token } = sessionOf(await send('POST /auth/verify-otp', 200, { email, otp }))
  await send('POST /flash-deals/generate/laddu', 200, undefined, token)
  const items = [{ product: 'laddu', quantity: 1 }]
  const checkout = {
    amount: 100,
    items,
    customerDetails: CUSTOMER,
    shippingAddress: ADDRESS,
    checkoutKey: randomUUID()
  }
  const { body } = await send('POST /payments/razorpay-order', 200, checkout, token)
  const { id } = body as { id?: string }
  const form = new URLSearchParams({
    'error[metadata]': JSON.stringify({ order_id: id })
  }).toString()
  await send('POST /payments/razorpay-callback', 303, form)
}
