import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import {
  createId,
  RazorpayError,
  toError,
  type Dispute,
  type Payment,
  type PaymentResponse
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
import { toResponse } from '../../sandbox/sandbox.ts'
import {
  find,
  save,
  unixNow,
  type Provider,
  queueEvent,
  type WebhookSender
} from '../../sandbox/store.ts'
import { parse, type Faults } from './sandbox-faults.ts'

/**
 * `pending`: the bank has not answered. `authorized`: the payment is not captured automatically.
 */
const OUTCOMES = ['paid', 'failed', 'pending', 'authorized'] as const

const Pay = z.strictObject({
  order_id: z.string(),
  outcome: z._default(z.enum(OUTCOMES), 'paid'),
  email: z.optional(z.string()),
  contact: z.optional(z.string())
})
const PayAgain = z.strictObject({ order_id: z.string() })
const OutcomeChange = z.strictObject({
  payment_id: z.string(),
  outcome: z.enum([...OUTCOMES, 'captured'])
})

const DisputeRequest = z.strictObject({ payment_id: z.string(), amount: z.optional(z.int()) })
const DisputeChange = z.strictObject({
  dispute_id: z.string(),
  status: z.enum(['open', 'under_review', 'won', 'lost', 'closed'])
})

export function controlRoutes(
  app: FastifyInstance,
  provider: Provider,
  faults: Faults,
  webhooks: WebhookSender
): void {
  const { store, clock } = provider

  app.get('/faults', async () => faults.settings)
  app.put('/faults', async ({ body }) => faults.set(body))

  app.post('/pay', async ({ body }) => answer(provider, await pay(provider, parse(Pay, body))))

  app.post('/pay2', async ({ body }) => {
    const { order_id } = parse(PayAgain, body)
    const payment = await store.write(() => {
      const second = startPayment(provider, find(store, 'orders', order_id), {
        outcome: 'paid'
      })
      return capture(provider, authorize(provider, second))
    })
    return toResponse(provider, payment)
  })

  app.post('/late', ({ body }) => {
    const { payment_id, outcome } = parse(OutcomeChange, body)
    return store.write(() => changeOutcome(provider, payment_id, outcome))
  })

  app.post('/dispute', ({ body }) => openDispute(provider, parse(DisputeRequest, body)))
  app.post('/dispute-status', ({ body }) => changeDispute(provider, parse(DisputeChange, body)))

  app.get('/events', async () => {
    const row = store.sql('select count(*) as waiting from events where next_at is not null').get()
    return row as { waiting: number }
  })

  // Sends all events again. Razorpay's dashboard can do the same.
  app.post('/replay', async () => {
    const statement = store.sql('update events set next_at = ?, copies = max(copies, 1)')
    const { changes } = await store.write(() => statement.run(clock()))
    webhooks.sendDue()
    return { replayed: changes }
  })
}

function pay(
  provider: Provider,
  { order_id, outcome, ...attempt }: z.infer<typeof Pay>
): Promise<Payment> {
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
function changeOutcome(
  provider: Provider,
  id: string,
  outcome: z.infer<typeof OutcomeChange>['outcome']
): Payment {
  const payment = find(provider.store, 'payments', id)
  if (payment.captured || payment.status === 'refunded')
    throw new RazorpayError('This payment is settled')
  if (outcome === 'captured') return capture(provider, authorize(provider, payment))
  if (outcome === 'authorized') return authorize(provider, payment)
  if (outcome === 'paid') return succeed(provider, payment)
  return outcome === 'failed' ? fail(provider, payment) : payment
}

function openDispute(
  provider: Provider,
  { payment_id, amount }: z.infer<typeof DisputeRequest>
): Promise<Dispute> {
  return provider.store.write(() => {
    const payment = find(provider.store, 'payments', payment_id)
    const now = unixNow(provider)
    const dispute: Dispute = {
      id: createId('disp'),
      entity: 'dispute',
      payment_id,
      amount: amount ?? payment.amount,
      currency: payment.currency,
      status: 'open',
      created_at: now
    }
    save(provider.store, 'disputes', dispute)
    queueEvent(provider, 'payment.dispute.created', { payment, dispute })
    return dispute
  })
}

function changeDispute(
  provider: Provider,
  { dispute_id, status }: z.infer<typeof DisputeChange>
): Promise<Dispute> {
  return provider.store.write(() => {
    const dispute = find(provider.store, 'disputes', dispute_id)
    const changed: Dispute = { ...dispute, status }
    save(provider.store, 'disputes', changed)
    const payment = find(provider.store, 'payments', dispute.payment_id)
    if (status !== 'open')
      queueEvent(provider, `payment.dispute.${status}`, { payment, dispute: changed })
    return changed
  })
}

function answer(provider: Provider, payment: Payment): Partial<PaymentResponse> {
  if (payment.status === 'failed') throw toError(payment)
  if (payment.status === 'created')
    return { razorpay_payment_id: payment.id, razorpay_order_id: payment.order_id }
  return toResponse(provider, payment)
}
