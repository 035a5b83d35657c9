import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Faults, Fault } from './faults.ts'
import { toCollection } from './provider/entities.ts'
import { createOrder } from './provider/orders.ts'
import { capturePayment } from './provider/payments.ts'
import type { Provider } from './provider/provider.ts'
import * as records from './provider/records.ts'
import { refundPayment } from './provider/refunds.ts'
import {
  keyInProgressError,
  unknownIdError,
  authenticationError,
  RazorpayError,
  serverError,
  rateLimitError
} from './provider/errors.ts'
import { parseInput } from './provider/requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    fault: Fault | undefined
  }
}

type WithId = { Params: { id: string } }

const optionalInteger = z.optional(z.coerce.number().check(z.int(), z.minimum(0)))
const Page = z.object({ from: optionalInteger, to: optionalInteger, count: optionalInteger, skip: optionalInteger })
const OrderPage = z.extend(Page, { receipt: z.optional(z.string()) })

const BAD_GATEWAY = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>'

export function apiRoutes(app: FastifyInstance, provider: Provider, faults?: Faults): void {
  app.addHook('onRequest', async request => authenticate(provider, request))
  if (faults) addFaults(app, faults)

  app.post('/orders', ({ body }) => createOrder(provider, body))
  app.get('/orders', async ({ query }) =>
    toCollection(records.listOrders(provider.store, parseInput(OrderPage, query)))
  )
  app.get<WithId>('/orders/:id', async ({ params }) => expectFound(records.findOrder(provider.store, params.id)))
  app.get<WithId>('/orders/:id/payments', async ({ params: { id } }) => {
    expectFound(records.findOrder(provider.store, id))
    return toCollection(records.listOrderPayments(provider.store, id))
  })

  app.get('/payments', async ({ query }) => toCollection(records.listPayments(provider.store, parseInput(Page, query))))
  app.get<WithId>('/payments/:id', async ({ params }) => expectFound(records.findPayment(provider.store, params.id)))
  app.post<WithId>('/payments/:id/capture', ({ params, body }) => capturePayment(provider, params.id, body))
  app.get<WithId>('/payments/:id/refunds', async ({ params: { id } }) => {
    expectFound(records.findPayment(provider.store, id))
    return toCollection(records.listRefunds(provider.store, id))
  })
  app.get<WithId>('/refunds/:id', async ({ params }) => expectFound(records.findRefund(provider.store, params.id)))
  app.post<WithId>('/payments/:id/refund', refundWithKey(provider))
}

/** Like Razorpay, answers 409 while a refund with the same key is in progress. */
function refundWithKey(provider: Provider): (request: FastifyRequest<WithId>) => Promise<unknown> {
  const inProgress = new Set<string>()
  return async ({ params, body, headers }) => {
    const key = headers['x-refund-idempotency']
    if (key === undefined) return refundPayment(provider, params.id, body)
    if (typeof key !== 'string' || !/^[A-Za-z0-9_-]{10,}$/.test(key)) {
      throw new RazorpayError('The idempotency key must have at least 10 letters, digits, hyphens and underscores.')
    }
    if (inProgress.has(key)) throw keyInProgressError()
    inProgress.add(key)
    return refundPayment(provider, params.id, body, key).finally(() => inProgress.delete(key))
  }
}

function expectFound<Entity>(entity: Entity | undefined): Entity {
  if (entity === undefined) throw unknownIdError()
  return entity
}

function authenticate({ keys }: Provider, { headers }: FastifyRequest): void {
  const actual = Buffer.from(headers.authorization ?? '')
  const expected = Buffer.from(`Basic ${Buffer.from(`${keys.keyId}:${keys.keySecret}`).toString('base64')}`)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) throw authenticationError()
}

function addFaults(app: FastifyInstance, faults: Faults): void {
  app.decorateRequest('fault', undefined)

  app.addHook('onRequest', async (request, reply) => {
    const delay = faults.drawDelay()
    if (delay > 0) await sleep(delay)
    const fault = faults.drawFault()
    if (fault === 'errorBefore') throw serverError()
    if (fault === 'tooMany') throw rateLimitError()
    if (fault === 'html') return reply.code(502).type('text/html').send(BAD_GATEWAY)
    if (fault === 'hang') return reply.hijack()
    request.fault = fault
    return undefined
  })

  app.addHook('onSend', async ({ fault, raw }, reply: FastifyReply, payload: unknown) => {
    if (fault === 'loseAnswer') raw.socket.destroy()
    if (fault !== 'errorAfter') return payload
    const { status, body } = serverError()
    reply.code(status).removeHeader('content-length')
    return JSON.stringify(body)
  })
}
