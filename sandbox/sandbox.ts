import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyRequest
} from 'fastify'
import { timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import {
  newOrder,
  RazorpayError,
  type SandboxKeys,
  serverError,
  sign,
  toError,
  type Labels,
  type Payment,
  type PaymentResponse
} from './objects.ts'
import { attemptPayment, capturePayment, refundPayment, runMaintenance } from './payments.ts'
import {
  find,
  list,
  openStore,
  save,
  unixNow,
  type Behaviour,
  type Provider,
  createWebhookSender,
  postByHttp,
  type Post
} from './store.ts'

type Fields = Record<string, string | undefined>
type Body = Record<string, unknown>
interface WithId {
  Params: { id: string }
  Body: Body
}

export interface SandboxOptions {
  file: string
  durable?: boolean
  keys: SandboxKeys
  webhookUrl: string
  clock?: () => number
  events?: readonly string[]
  /** Delay before the first retry of a webhook, in ms. */
  firstRetryDelay?: number
  post?: Post
  /** Sends webhooks only when `deliver` is called. */
  manualDelivery?: boolean
  behaviour?: Behaviour
  /** Adds routes and hooks before its own. Tests use it to control the sandbox. */
  extend?: (app: FastifyInstance, provider: Provider) => void
}

export interface Sandbox {
  plugin: FastifyPluginAsync
  /** Sends due webhooks and waits for the answers. A listening server sends them automatically. */
  deliver(): Promise<void>
}

const REGULAR: Behaviour = {
  planDelivery: () => ({ copies: 1, delay: 0 }),
  willRefundFail: () => false
}
const CHECK_INTERVAL_MS = 500
/** In paise. The maximum is Razorpay's usual limit per payment. */
const [MIN_AMOUNT, MAX_AMOUNT] = [100, 50_000_000]
const CHECKOUT_CACHE_SECONDS = 3600
const PERIOD = 'created_at between @from and @to'

export function createSandbox(options: SandboxOptions): Sandbox {
  const { file, durable = true, firstRetryDelay = 5000, post = postByHttp } = options
  let store: Provider['store'] | undefined
  let log: FastifyBaseLogger | undefined
  let timer: NodeJS.Timeout | undefined
  const provider: Provider = {
    // Opened by the first call, so that a shop without payments has no file.
    get store() {
      return (store ??= openStore(file, durable, () => log && webhooks.sendDue()))
    },
    keys: options.keys,
    clock: options.clock ?? Date.now,
    events: options.events,
    behaviour: options.behaviour ?? REGULAR
  }
  const webhooks = createWebhookSender(provider, {
    url: options.webhookUrl,
    post,
    firstRetryDelay,
    log: () => log
  })

  async function check() {
    if (!store && !existsSync(file)) return
    await runMaintenance(provider)
    webhooks.sendDue()
  }

  return {
    async plugin(app) {
      configure(app)
      options.extend?.(app, provider)
      await app.register(async scope => apiRoutes(scope, provider), { prefix: '/v1' })
      await app.register(async scope => checkoutRoutes(scope, provider), { prefix: '/v1' })
      app.addHook('onListen', async () => {
        if (options.manualDelivery) return
        log = app.log
        const warn = (err: unknown) => app.log.warn({ err }, 'The sandbox failed, will retry')
        timer = setInterval(() => void check().catch(warn), CHECK_INTERVAL_MS).unref()
      })
      app.addHook('preClose', async () => {
        clearInterval(timer)
        log = undefined
        await webhooks.stop()
      })
      app.addHook('onClose', async () => store?.close())
    },
    async deliver() {
      await check()
      await webhooks.idle()
    }
  }
}

function configure(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async ({ headers }: FastifyRequest, text: string) =>
      headers['content-type']?.includes('urlencoded')
        ? Object.fromEntries(new URLSearchParams(text))
        : readJson(text)
  )
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  app.addHook('preHandler', async request => {
    request.body ??= {}
  })
  app.setNotFoundHandler(async () => {
    throw new RazorpayError('The requested URL was not found on the server.')
  })
  app.setErrorHandler(async (error, request, reply) => {
    const { status, body } = error instanceof RazorpayError ? error : serverError()
    if (status >= 500) request.log.error(error)
    return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body))
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text || '{}')
  } catch {
    throw new RazorpayError('The request could not be understood by the server.')
  }
}

function apiRoutes(app: FastifyInstance, provider: Provider) {
  const { keys } = provider
  const expected = Buffer.from(
    `Basic ${Buffer.from(`${keys.keyId}:${keys.keySecret}`).toString('base64')}`
  )
  app.addHook('onRequest', async ({ headers }) => {
    const actual = Buffer.from(headers.authorization ?? '')
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
      throw new RazorpayError('Authentication failed', {}, 401)
  })
  // Not idempotent: as with Razorpay, two requests with the same receipt create two orders.
  app.post<{ Body: Body }>('/orders', async ({ body }) => {
    const order = newOrder(readAmount(body), readLabels(body), unixNow(provider))
    const capture = JSON.stringify(body['payment'] ?? {})
    await provider.store.write(() => save(provider.store, 'orders', order, { capture }))
    return order
  })
  app.post<WithId>('/payments/:id/capture', ({ params, body }) =>
    capturePayment(provider, params.id, readAmount(body))
  )
  app.post<WithId>('/payments/:id/refund', ({ params, body, headers }) => {
    const amount = body['amount'] === undefined ? undefined : readAmount(body)
    return refundPayment(provider, params.id, { amount, ...readLabels(body) }, readKey(headers))
  })
  for (const table of ['orders', 'payments', 'refunds', 'disputes'] as const) {
    app.get<{ Querystring: Fields }>(`/${table}`, async ({ query }) => {
      const { receipt, from = 0, to = Number.MAX_SAFE_INTEGER, count = 10, skip = 0 } = query
      const hasReceipt = receipt !== undefined && table === 'orders'
      const condition = hasReceipt ? `${PERIOD} and receipt = @receipt` : PERIOD
      const period = { from: Number(from), to: Number(to) }
      const page = { count: Math.min(Number(count), 100), skip: Number(skip) }
      const values = { ...period, ...page, ...(hasReceipt && { receipt }) }
      return toCollection(list(provider.store, table, condition, values))
    })
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

function toCollection(items: unknown[]): object {
  return { entity: 'collection', count: items.length, items }
}

function readKey({ 'x-refund-idempotency': key }: FastifyRequest['headers']): string | null {
  if (key === undefined) return null
  if (typeof key === 'string' && /^[A-Za-z0-9_-]{10,}$/.test(key)) return key
  throw new RazorpayError('The idempotency key must have at least 10 letters, digits, - and _.')
}

function readAmount({ amount }: Body) {
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

function checkoutRoutes(app: FastifyInstance, provider: Provider) {
  let script: Promise<string> | undefined
  const readScript = async () => {
    const code = await readFile(new URL('checkout.js', import.meta.url), 'utf8')
    return `'use strict'\n;(() => {\n${code}\n})()\n`
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

function expectKey({ keys }: Provider, { key_id }: Fields) {
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
