import * as z from 'zod/mini'
import { ShopError } from '#lib/errors.ts'
import { findOrderByProviderOrder } from './order-queries.ts'
import type { CheckoutDeps } from './deps.ts'
import { confirmPayment } from './confirm-payment.ts'

const Success = z.object({
  razorpay_order_id: z.string(),
  razorpay_payment_id: z.string(),
  razorpay_signature: z.string()
})
const Failure = z.object({ 'error[metadata]': z.string() })
const Metadata = z.object({ order_id: z.string() })

/** Handles the form that the provider's payment page posts if the browser can't open the payment dialog. */
export async function receiveCallback(deps: CheckoutDeps, form: unknown): Promise<string | undefined> {
  const success = Success.safeParse(form)
  if (!success.success) return (await findOrderOfFailure(deps, form))?.id
  const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = success.data
  const order = await findOrderByProviderOrder(deps.database.kysely, razorpay_order_id)
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

async function findOrderOfFailure({ database }: CheckoutDeps, form: unknown): Promise<{ id: string } | undefined> {
  const failure = Failure.safeParse(form)
  if (!failure.success) return undefined
  try {
    const metadata = Metadata.safeParse(JSON.parse(failure.data['error[metadata]']))
    return metadata.success ? await findOrderByProviderOrder(database.kysely, metadata.data.order_id) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
