import * as z from 'zod/mini'
import type { User } from '#lib/contract/accounts.ts'
import type { OrderRequest, PaymentState } from '#lib/contract/checkout.ts'
import type { Order } from '#lib/contract/orders.ts'
import { plainText } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import { parseJson } from '../../platform/http/validate.ts'
import { toIso } from '../../platform/process/clock.ts'
import { PaymentError } from '../../razorpay/client.ts'
import { isSignedPayment } from '../../razorpay/config.ts'
import { placeUnitemisedOrder } from '../checkout/unitemised.ts'
import {
  findOrder,
  findOrderByProviderOrder,
  requireOwnOrder,
  type CheckoutDeps
} from '../queries.ts'
import { readOrderView } from '../view.ts'
import { reconcileById, reconcileOrderPayments, throwUnavailable } from './reconcile.ts'
import type { Reconciled } from './settle.ts'
import { isTooLate, setReservedUntil } from './transitions.ts'

/** If the shopper has paid, but the provider has not confirmed the payment yet. */
const PAID_RESERVATION_TIME = 72 * HOUR

/**
 * Status 202: not paid yet, and a background job checks it again. Throws ORDER_NOT_FOUND,
 * INVALID_PAYMENT, PAYMENT_REFUNDED, INVALID_INPUT, UNAUTHORIZED.
 */
export async function placeOrder(
  deps: CheckoutDeps,
  user: User,
  request: OrderRequest
): Promise<{ status: 200 | 201 | 202; order: Order }> {
  const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = request
  const db = deps.database.kysely
  const known = await findOrderByProviderOrder(db, razorpay_order_id)
  const order = known ?? (await placeUnitemisedOrder(deps, user, request))
  if (order.user_id !== user._id) throw new ShopError('ORDER_NOT_FOUND')
  const result = await confirmPayment(deps, order, razorpay_payment_id, razorpay_signature)
  if (result.outcome === 'paid')
    return {
      status: result.isNew ? 201 : 200,
      order: await readOrderView(deps, result.order ?? order, result.lines)
    }
  const latest = (await findOrder(db, order.id)) ?? order
  // Another payment may have paid this order. It stays valid, and only this payment is refunded.
  const isPlaced = latest.fulfilment_status !== null
  if (result.outcome === 'refunded' && !isPlaced) throw new ShopError('PAYMENT_REFUNDED')
  return { status: isPlaced ? 200 : 202, order: await readOrderView(deps, latest) }
}

/** Extends the reservation if the payment can still become an order. */
async function confirmPayment(
  deps: CheckoutDeps,
  order: OrderRow,
  paymentId: string,
  signature: string
): Promise<Reconciled> {
  const { write, clock, log, payments } = deps
  if (!isSignedPayment(payments.settings, order.provider_order_id ?? '', paymentId, signature))
    throw new ShopError('INVALID_PAYMENT')
  if (order.paid_payment_id === paymentId) return { outcome: 'paid', order }
  try {
    const { payment, ...result } = await reconcileById(deps, paymentId)
    if (payment.order_id !== order.provider_order_id) throw new ShopError('INVALID_PAYMENT')
    if (result.outcome !== 'attempted' || isTooLate(order, payment)) return result
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    log.warn({ err: error, order: order.id }, 'Payment could not be confirmed yet')
  }
  const now = clock()
  const changes = {
    attempted_at: order.attempted_at ?? toIso(now),
    next_check_at: toIso(now + MINUTE)
  }
  await write(trx => setReservedUntil(trx, order.id, toIso(now + PAID_RESERVATION_TIME), changes), {
    shows: 'nothing'
  })
  return { outcome: 'attempted' }
}

const CallbackSuccess = z.object({
  razorpay_order_id: plainText(),
  razorpay_payment_id: plainText(),
  razorpay_signature: plainText()
})
const CallbackFailure = z.object({ 'error[metadata]': z.string() })
const FailureMetadata = z.object({ order_id: plainText() })

/** The provider's page posts this form where no dialog can be opened. Returns the order's id. */
export async function receiveCallback(
  deps: CheckoutDeps,
  form: unknown
): Promise<string | undefined> {
  const db = deps.database.kysely
  const success = CallbackSuccess.safeParse(form)
  if (!success.success) {
    const text = CallbackFailure.safeParse(form).data?.['error[metadata]'] ?? ''
    const metadata = FailureMetadata.safeParse(parseJson(text))
    if (!metadata.success) return undefined
    return (await findOrderByProviderOrder(db, metadata.data.order_id))?.id
  }
  const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = success.data
  const order = await findOrderByProviderOrder(db, razorpay_order_id)
  if (!order) return undefined
  try {
    await confirmPayment(deps, order, razorpay_payment_id, razorpay_signature)
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (error.code === 'INVALID_PAYMENT') return undefined
    deps.log.warn({ err: error, order: order.id }, 'Payment from the callback is not settled yet')
  }
  return order.id
}

/** Throws ORDER_NOT_FOUND, PAYMENTS_UNAVAILABLE. */
export async function syncOrder(
  deps: CheckoutDeps,
  userId: string,
  id: string
): Promise<PaymentState> {
  const db = deps.database.kysely
  const known = await requireOwnOrder(db, userId, id)
  if (known.fulfilment_status === null)
    await reconcileOrderPayments(deps, known).catch(throwUnavailable)
  const order = await requireOwnOrder(db, userId, id)
  return { state: toPaymentState(order), order: await readOrderView(deps, order) }
}

function toPaymentState({ payment_state, attempted_at }: OrderRow): PaymentState['state'] {
  if (payment_state === 'paid') return 'paid'
  if (payment_state === 'refund_due' || payment_state === 'refunded') return 'refunded'
  return attempted_at === null ? 'unpaid' : 'checking'
}
