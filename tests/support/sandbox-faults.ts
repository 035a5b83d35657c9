import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  createId,
  RazorpayError,
  serverError,
  toError,
  type Dispute,
  type Payment
} from '../../sandbox/objects.ts'
import {
  attemptPayment,
  authorize,
  capture,
  expectPayable,
  fail,
  startPayment,
  succeed
} from '../../sandbox/payments.ts'
import {
  createSandbox,
  toResponse,
  type Sandbox,
  type SandboxOptions
} from '../../sandbox/sandbox.ts'
import {
  find,
  queueEvent,
  save,
  unixNow,
  type Behaviour,
  type Provider
} from '../../sandbox/store.ts'
import { seededRandom } from './random.ts'

/**
 * With `errorAfter` and `loseAnswer`, the call takes effect before the fault. Otherwise, the call
 * has no effect.
 */
const FAULTS = ['errorBefore', 'errorAfter', 'tooMany', 'html', 'hang', 'loseAnswer'] as const
type Fault = (typeof FAULTS)[number]

/** Probabilities, except for the time. */
const NO_FAULTS = {
  errorBefore: 0,
  errorAfter: 0,
  tooMany: 0,
  html: 0,
  hang: 0,
  loseAnswer: 0,
  dropWebhook: 0,
  duplicateWebhook: 0,
  /** Webhooks are delayed by a random time up to this one in ms, and arrive out of order. */
  shuffleMs: 0,
  refundFail: 0
}

/** The same seed gives the same sequence of faults. */
export type FaultSettings = Partial<typeof NO_FAULTS> & { seed?: number }

const DIALOG_CALLS = ['/v1/checkout.js', '/v1/preferences', '/v1/payments/create/ajax']
const BAD_GATEWAY = '<html><body><h1>502 Bad Gateway</h1></body></html>'

/**
 * Returns a sandbox with calls under `/_emu` that make payments without a browser and inject
 * faults.
 */
export function createFaultySandbox(options: SandboxOptions): Sandbox {
  const faults = createFaults()
  return createSandbox({
    ...options,
    behaviour: faults,
    extend(app, provider) {
      addFaults(app, faults)
      app.register(async scope => controlRoutes(scope, provider, faults), {
        prefix: '/_emu'
      })
    }
  })
}

function createFaults() {
  let settings = NO_FAULTS
  let random = Math.random
  const happens = (probability: number) => probability > 0 && random() < probability

  return {
    /** Settings that are not given are those of a provider without faults. */
    set({ seed, ...changes }: FaultSettings) {
      settings = { ...NO_FAULTS, ...changes }
      random = seed === undefined ? Math.random : seededRandom(seed)
    },
    drawFault: (): Fault | undefined => FAULTS.find(name => happens(settings[name])),
    planDelivery(): ReturnType<Behaviour['planDelivery']> {
      if (happens(settings.dropWebhook)) return undefined
      const copies = happens(settings.duplicateWebhook) ? 2 : 1
      return { copies, delay: Math.round(random() * settings.shuffleMs) }
    },
    willRefundFail: () => happens(settings.refundFail)
  }
}

/** Faults happen only in the provider's API, and only after the key was checked. */
function addFaults(app: FastifyInstance, faults: ReturnType<typeof createFaults>) {
  const drawn = new WeakMap<FastifyRequest, Fault>()

  app.addHook('preHandler', async (request, reply) => {
    const { url = '' } = request.routeOptions
    if (!/\/v1\//.test(url) || DIALOG_CALLS.some(call => url.endsWith(call))) return undefined
    const fault = faults.drawFault()
    if (fault === 'errorBefore') throw serverError()
    if (fault === 'tooMany') throw new RazorpayError('Too many requests', {}, 429)
    if (fault === 'html') return reply.code(502).type('text/html').send(BAD_GATEWAY)
    if (fault === 'hang') return reply.hijack()
    if (fault) drawn.set(request, fault)
    return undefined
  })

  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const fault = drawn.get(request)
    if (fault === 'loseAnswer') request.raw.socket.destroy()
    if (fault !== 'errorAfter') return payload
    const { status, body } = serverError()
    reply.code(status).removeHeader('content-length')
    return JSON.stringify(body)
  })
}

/** `pending`: the bank has not answered. `authorized`: it is not captured automatically. */
type Outcome = 'paid' | 'failed' | 'pending' | 'authorized'

interface Attempt {
  order_id: string
  outcome?: Outcome
  email?: string
  contact?: string
}

function controlRoutes(
  app: FastifyInstance,
  provider: Provider,
  faults: ReturnType<typeof createFaults>
) {
  const { store } = provider

  app.put<{ Body: FaultSettings }>('/faults', async ({ body }) => {
    faults.set(body)
    return {}
  })

  app.post<{ Body: Attempt }>('/pay', async ({ body }) =>
    answer(provider, await pay(provider, body))
  )

  app.post<{ Body: Attempt }>('/pay2', async ({ body }) => {
    const payment = await store.write(() => {
      const order = find(store, 'orders', body.order_id)
      const second = startPayment(provider, order, { outcome: 'paid' })
      return capture(provider, authorize(provider, second))
    })
    return toResponse(provider, payment)
  })

  app.post<{ Body: { payment_id: string; outcome: Outcome | 'captured' } }>('/late', ({ body }) =>
    store.write(() =>
      changeOutcome(provider, find(store, 'payments', body.payment_id), body.outcome)
    )
  )

  app.post<{ Body: { payment_id: string } }>('/dispute', ({ body: { payment_id } }) =>
    store.write(() => {
      const payment = find(store, 'payments', payment_id)
      const { amount, currency } = payment
      const dispute: Dispute = {
        ...{ id: createId('disp'), entity: 'dispute', payment_id, amount, currency },
        ...{ status: 'open', created_at: unixNow(provider) }
      }
      save(store, 'disputes', dispute)
      queueEvent(provider, 'payment.dispute.created', { payment, dispute })
      return dispute
    })
  )

  app.post<{ Body: { dispute_id: string; status: Dispute['status'] } }>(
    '/dispute-status',
    ({ body: { dispute_id, status } }) =>
      store.write(() => {
        const dispute = { ...find(store, 'disputes', dispute_id), status }
        save(store, 'disputes', dispute)
        const payment = find(store, 'payments', dispute.payment_id)
        if (status !== 'open')
          queueEvent(provider, `payment.dispute.${status}`, { payment, dispute })
        return dispute
      })
  )

  app.get('/events', async () => {
    const row = store.sql('select count(*) as waiting from events where next_at is not null').get()
    return row as { waiting: number }
  })
}

function pay(provider: Provider, { order_id, outcome = 'paid', ...attempt }: Attempt) {
  if (outcome === 'paid' || outcome === 'failed') {
    return attemptPayment(provider, order_id, { outcome, ...attempt })
  }
  return provider.store.write(() => {
    const order = find(provider.store, 'orders', order_id)
    expectPayable(provider, order)
    const payment = startPayment(provider, order, { outcome: 'paid', ...attempt })
    return outcome === 'pending' ? payment : authorize(provider, payment)
  })
}

/**
 * Applies a late answer of the bank, which may contradict its first answer. Throws RazorpayError.
 */
function changeOutcome(provider: Provider, payment: Payment, outcome: Outcome | 'captured') {
  if (payment.captured || payment.status === 'refunded')
    throw new RazorpayError('This payment is settled')
  if (outcome === 'captured') return capture(provider, authorize(provider, payment))
  if (outcome === 'authorized') return authorize(provider, payment)
  if (outcome === 'paid') return succeed(provider, payment)
  return outcome === 'failed' ? fail(provider, payment) : payment
}

function answer(provider: Provider, payment: Payment) {
  if (payment.status === 'failed') throw toError(payment)
  if (payment.status === 'created')
    return { razorpay_payment_id: payment.id, razorpay_order_id: payment.order_id }
  return toResponse(provider, payment)
}
