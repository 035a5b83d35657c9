import Fastify from 'fastify'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxKeys } from '../../sandbox/objects.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'

const KEYS: SandboxKeys = {
  keyId: 'rzp_test_Palagaram00001',
  keySecret: 'secret',
  webhookSecret: 'secret'
}

/** The Content-Security-Policy of the cart page. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "object-src 'none'; form-action 'self'; frame-ancestors 'none'"

const PAGE = `<!doctype html>
<html lang="en">
  <head><title>Cart</title><meta name="viewport" content="width=device-width"><script src="/v1/checkout.js"></script></head>
  <body><main><h1>Cart</h1><button id="pay">Pay Now</button></main></body>
</html>`

export interface SandboxPage {
  url: string
  keyId: string
  createOrder(amount?: number): Promise<string>
  fetchOrder(orderId: string): Promise<{ status: string; attempts: number }>
  /** Forms posted to the callback URL. */
  callbacks: Record<string, string>[]
  close(): Promise<void>
}

export async function openSandboxPage(): Promise<SandboxPage> {
  const folder = mkdtempSync(join(tmpdir(), 'palagaram-checkout-'))
  const app = Fastify({ forceCloseConnections: true })
  const callbacks: Record<string, string>[] = []
  app.get('/', (_request, reply) =>
    reply.headers({ 'content-security-policy': POLICY, 'content-type': 'text/html' }).send(PAGE)
  )
  app.get('/favicon.ico', (_request, reply) => reply.code(204).send())
  app.get('/after', (_request, reply) =>
    reply.type('text/html').send('<!doctype html><html lang="en"><title>Order</title>')
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: unknown) =>
      Object.fromEntries(new URLSearchParams(String(body)))
  )
  app.post<{ Body: Record<string, string> }>('/callback', ({ body }, reply) => {
    callbacks.push(body)
    return reply.redirect('/after', 303)
  })
  await app.register(
    createSandbox({
      file: join(folder, 'sandbox.db'),
      keys: KEYS,
      clock: Date.now,
      manualDelivery: true,
      webhookUrl: 'http://shop.invalid/'
    }).plugin
  )
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const authorization = `Basic ${btoa(`${KEYS.keyId}:${KEYS.keySecret}`)}`
  return {
    url,
    keyId: KEYS.keyId,
    callbacks,
    async createOrder(amount = 123_450) {
      const payload = { amount, currency: 'INR', payment: { capture: 'automatic' } }
      const reply = await app.inject({
        method: 'POST',
        url: '/v1/orders',
        headers: { authorization },
        payload
      })
      return reply.json<{ id: string }>().id
    },
    async fetchOrder(id) {
      return (await app.inject({ url: `/v1/orders/${id}`, headers: { authorization } })).json()
    },
    async close() {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
