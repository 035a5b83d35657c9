import Fastify from 'fastify'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SandboxKeys, Payment, Refund, PaymentResponse } from '../../sandbox/objects.ts'
import type { Post } from '../../sandbox/store.ts'
import { createFaultySandbox, type FaultSettings } from './sandbox-faults.ts'
import { testClock, type TestClock } from './shop.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const SANDBOX_KEYS: SandboxKeys = {
  keyId: 'rzp_test_Palagaram00001',
  keySecret: 'the key secret',
  webhookSecret: 'the webhook secret'
}

export interface Webhook {
  id: string
  signature: string
  body: string
}

export interface TestReply {
  status: number
  body: Record<string, unknown>
  text: string
}

export type TestSandbox = Awaited<ReturnType<typeof startSandbox>>

interface Options {
  clock?: TestClock
  keys?: SandboxKeys
  /** Returns true if the shop accepts the webhook. By default it accepts every webhook. */
  onWebhook?: (webhook: Webhook) => boolean | Promise<boolean>
}

export async function startSandbox(options: Options = {}) {
  const { clock = testClock(), keys = SANDBOX_KEYS, onWebhook = () => true } = options
  const file = join(await temporaryFolder(), 'sandbox.db')
  const webhooks: Webhook[] = []
  const post: Post = async (_url, body, headers) => {
    const webhook = {
      id: headers['x-razorpay-event-id'] ?? '',
      signature: headers['x-razorpay-signature'] ?? '',
      body
    }
    webhooks.push(webhook)
    return onWebhook(webhook)
  }
  const sandbox = createFaultySandbox({
    webhookUrl: 'http://shop.invalid/webhook',
    manualDelivery: true,
    keys,
    ...{ file, clock, post }
  })
  const app = Fastify({ forceCloseConnections: true })
  await app.register(sandbox.plugin)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { keyId, keySecret, webhookSecret } = keys
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`

  /** `path` is relative to `/v1`. */
  const call = (method: 'GET' | 'POST', path: string, body?: object) =>
    request(`${url}/v1${path}`, method, body, { authorization })
  /** `path` is relative to `/_emu`. */
  const control = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
    request(`${url}/_emu${path}`, method, body)

  return {
    razorpay: {
      keyId,
      keySecret,
      webhookSecrets: [webhookSecret],
      apiBase: `${url}/v1`,
      checkoutUrl: `${url}/v1/checkout.js`
    },
    clock,
    webhooks,
    call,
    control,
    setFaults: (settings: FaultSettings) => control('PUT', '/faults', settings),
    async createOrder(amount = 50_000, extra = {}) {
      const payment = {
        capture: 'automatic',
        capture_options: { automatic_expiry_period: 12, manual_expiry_period: 7200 }
      }
      const { body } = await call('POST', '/orders', { amount, currency: 'INR', payment, ...extra })
      return String(body['id'])
    },
    pay: async (order_id: string) =>
      bodyOf<PaymentResponse>(await control('POST', '/pay', { order_id })),
    fetchPayment: async (id: string) => bodyOf<Payment>(await call('GET', `/payments/${id}`)),
    createRefund: async (id: string, body = {}) =>
      bodyOf<Refund>(await call('POST', `/payments/${id}/refund`, body)),
    /** Sends the due webhooks and waits for the replies. */
    deliver: sandbox.deliver
  }
}

async function request(
  url: string,
  method: string,
  body?: object,
  headers: Record<string, string> = {}
) {
  const bodyOptions = body && {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers }
  }
  const response = await fetch(url, { method, headers, ...bodyOptions })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    text,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {}
  }
}

function bodyOf<Entity>({ status, text, body }: TestReply) {
  if (status !== 200) throw new Error(`Sandbox replied ${status}: ${text}`)
  return body as Entity
}
