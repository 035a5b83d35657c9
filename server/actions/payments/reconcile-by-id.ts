import type { ProviderPayment } from '../../gateways/payments.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { reconcile, type Reconciled } from './reconcile.ts'

/** A payment as the provider tells it, and what became of it. */
export interface ReconciledPayment {
  payment: ProviderPayment
  finalised: Reconciled
}

// The browser and several webhooks speak of one payment at the same time: one of them asks.
const underway = new Map<string, Promise<ReconciledPayment>>()

/** Asks the provider for one payment and brings it to its end. Throws PaymentError. */
export async function reconcileById(deps: CheckoutDeps, paymentId: string): Promise<ReconciledPayment> {
  const earlier = await underway.get(paymentId)?.catch(() => undefined)
  // What was asked before may be older than the news; only an end is an end.
  if (earlier?.finalised.kind === 'paid') return { ...earlier, finalised: { ...earlier.finalised, isNew: false } }
  if (earlier?.finalised.kind === 'refunded') return earlier
  // One that has begun since is as new as one that begins now.
  return underway.get(paymentId) ?? begin(deps, paymentId)
}

function begin(deps: CheckoutDeps, paymentId: string): Promise<ReconciledPayment> {
  const work = ask(deps, paymentId).finally(() => underway.delete(paymentId))
  underway.set(paymentId, work)
  return work
}

async function ask(deps: CheckoutDeps, paymentId: string): Promise<ReconciledPayment> {
  const payment = await deps.payments.gateway.fetchPayment(paymentId)
  return { payment, finalised: await reconcile(deps, payment) }
}
