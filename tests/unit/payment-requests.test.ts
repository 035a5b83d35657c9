import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRazorpay, type PaymentGateway } from '#server/razorpay/client.ts'

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

type Reply = (request: IncomingMessage, response: ServerResponse) => void

/** Starts a fake provider with one reply per request. The last reply is repeated. */
async function startProvider(
  ...replies: Reply[]
): Promise<{ gateway: PaymentGateway; requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const reply = replies[Math.min(requests.length, replies.length - 1)]
    requests.push(
      `${request.method} ${request.url} ${String(request.headers['x-refund-idempotency'] ?? '')}`.trim()
    )
    reply?.(request, response)
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
  return { gateway: createRazorpay(settings, { timeout: 500, backoff: [1, 1] }), requests }
}

const json =
  (body: unknown, status = 200): Reply =>
  (_request, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body))
const htmlReply: Reply = (_request, response) =>
  void response.writeHead(502).end('<html>Bad Gateway</html>')
const dropConnection: Reply = request => void request.socket.destroy()
const redirect: Reply = (_request, response) =>
  void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
const refusal = (description: string, status = 400) =>
  json({ error: { code: 'BAD_REQUEST_ERROR', description } }, status)

describe('Payment requests: retries', () => {
  test.for([
    ['an HTML page instead of JSON', htmlReply],
    ['a dropped connection', dropConnection],
    ['too many requests', refusal('Too many requests', 429)]
  ] as const)('a GET request is retried twice after %s', async ([, failure]) => {
    const { gateway, requests } = await startProvider(failure, failure, json(PAYMENT), failure)
    const payment = { id: PAYMENT.id, status: 'captured' }
    expect(await gateway.fetchPayment(PAYMENT.id)).toMatchObject(payment)
    expect(requests).toHaveLength(3)
    const unavailable = { name: 'PaymentError', kind: 'unavailable' }
    await expect(gateway.fetchPayment('x')).rejects.toMatchObject(unavailable)
    expect(requests).toHaveLength(6)
  })

  test('a refund is retried with the same key and body', async () => {
    const refund = { id: 'rfnd_1', payment_id: PAYMENT.id, amount: 5000, status: 'processed' }
    const { gateway, requests } = await startProvider(
      dropConnection,
      json({ ...refund, receipt: 'rf_1' })
    )
    expect(await gateway.refund(PAYMENT.id, 'rf_0000000001', '{"amount":5000}')).toMatchObject({
      id: 'rfnd_1'
    })
    const line = `POST /v1/payments/${PAYMENT.id}/refund rf_0000000001`
    expect(requests).toEqual([line, line])
  })
})

test('Creating an order is not retried', async () => {
  const { gateway, requests } = await startProvider(dropConnection)
  const draft = { amount: 5000, currency: 'INR', receipt: 'r', notes: {} }
  await expect(gateway.createOrder(draft)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(requests).toEqual(['POST /v1/orders'])
})

describe('Payment requests: replies', () => {
  test('a refused request fails with the provider’s reason and is not retried', async () => {
    const { gateway, requests } = await startProvider(refusal('The id provided does not exist'))
    const failure = { kind: 'refused', status: 400, message: 'The id provided does not exist' }
    await expect(gateway.fetchPayment('x')).rejects.toMatchObject(failure)
    expect(requests).toHaveLength(1)
  })

  test.for([
    ['wrong keys', refusal('Authentication failed', 401)],
    [
      'a concurrent request with the same key',
      refusal('Request with key is still being processed', 409)
    ],
    ['an unexpected object', json({ id: 'pay_1' })],
    ['a redirect, which is not followed', redirect]
  ] as const)('a request fails as unavailable after %s', async ([, reply]) => {
    const { gateway } = await startProvider(reply)
    await expect(gateway.fetchPayment('x')).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
