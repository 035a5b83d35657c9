import * as z from 'zod/mini'
import { ShopError } from '#lib/errors.ts'
import { findOrderByProviderOrder } from '../../queries/orders/orders.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { confirmPayment } from './confirm-payment.ts'

const Success = z.object({
  razorpay_order_id: z.string(),
  razorpay_payment_id: z.string(),
  razorpay_signature: z.string()
})
const Failure = z.object({ 'error[metadata]': z.string() })
const Metadata = z.object({ order_id: z.string() })

/**
 * What the provider's page sends by the shopper's browser, where its window can't open. Nobody is logged in: answers the
 * order that the shopper's own page is to look at, if there is one; whatever is wrong, that page finds out.
 */
export async function receiveCallback(deps: CheckoutDeps, form: unknown): Promise<string | undefined> {
  const paid = Success.safeParse(form)
  if (!paid.success) return (await findOrderOfFailure(deps, form))?.id
  const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = paid.data
  const order = await findOrderByProviderOrder(deps.database.kysely, razorpay_order_id)
  if (!order) return undefined
  try {
    await confirmPayment(deps, order, razorpay_payment_id, razorpay_signature)
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (error.code === 'INVALID_PAYMENT') return undefined
    deps.log.warn({ err: error, order: order.id }, 'A payment that came by its callback is not settled yet')
  }
  return order.id
}

async function findOrderOfFailure({ database }: CheckoutDeps, form: unknown): Promise<{ id: string } | undefined> {
  const failed = Failure.safeParse(form)
  if (!failed.success) return undefined
  try {
    const metadata = Metadata.safeParse(JSON.parse(failed.data['error[metadata]']))
    return metadata.success ? await findOrderByProviderOrder(database.kysely, metadata.data.order_id) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
