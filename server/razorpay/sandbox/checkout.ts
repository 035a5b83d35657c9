import type { FastifyInstance } from 'fastify'
import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { HOUR, SECOND } from '#lib/time.ts'
import { signPayment } from '../signatures.ts'
import { attemptPayment } from './payments.ts'
import { authenticationError, parseInput, RazorpayError, type Payment } from './protocol.ts'
import { findEntity, type Provider } from './store.ts'

export interface PaymentResponse {
  razorpay_payment_id: string
  razorpay_order_id: string
  razorpay_signature: string
}

const Preferences = z.object({ key_id: z.string(), order_id: z.string() })
const AttemptForm = z.object({
  key_id: z.string(),
  order_id: z.string(),
  amount: z.optional(z.coerce.number()),
  email: z.optional(z.string()),
  contact: z.optional(z.string()),
  description: z.optional(z.string()),
  outcome: z.enum(['paid', 'failed'])
})

/**
 * Serves checkout.js and the API calls of its dialog. The calls need the key id and the order id,
 * but no secret.
 */
export async function checkoutRoutes(app: FastifyInstance, provider: Provider): Promise<void> {
  let script: Promise<string> | undefined

  // The shop's pages may have another origin than the sandbox.
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin'
    })
  })

  app.get('/checkout.js', async (_request, reply) => {
    reply.headers({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': `max-age=${HOUR / SECOND}`
    })
    return (script ??= checkoutScript())
  })

  app.get('/preferences', async ({ query }) => {
    const { key_id, order_id } = parseInput(Preferences, query)
    expectKey(provider, key_id)
    const { amount, currency, status } = findEntity(provider.store, 'orders', order_id)
    return { order: { amount, currency, status } }
  })

  app.post('/payments/create/ajax', async ({ body }) => {
    const { key_id, order_id, ...attempt } = parseInput(AttemptForm, body)
    expectKey(provider, key_id)
    const payment = await attemptPayment(provider, { orderId: order_id, ...attempt })
    // The status is 200 even for a failed payment, because browsers log other statuses as errors.
    return payment.status === 'failed'
      ? toRazorpayError(payment).body
      : toResponse(provider, payment)
  })
}

/** The signature covers the ids, but neither amount nor status. */
export function toResponse({ keys }: Provider, { id, order_id }: Payment): PaymentResponse {
  return {
    razorpay_payment_id: id,
    razorpay_order_id: order_id,
    razorpay_signature: signPayment(keys, order_id, id)
  }
}

export function toRazorpayError(payment: Payment): RazorpayError {
  return new RazorpayError(payment.error_description ?? '', {
    source: payment.error_source ?? '',
    step: payment.error_step ?? '',
    reason: payment.error_reason ?? '',
    metadata: { payment_id: payment.id, order_id: payment.order_id }
  })
}

function expectKey({ keys }: Provider, keyId: string): void {
  if (keyId !== keys.keyId) throw authenticationError()
}

/** Combines two modules and a style sheet into one classic script. */
async function checkoutScript(): Promise<string> {
  const [view = '', script = '', styles = ''] = await Promise.all(
    ['view.js', 'checkout.js', 'checkout.css'].map(readPart)
  )
  const code = [view, script].map(part =>
    part.replace(/^import .*$/gm, '').replace(/^export /gm, '')
  )
  const codeWithStyles = code
    .join('\n')
    .replace("'/* checkout.css */'", () => JSON.stringify(styles))
  return `'use strict'\n;(() => {\n${codeWithStyles}\n})()\n`
}

function readPart(name: string): Promise<string> {
  return readFile(new URL(`page/${name}`, import.meta.url), 'utf8')
}
