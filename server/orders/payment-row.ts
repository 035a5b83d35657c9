import { toPaise } from '#lib/money.ts'
import { SECOND } from '#lib/time.ts'
import type { PaymentRow } from '../platform/db/order-tables.ts'
import type { ProviderPayment } from '../razorpay/payments.ts'

/** Leaves out contact and card data, which the shop does not store. `now` is in ms. */
export function toPaymentRow(payment: ProviderPayment, now: number): Omit<PaymentRow, 'rank'> {
  return {
    id: payment.id,
    provider_order_id: payment.order_id ?? null,
    amount: toPaise(payment.amount),
    currency: payment.currency,
    status: payment.status,
    method: payment.method ?? null,
    created_at: new Date(payment.created_at * SECOND).toISOString(),
    updated_at: new Date(now).toISOString()
  }
}
