import type { FastifyInstance } from 'fastify'
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
import type { Faults, FaultSettings } from './sandbox-faults.ts'

/** `pending`: the bank has not answered. `authorized`: it is not captured automatically. */
type Outcome = 'paid' | 'failed' | 'pending' | 'authorized'

interface Attempt {
  order_id: string
  outcome?: Outcome
  email?: string
  contact?: string
}
interface OutcomeChange {
  payment_id: string
  outcome: Outcome | 'captured'
}

interface DisputeChange {
  dispute_id: string
  status: Dispute['status']
}

export function controlRoutes(
  app: FastifyInstance,
  provider: Provider,
  faults: Faults,
  webhooks: WebhookSender
): void {
  const { store, clock } = provider

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

  app.post<{ Body: OutcomeChange }>('/late', ({ body }) =>
    store.write(() => changeOutcome(provider, body))
  )

  app.post<{ Body: { payment_id: string } }>('/dispute', ({ body }) =>
    openDispute(provider, body.payment_id)
  )
  app.post<{ Body: DisputeChange }>('/dispute-status', ({ body }) => changeDispute(provider, body))

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
  { order_id, outcome = 'paid', ...attempt }: Attempt
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
function changeOutcome(provider: Provider, { payment_id, outcome }: OutcomeChange): Payment {
  const payment = find(provider.store, 'payments', payment_id)
  if (payment.captured || payment.status === 'refunded')
    throw new RazorpayError('This payment is settled')
  if (outcome === 'captured') return capture(provider, authorize(provider, payment))
  if (outcome === 'authorized') return authorize(provider, payment)
  if (outcome === 'paid') return succeed(provider, payment)
  return outcome === 'failed' ? fail(provider, payment) : payment
}

function openDispute(provider: Provider, payment_id: string): Promise<Dispute> {
  return provider.store.write(() => {
    const payment = find(provider.store, 'payments', payment_id)
    const dispute: Dispute = {
      id: createId('disp'),
      entity: 'dispute',
      payment_id,
      amount: payment.amount,
      currency: payment.currency,
      status: 'open',
      created_at: unixNow(provider)
    }
    save(provider.store, 'disputes', dispute)
    queueEvent(provider, 'payment.dispute.created', { payment, dispute })
    return dispute
  })
}

function changeDispute(
  provider: Provider,
  { dispute_id, status }: DisputeChange
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
