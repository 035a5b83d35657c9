import { ShopError } from '#lib/errors.ts'
import { MINUTE, PAID_RESERVATION_TIME } from '#lib/time.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import { isSignedPayment } from '../razorpay/payment-signatures.ts'
import { PaymentError } from '../razorpay/payments.ts'
import { setReservedUntil } from './transitions.ts'
import type { CheckoutDeps } from './deps.ts'
import type { Reconciled } from './reconcile.ts'
import { reconcileById } from './reconcile-by-id.ts'

/** `checking` means that the provider can't be reached or the payment is not captured yet. */
export type Confirmation =
  { kind: 'paid'; order: OrderRow; isNew: boolean } | { kind: 'refunded' } | { kind: 'checking' }

/** Extends the reservation if the payment can't be confirmed yet. Throws INVALID_PAYMENT. */
export async function confirmPayment(
  deps: CheckoutDeps,
  order: OrderRow,
  paymentId: string,
  signature: string
): Promise<Confirmation> {
  requireSignature(deps, order.provider_order_id, paymentId, signature)
  if (order.paid_payment_id === paymentId) return { kind: 'paid', order, isNew: false }
  const result = await reconcileForOrder(deps, order, paymentId)
  if (result?.kind === 'paid') return result
  if (result?.kind === 'refunded') return { kind: 'refunded' }
  await extendReservation(deps, order)
  return { kind: 'checking' }
}

export function requireSignature(
  { payments: { settings } }: Pick<CheckoutDeps, 'payments'>,
  providerOrderId: string | null,
  paymentId: string,
  signature: string
): void {
  const isSigned = providerOrderId !== null && isSignedPayment(settings, providerOrderId, paymentId, signature)
  if (!isSigned) throw new ShopError('INVALID_PAYMENT')
}

async function reconcileForOrder(
  deps: CheckoutDeps,
  order: OrderRow,
  paymentId: string
): Promise<Reconciled | undefined> {
  try {
    const { payment, result } = await reconcileById(deps, paymentId)
    if (payment.order_id !== order.provider_order_id) throw new ShopError('INVALID_PAYMENT')
    return result
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    deps.log.warn({ err: error, order: order.id }, 'Payment could not be confirmed yet')
    return undefined
  }
}

async function extendReservation({ write, clock }: CheckoutDeps, { id, attempted_at }: OrderRow): Promise<void> {
  const now = clock()
  const changes = {
    attempted_at: attempted_at ?? new Date(now).toISOString(),
    next_check_at: new Date(now + MINUTE).toISOString()
  }
  await write(trx => setReservedUntil(trx, id, new Date(now + PAID_RESERVATION_TIME).toISOString(), changes))
}
