import type { PaymentState } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import { PaymentError } from '../../gateways/payments.ts'
import type { OrderRow } from '../../db/order-tables.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { reconcileOrderPayments } from '../payments/reconcile-order-payments.ts'
import { findOwnOrder, withLines } from './read-orders.ts'

/** Reconciles an order's payments, then returns its state. Throws ShopError ORDER_NOT_FOUND, PAYMENTS_UNAVAILABLE. */
export async function syncOrder(deps: CheckoutDeps, userId: string, id: string): Promise<PaymentState> {
  const before = await findOwnOrder(deps, userId, id)
  if (before.fulfilment_status === null) await reconcileOrderPayments(deps, before).catch(unavailable)
  const order = await findOwnOrder(deps, userId, id)
  return { state: stateOf(order), order: await withLines(deps, order) }
}

function stateOf({ payment_state, attempted_at }: OrderRow): PaymentState['state'] {
  if (payment_state === 'paid') return 'paid'
  if (payment_state === 'refund_due' || payment_state === 'refunded') return 'refunded'
  return attempted_at === null ? 'unpaid' : 'checking'
}

function unavailable(cause: unknown): never {
  throw cause instanceof PaymentError ? new ShopError('PAYMENTS_UNAVAILABLE', { cause }) : cause
}
