import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Faults, Trouble } from './faults.ts'
import { collection } from './provider/entities.ts'
import { createOrder } from './provider/orders.ts'
import { capturePayment } from './provider/payments.ts'
import type { Provider } from './provider/provider.ts'
import * as records from './provider/records.ts'
import { refundPayment } from './provider/refunds.ts'
import { keyAtWork, noSuchId, notAuthenticated, Refusal, serverError, tooMany } from './provider/refusal.ts'
import { read } from './provider/requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the emulated provider does to the answer. */
    trouble: Trouble | undefined
  }
}

type WithId = { Params: { id: string } }

const whole = z.optional(z.coerce.number().check(z.int(), z.minimum(0)))
const Page = z.object({ from: whole, to: whole, count: whole, skip: whole })
const OrderPage = z.extend(Page, { receipt: z.optional(z.string()) })

const BAD_GATEWAY = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>'

/** The calls that the shop's server makes, with its keys. */
export function apiRoutes(app: FastifyInstance, provider: Provider, faults?: Faults): void {
  app.addHook('onRequest', async request => authenticate(provider, request))
  if (faults) addTroubles(app, faults)

  app.post('/orders', ({ body }) => createOrder(provider, body))
  app.get('/orders', async ({ query }) => collection(records.listOrders(provider.store, read(OrderPage, query))))
  app.get<WithId>('/orders/:id', async ({ params }) => known(records.findOrder(provider.store, params.id)))
  app.get<WithId>('/orders/:id/payments', async ({ params: { id } }) => {
    known(records.findOrder(provider.store, id))
    return collection(records.listOrderPayments(provider.store, id))
  })

  app.get('/payments', async ({ query }) => collection(records.listPayments(provider.store, read(Page, query))))
  app.get<WithId>('/payments/:id', async ({ params }) => known(records.findPayment(provider.store, params.id)))
  app.post<WithId>('/payments/:id/capture', ({ params, body }) => capturePayment(provider, params.id, body))
  app.get<WithId>('/payments/:id/refunds', async ({ params: { id } }) => {
    known(records.findPayment(provider.store, id))
    return collection(records.listRefunds(provider.store, id))
  })
  app.get<WithId>('/refunds/:id', async ({ params }) => known(records.findRefund(provider.store, params.id)))
  app.post<WithId>('/payments/:id/refund', refundOnce(provider))
}

/** One refund per key: who asks again while it is being made is told so. */
function refundOnce(provider: Provider): (request: FastifyRequest<WithId>) => Promise<unknown> {
  const atWork = new Set<string>()
  return async ({ params, body, headers }) => {
    const key = headers['x-refund-idempotency']
    if (key === undefined) return refundPayment(provider, params.id, body)
    if (typeof key !== 'string' || !/^[A-Za-z0-9_-]{10,}$/.test(key)) {
      throw new Refusal('The idempotency key must have at least 10 letters, digits, hyphens and underscores.')
    }
    if (atWork.has(key)) throw keyAtWork()
    atWork.add(key)
    return refundPayment(provider, params.id, body, key).finally(() => atWork.delete(key))
  }
}

function known<Entity>(entity: Entity | undefined): Entity {
  if (entity === undefined) throw noSuchId()
  return entity
}

function authenticate({ keys }: Provider, { headers }: FastifyRequest): void {
  const sent = Buffer.from(headers.authorization ?? '')
  const wanted = Buffer.from(`Basic ${Buffer.from(`${keys.keyId}:${keys.keySecret}`).toString('base64')}`)
  if (sent.length !== wanted.length || !timingSafeEqual(sent, wanted)) throw notAuthenticated()
}

function addTroubles(app: FastifyInstance, faults: Faults): void {
  app.decorateRequest('trouble', undefined)

  app.addHook('onRequest', async (request, reply) => {
    const slowness = faults.slowness()
    if (slowness > 0) await sleep(slowness)
    const trouble = faults.trouble()
    if (trouble === 'errorBefore') throw serverError()
    if (trouble === 'tooMany') throw tooMany()
    if (trouble === 'html') return reply.code(502).type('text/html').send(BAD_GATEWAY)
    // Nobody answers any more: the connection stays open until the caller has enough of it.
    if (trouble === 'hang') return reply.hijack()
    request.trouble = trouble
    return undefined
  })

  app.addHook('onSend', async ({ trouble, raw }, reply: FastifyReply, payload: unknown) => {
    if (trouble === 'loseAnswer') raw.socket.destroy()
    if (trouble !== 'errorAfter') return payload
    const { status, body } = serverError()
    reply.code(status).removeHeader('content-length')
    return JSON.stringify(body)
  })
}
