import type { PaymentState } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import { PaymentError } from '../razorpay/payments.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import type { CheckoutDeps } from './deps.ts'
import { reconcileOrderPayments } from './reconcile-order-payments.ts'
import { findOwnOrder, withLines } from './read-orders.ts'

/** Reconciles an order's payments, then returns the payment state. Throws ORDER_NOT_FOUND, PAYMENTS_UNAVAILABLE. */
export async function syncOrder(deps: CheckoutDeps, userId: string, id: string): Promise<PaymentState> {
  const knownOrder = await findOwnOrder(deps, userId, id)
  if (knownOrder.fulfilment_status === null) await reconcileOrderPayments(deps, knownOrder).catch(throwUnavailable)
  const order = await findOwnOrder(deps, userId, id)
  return { state: toPaymentState(order), order: await withLines(deps, order) }
}

function toPaymentState({ payment_state, attempted_at }: OrderRow): PaymentState['state'] {
  if (payment_state === 'paid') return 'paid'
  if (payment_state === 'refund_due' || payment_state === 'refunded') return 'refunded'
  return attempted_at === null ? 'unpaid' : 'checking'
}

function throwUnavailable(cause: unknown): never {
  throw cause instanceof PaymentError ? new ShopError('PAYMENTS_UNAVAILABLE', { cause }) : cause
}
