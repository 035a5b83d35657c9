import type { User } from '#lib/contract/accounts.ts'
import type { Order, OrderRequest } from '#lib/contract/orders.ts'
import { ShopError } from '#lib/errors.ts'
import { findUnitemisedByProviderOrder } from './unitemised-queries.ts'
import { findOrderByProviderOrder, findOrder } from './order-queries.ts'
import type { CheckoutDeps } from './deps.ts'
import { confirmPayment } from './confirm-payment.ts'
import { placeUnitemisedOrder } from './place-unitemised-order.ts'
import { withLines } from './read-orders.ts'

/** `existing`: an earlier call created the order. `checking`: the provider has not confirmed the payment yet. */
export interface PlacedOrder {
  outcome: 'created' | 'existing' | 'checking'
  order: Order
}

/** Throws ORDER_NOT_FOUND, INVALID_PAYMENT, PAYMENT_REFUNDED, INVALID_INPUT, UNAUTHORIZED. */
export async function placeOrder(deps: CheckoutDeps, user: User, request: OrderRequest): Promise<PlacedOrder> {
  const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = request
  const db = deps.database.kysely
  const order =
    (await findOrderByProviderOrder(db, razorpay_order_id)) ?? (await createUnitemisedOrder(deps, user, request))
  if (order.user_id !== user._id) throw new ShopError('ORDER_NOT_FOUND')
  const confirmed = await confirmPayment(deps, order, razorpay_payment_id, razorpay_signature)
  if (confirmed.kind === 'paid') {
    return { outcome: confirmed.isNew ? 'created' : 'existing', order: await withLines(deps, confirmed.order) }
  }
  const latest = (await findOrder(db, order.id)) ?? order
  // Another payment has already paid this order. The order stays valid, and only the second payment is refunded.
  if (latest.fulfilment_status !== null) return { outcome: 'existing', order: await withLines(deps, latest) }
  if (confirmed.kind === 'refunded') throw new ShopError('PAYMENT_REFUNDED')
  return { outcome: 'checking', order: await withLines(deps, latest) }
}

async function createUnitemisedOrder(
  deps: CheckoutDeps,
  user: User,
  request: OrderRequest
): Promise<Awaited<ReturnType<typeof placeUnitemisedOrder>>> {
  const unitemised = await findUnitemisedByProviderOrder(deps.database.kysely, request.razorpay_order_id)
  if (unitemised?.user_id !== user._id) throw new ShopError('ORDER_NOT_FOUND')
  return placeUnitemisedOrder(deps, user, unitemised, request)
}
