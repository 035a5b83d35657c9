import type { ProviderPayment } from '../../gateways/payments.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { reconcile, type Reconciled } from './reconcile.ts'

export interface ReconciledPayment {
  payment: ProviderPayment
  result: Reconciled
}

// The browser and several webhooks report a payment at the same time; they share one lookup.
const inProgress = new Map<string, Promise<ReconciledPayment>>()

/** Throws PaymentError. */
export async function reconcileById(deps: CheckoutDeps, paymentId: string): Promise<ReconciledPayment> {
  const earlier = await inProgress.get(paymentId)?.catch(() => undefined)
  // A lookup that started earlier may have seen an older state, so only a final result is reused.
  if (earlier?.result.kind === 'paid') return { ...earlier, result: { ...earlier.result, isNew: false } }
  if (earlier?.result.kind === 'refunded') return earlier
  return inProgress.get(paymentId) ?? start(deps, paymentId)
}

function start(deps: CheckoutDeps, paymentId: string): Promise<ReconciledPayment> {
  const work = fetchAndReconcile(deps, paymentId).finally(() => inProgress.delete(paymentId))
  inProgress.set(paymentId, work)
  return work
}

async function fetchAndReconcile(deps: CheckoutDeps, paymentId: string): Promise<ReconciledPayment> {
  const payment = await deps.payments.gateway.fetchPayment(paymentId)
  return { payment, result: await reconcile(deps, payment) }
}
