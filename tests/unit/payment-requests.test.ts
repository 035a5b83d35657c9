import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { razorpay, type PaymentGateway } from '#server/gateways/payments.ts'
import { isSignedPayment, isSignedWebhook, signPayment } from '#server/gateways/payment-signatures.ts'

const PAYMENT = {
  id: 'pay_00000000000001',
  entity: 'payment',
  order_id: 'order_00000000000001',
  amount: 5000,
  currency: 'INR',
  status: 'captured',
  method: 'upi',
  created_at: 1_795_233_600
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A provider that answers each request with the next of these, and the last from then on. */
async function provider(...answers: Answer[]): Promise<{ gateway: PaymentGateway; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]
    asked.push(`${request.method} ${request.url} ${String(request.headers['x-refund-idempotency'] ?? '')}`.trim())
    answer?.(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const settings = {
    keyId: 'rzp_test_1',
    keySecret: 'secret',
    webhookSecrets: ['webhook'],
    apiBase: `http://127.0.0.1:${port}/v1`,
    checkoutUrl: '',
    isSandbox: false
  }
  return { gateway: razorpay(settings, { timeout: 150, pauses: [1, 1] }), asked }
}

const json =
  (body: unknown, status = 200): Answer =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const page: Answer = (_request, response) => void response.writeHead(502).end('<html>Bad Gateway</html>')
const cutOff: Answer = request => void request.socket.destroy()
const silence: Answer = () => undefined
const wordless: Answer = (_request, response) => {
  response.writeHead(404)
  response.end()
}
const refused = (description: string, status = 400): Answer =>
  json({ error: { code: 'BAD_REQUEST_ERROR', description } }, status)

describe('what may be repeated', () => {
  test.for([
    ['a page instead of an answer', page],
    ['a connection that is cut', cutOff],
    ['an error of the provider', json({ error: { code: 'SERVER_ERROR', description: 'Trouble' } }, 500)],
    ['too many requests', refused('Too many requests', 429)]
  ] as const)('is asked again after %s', async ([, trouble]) => {
    const { gateway, asked } = await provider(trouble, trouble, json(PAYMENT))
    expect(await gateway.fetchPayment(PAYMENT.id)).toMatchObject({ id: PAYMENT.id, status: 'captured' })
    expect(asked).toHaveLength(3)
  })

  test('is given up after three attempts, as something that may have worked', async () => {
    const { gateway, asked } = await provider(page)
    await expect(gateway.fetchPayment('x')).rejects.toMatchObject({ name: 'PaymentError', kind: 'unavailable' })
    expect(asked).toHaveLength(3)
  })

  test('is a refund too, with its key and the very same body', async () => {
    const refund = { id: 'rfnd_1', payment_id: PAYMENT.id, amount: 5000, receipt: 'rf_1', status: 'processed' }
    const { gateway, asked } = await provider(cutOff, json(refund))
    expect(await gateway.refund(PAYMENT.id, 'rf_0000000001', '{"amount":5000}')).toMatchObject({ id: 'rfnd_1' })
    const line = `POST /v1/payments/${PAYMENT.id}/refund rf_0000000001`
    expect(asked).toEqual([line, line])
  })

  test('is not asked again when the whole time-out has passed', async () => {
    const { gateway, asked } = await provider(silence)
    const began = performance.now()
    await expect(gateway.fetchPayment('x')).rejects.toThrow('did not answer in time')
    expect(performance.now() - began).toBeLessThan(1000)
    expect(asked).toHaveLength(1)
  })
})

describe('an order', () => {
  test('is asked for once: whether it was made is found out by its receipt', async () => {
    const { gateway, asked } = await provider(cutOff)
    const draft = { amount: 5000, currency: 'INR', receipt: 'r', notes: {} }
    await expect(gateway.createOrder(draft)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(asked).toEqual(['POST /v1/orders'])
  })

  test('that was made twice for a receipt is the first', async () => {
    const order = { id: 'order_2', amount: 1, currency: 'INR', status: 'created', notes: [], created_at: 20 }
    const items = [order, { ...order, id: 'order_1', created_at: 10, notes: { shop: 'x' } }]
    const { gateway, asked } = await provider(json({ entity: 'collection', count: 2, items }))
    expect(await gateway.findOrder('a b')).toMatchObject({ id: 'order_1', notes: { shop: 'x' } })
    expect(asked).toEqual(['GET /v1/orders?receipt=a%20b&count=10'])
  })
})

describe('an answer', () => {
  test('that refuses says why, and is not asked for again', async () => {
    const { gateway, asked } = await provider(refused('The id provided does not exist'))
    const failure = { kind: 'refused', status: 400, message: 'The id provided does not exist' }
    await expect(gateway.fetchPayment('x')).rejects.toMatchObject(failure)
    expect(asked).toHaveLength(1)
  })

  test.for([
    ['wrong keys', refused('Authentication failed', 401)],
    ['wrong keys, said otherwise', refused('Authentication failed')],
    ['a request with the same key that is still worked on', refused('Request with key is still being processed', 409)],
    ['something else than was asked for', json({ id: 'pay_1' })],
    ['a status without words', wordless]
  ] as const)('of %s says nothing of the payment', async ([, answer]) => {
    const { gateway } = await provider(answer)
    await expect(gateway.fetchPayment('x')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('that leads elsewhere is not followed', async () => {
    const { gateway } = await provider((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    })
    await expect(gateway.fetchPayment('x')).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('a signature', () => {
  const keys = { keySecret: 'secret', webhookSecrets: ['new', 'old'] }

  test('of a payment is of its order, by the key’s secret', () => {
    const signature = signPayment(keys, 'order_1', 'pay_1')
    expect(signature).toMatch(/^[0-9a-f]{64}$/)
    expect(isSignedPayment(keys, 'order_1', 'pay_1', signature)).toBe(true)
    expect(isSignedPayment(keys, 'order_2', 'pay_1', signature)).toBe(false)
    expect(isSignedPayment({ keySecret: 'other' }, 'order_1', 'pay_1', signature)).toBe(false)
    for (const wrong of ['', signature.slice(1), `${signature}0`, 'ü'.repeat(32)]) {
      expect(isSignedPayment(keys, 'order_1', 'pay_1', wrong)).toBe(false)
    }
  })

  test('of a webhook is of its bytes, by either secret while it is changed', () => {
    const body = Buffer.from('{"event":"x"}')
    const by = (secret: string): string => createHmac('sha256', secret).update(body).digest('hex')
    expect(['new', 'old', 'secret', 'other'].map(secret => isSignedWebhook(keys, body, by(secret)))).toEqual([
      true,
      true,
      false,
      false
    ])
    expect(isSignedWebhook(keys, Buffer.from('{"event": "x"}'), by('new'))).toBe(false)
    expect(isSignedWebhook({ webhookSecrets: [] }, body, by('new'))).toBe(false)
  })
})
