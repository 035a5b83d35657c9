import type { FastifyInstance, FastifyRequest } from 'fastify'
import { timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  sign,
  toError,
  newOrder,
  RazorpayError,
  type Labels,
  type Order,
  type Payment,
  type PaymentResponse
} from './objects.ts'
import { attemptPayment, capturePayment, refundPayment } from './payments.ts'
import { find, list, save, unixNow, type Provider, type Table } from './store.ts'

type Fields = Record<string, string | undefined>
type Body = Record<string, unknown>
interface WithId {
  Params: { id: string }
  Body: Body
}

/** In paise. The maximum is Razorpay's usual limit per payment. */
const [MIN_AMOUNT, MAX_AMOUNT] = [100, 50_000_000]
const CHECKOUT_CACHE_SECONDS = 3600

export function apiRoutes(app: FastifyInstance, provider: Provider): void {
  const { keys } = provider
  const expected = Buffer.from(
    `Basic ${Buffer.from(`${keys.keyId}:${keys.keySecret}`).toString('base64')}`
  )
  app.addHook('onRequest', async ({ headers }) => {
    const actual = Buffer.from(headers.authorization ?? '')
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
      throw new RazorpayError('Authentication failed', {}, 401)
  })
  app.post<{ Body: Body }>('/orders', ({ body }) => createOrder(provider, body))
  app.post<WithId>('/payments/:id/capture', ({ params, body }) =>
    capturePayment(provider, params.id, readAmount(body))
  )
  app.post<WithId>('/payments/:id/refund', ({ params, body, headers }) => {
    const amount = body['amount'] === undefined ? undefined : readAmount(body)
    return refundPayment(provider, params.id, { amount, ...readLabels(body) }, readKey(headers))
  })
  for (const table of ['orders', 'payments', 'refunds', 'disputes'] as const) {
    app.get<{ Querystring: Fields }>(`/${table}`, async ({ query }) =>
      toCollection(listPage(provider, table, query))
    )
    app.get<WithId>(`/${table}/:id`, async ({ params }) => find(provider.store, table, params.id))
  }
  for (const [parent, table, column] of [
    ['orders', 'payments', 'order_id'],
    ['payments', 'refunds', 'payment_id']
  ] as const) {
    app.get<WithId>(`/${parent}/:id/${table}`, async ({ params: { id } }) => {
      find(provider.store, parent, id)
      return toCollection(list(provider.store, table, `${column} = @id`, { id }))
    })
  }
}

function listPage({ store }: Provider, table: Table, query: Fields): unknown[] {
  const { receipt, from, to, count, skip } = query
  const byReceipt = receipt !== undefined && table === 'orders'
  const condition = `created_at between @from and @to${byReceipt ? ' and receipt = @receipt' : ''}`
  return list(store, table, condition, {
    from: Number(from ?? 0),
    to: Number(to ?? Number.MAX_SAFE_INTEGER),
    count: Math.min(Number(count ?? 10), 100),
    skip: Number(skip ?? 0),
    ...(byReceipt && { receipt })
  })
}

function toCollection(items: unknown[]): object {
  return { entity: 'collection', count: items.length, items }
}

function readKey({ 'x-refund-idempotency': key }: FastifyRequest['headers']): string | null {
  if (key === undefined) return null
  if (typeof key === 'string' && /^[A-Za-z0-9_-]{10,}$/.test(key)) return key
  throw new RazorpayError('The idempotency key must have at least 10 letters, digits, - and _.')
}

function readAmount({ amount }: Body): number {
  const isNumber = Number.isInteger(amount)
  if (isNumber && Number(amount) > MAX_AMOUNT)
    throw new RazorpayError('Amount exceeds maximum amount allowed.', { field: 'amount' })
  if (isNumber && Number(amount) >= MIN_AMOUNT) return Number(amount)
  throw new RazorpayError('The amount must be at least INR 1.00', { field: 'amount' })
}

function readLabels({ receipt, notes = {} }: Body): Labels {
  const hasNotes = Object.keys(notes as object).length > 0
  return {
    receipt: receipt === undefined ? null : String(receipt),
    notes: hasNotes ? (notes as Record<string, unknown>) : []
  }
}

/** Not idempotent: as with Razorpay, two requests with the same receipt create two orders. */
async function createOrder(provider: Provider, body: Body): Promise<Order> {
  const order = newOrder(readAmount(body), readLabels(body), unixNow(provider))
  const capture = JSON.stringify(body['payment'] ?? {})
  await provider.store.write(() => save(provider.store, 'orders', order, { capture }))
  return order
}

/** checkout.js and the calls of its dialog, which need the key id but no secret. */
export function checkoutRoutes(app: FastifyInstance, provider: Provider): void {
  const page = new URL('page/', import.meta.url)
  let script: Promise<string> | undefined
  const readScript = async (): Promise<string> => {
    const [code = '', styles = ''] = await Promise.all(
      ['checkout.js', 'checkout.css'].map(name => readFile(new URL(name, page), 'utf8'))
    )
    const withStyles = code.replace("'/* checkout.css */'", () => JSON.stringify(styles))
    return `'use strict'\n;(() => {\n${withStyles}\n})()\n`
  }

  // The shop's pages may have another origin than the sandbox.
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin'
    })
  })

  app.get('/checkout.js', async (_request, reply) => {
    reply.header('cache-control', `max-age=${CHECKOUT_CACHE_SECONDS}`)
    reply.type('text/javascript; charset=utf-8')
    return (script ??= readScript())
  })

  app.get<{ Querystring: Fields }>('/preferences', async ({ query }) => {
    expectKey(provider, query)
    const { amount, currency, status } = find(provider.store, 'orders', query['order_id'] ?? '')
    return { order: { amount, currency, status } }
  })

  app.post<{ Body: Fields }>('/payments/create/ajax', async ({ body }) => {
    expectKey(provider, body)
    const { order_id = '', outcome, email, contact } = body
    const payment = await attemptPayment(provider, order_id, {
      outcome: outcome === 'failed' ? 'failed' : 'paid',
      email,
      contact
    })
    // The status is 200 even for a failed payment, because browsers log other statuses as errors.
    return payment.status === 'failed' ? toError(payment).body : toResponse(provider, payment)
  })
}

function expectKey({ keys }: Provider, { key_id }: Fields): void {
  if (key_id !== keys.keyId) throw new RazorpayError('Authentication failed', {}, 401)
}

/** The signature covers the ids, but neither amount nor status. */
export function toResponse({ keys }: Provider, { id, order_id }: Payment): PaymentResponse {
  return {
    razorpay_payment_id: id,
    razorpay_order_id: order_id,
    razorpay_signature: sign(keys.keySecret, `${order_id}|${id}`)
  }
}
