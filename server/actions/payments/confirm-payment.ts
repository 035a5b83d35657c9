import { ShopError } from '#lib/errors.ts'
import { MINUTE, PROVEN_HOLD } from '#lib/time.ts'
import type { OrderRow } from '../../db/order-tables.ts'
import { isSignedPayment } from '../../gateways/payment-signatures.ts'
import { PaymentError } from '../../gateways/payments.ts'
import { prolongHold } from '../../queries/orders/transitions.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import type { Finalised } from './finalise.ts'
import { lookInto } from './look-into.ts'

/** `checking`: the provider can't be asked, or has not collected the money yet. */
export type Confirmed = { kind: 'paid'; order: OrderRow; isNew: boolean } | { kind: 'refunded' } | { kind: 'checking' }

/**
 * Believes a payment for an order only by the provider's signature and by what the provider itself says of it. What is
 * signed keeps its goods even while the provider can't be asked. Throws ShopError INVALID_PAYMENT.
 */
export async function confirmPayment(
  deps: CheckoutDeps,
  order: OrderRow,
  paymentId: string,
  signature: string
): Promise<Confirmed> {
  expectSigned(deps, order.provider_order_id, paymentId, signature)
  if (order.paid_payment_id === paymentId) return { kind: 'paid', order, isNew: false }
  const finalised = await ask(deps, order, paymentId)
  if (finalised?.kind === 'paid') return finalised
  if (finalised?.kind === 'refunded') return { kind: 'refunded' }
  await keepLonger(deps, order)
  return { kind: 'checking' }
}

/** Throws ShopError INVALID_PAYMENT. */
export function expectSigned(
  { payments: { settings } }: Pick<CheckoutDeps, 'payments'>,
  providerOrderId: string | null,
  paymentId: string,
  signature: string
): void {
  const isSigned = providerOrderId !== null && isSignedPayment(settings, providerOrderId, paymentId, signature)
  if (!isSigned) throw new ShopError('INVALID_PAYMENT')
}

async function ask(deps: CheckoutDeps, order: OrderRow, paymentId: string): Promise<Finalised | undefined> {
  try {
    const { payment, finalised } = await lookInto(deps, paymentId)
    if (payment.order_id !== order.provider_order_id) throw new ShopError('INVALID_PAYMENT')
    return finalised
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    deps.log.warn({ err: error, order: order.id }, 'A payment could not be confirmed yet')
    return undefined
  }
}

async function keepLonger({ write, clock }: CheckoutDeps, { id, attempted_at }: OrderRow): Promise<void> {
  const now = clock()
  const changes = {
    attempted_at: attempted_at ?? new Date(now).toISOString(),
    next_check_at: new Date(now + MINUTE).toISOString()
  }
  await write(trx => prolongHold(trx, id, new Date(now + PROVEN_HOLD).toISOString(), changes))
}
