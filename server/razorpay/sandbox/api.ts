import type { FastifyInstance, FastifyRequest } from 'fastify'
import { timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { capturePayment, refundPayment } from './payments.ts'
import {
  amount,
  authenticationError,
  createId,
  currency,
  notes,
  parseInput,
  RazorpayError,
  receipt,
  toCollection,
  type CaptureRule,
  type Order
} from './protocol.ts'
import {
  findEntity,
  insertOrder,
  listEntities,
  listOrderPayments,
  listOrders,
  listRefunds,
  unixNow,
  type Provider
} from './store.ts'

type WithId = { Params: { id: string } }

const optionalInteger = z.optional(z.coerce.number().check(z.int(), z.minimum(0)))
const Page = z.object({
  from: optionalInteger,
  to: optionalInteger,
  count: optionalInteger,
  skip: optionalInteger
})
const OrderPage = z.extend(Page, { receipt: z.optional(z.string()) })

/** Razorpay's usual limit per payment, ₹5,00,000, in paise. */
const MAX_AMOUNT = 50_000_000
const MAX_EXPIRY_MINUTES = 7200

const PaymentOption = z.strictObject({
  capture: z.enum(['automatic', 'manual'], 'The capture must be automatic or manual.'),
  capture_options: z.optional(
    z.strictObject({
      automatic_expiry_period: z.optional(
        z.int().check(z.minimum(12, 'The automatic expiry period must be at least 12.'))
      ),
      manual_expiry_period: z.optional(
        z.int().check(z.maximum(7200, 'The manual expiry period may not be greater than 7200.'))
      ),
      refund_speed: z.optional(z.enum(['normal', 'optimum'], 'The refund speed is invalid.'))
    })
  )
})

const OrderRequest = z.strictObject({
  amount: amount.check(
    z.minimum(100, 'The amount must be at least INR 1.00'),
    z.maximum(MAX_AMOUNT, 'Amount exceeds maximum amount allowed.')
  ),
  currency,
  receipt: z.optional(z.nullable(receipt)),
  notes: z.optional(notes),
  partial_payment: z.optional(z.boolean()),
  payment: z.optional(PaymentOption)
})

export function apiRoutes(app: FastifyInstance, provider: Provider): void {
  app.addHook('onRequest', async request => authenticate(provider, request))

  app.post('/orders', ({ body }) => createOrder(provider, body))
  app.get('/orders', async ({ query }) =>
    toCollection(listOrders(provider.store, parseInput(OrderPage, query)))
  )
  app.get<WithId>('/orders/:id/payments', async ({ params: { id } }) => {
    findEntity(provider.store, 'orders', id)
    return toCollection(listOrderPayments(provider.store, id))
  })

  app.post<WithId>('/payments/:id/capture', ({ params, body }) =>
    capturePayment(provider, params.id, body)
  )
  app.post<WithId>('/payments/:id/refund', async ({ params, body, headers }) =>
    refundPayment(provider, params.id, body, readRefundKey(headers))
  )
  app.get<WithId>('/payments/:id/refunds', async ({ params: { id } }) => {
    findEntity(provider.store, 'payments', id)
    return toCollection(listRefunds(provider.store, id))
  })

  for (const table of ['payments', 'refunds', 'disputes'] as const) {
    app.get(`/${table}`, async ({ query }) =>
      toCollection(listEntities(provider.store, table, parseInput(Page, query)))
    )
  }
  for (const table of ['orders', 'payments', 'refunds', 'disputes'] as const) {
    app.get<WithId>(`/${table}/:id`, async ({ params }) =>
      findEntity(provider.store, table, params.id)
    )
  }
}

function readRefundKey({
  'x-refund-idempotency': key
}: FastifyRequest['headers']): string | undefined {
  if (key === undefined || (typeof key === 'string' && /^[A-Za-z0-9_-]{10,}$/.test(key))) return key
  throw new RazorpayError(
    'The idempotency key must have at least 10 letters, digits, hyphens and underscores.'
  )
}

function authenticate({ keys }: Provider, { headers }: FastifyRequest): void {
  const actual = Buffer.from(headers.authorization ?? '')
  const expected = Buffer.from(
    `Basic ${Buffer.from(`${keys.keyId}:${keys.keySecret}`).toString('base64')}`
  )
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw authenticationError()
}

/**
 * Not idempotent: as with Razorpay, two requests with the same receipt create two orders. Throws
 * RazorpayError.
 */
async function createOrder(provider: Provider, body: unknown): Promise<Order> {
  const request = parseInput(OrderRequest, body)
  const order: Order = {
    id: createId('order'),
    entity: 'order',
    amount: request.amount,
    amount_paid: 0,
    amount_due: request.amount,
    currency: request.currency,
    receipt: request.receipt ?? null,
    offer_id: null,
    status: 'created',
    attempts: 0,
    notes: request.notes ?? [],
    created_at: unixNow(provider)
  }
  await provider.store.write(() =>
    insertOrder(provider.store, order, toCaptureRule(request.payment))
  )
  return order
}

function toCaptureRule(option: z.infer<typeof PaymentOption> | undefined): CaptureRule {
  const { automatic_expiry_period: automatic, manual_expiry_period: manual } =
    option?.capture_options ?? {}
  return {
    automatic: option?.capture === 'automatic',
    automaticExpiry: automatic ?? MAX_EXPIRY_MINUTES,
    manualExpiry: manual ?? MAX_EXPIRY_MINUTES
  }
}
