import type { ProviderPayment } from '../razorpay/payments.ts'
import type { CheckoutDeps } from './deps.ts'
import { reconcile, type Reconciled } from './reconcile.ts'

export interface ReconciledPayment {
  payment: ProviderPayment
  result: Reconciled
}

// The browser and several webhooks may report a payment at the same time. Their requests share one lookup.
const inProgress = new Map<string, Promise<ReconciledPayment>>()

/** Throws PaymentError. */
export async function reconcileById(deps: CheckoutDeps, paymentId: string): Promise<ReconciledPayment> {
  const earlier = await inProgress.get(paymentId)?.catch(() => undefined)
  // The result of an earlier lookup is reused only if it is final. Otherwise the payment may have changed since then.
  if (earlier?.result.kind === 'paid') return { ...earlier, result: { ...earlier.result, isNew: false } }
  if (earlier?.result.kind === 'refunded') return earlier
  return inProgress.get(paymentId) ?? startLookup(deps, paymentId)
}

function startLookup(deps: CheckoutDeps, paymentId: string): Promise<ReconciledPayment> {
  const lookup = fetchAndReconcile(deps, paymentId).finally(() => inProgress.delete(paymentId))
  inProgress.set(paymentId, lookup)
  return lookup
}

async function fetchAndReconcile(deps: CheckoutDeps, paymentId: string): Promise<ReconciledPayment> {
  const payment = await deps.payments.gateway.fetchPayment(paymentId)
  return { payment, result: await reconcile(deps, payment) }
}
