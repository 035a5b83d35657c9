import { paise } from '#lib/money.ts'
import type { RefundReason } from '../../db/order-tables.ts'
import type { Trx } from '../../db/tables.ts'
import { insertRefund, sumRefunds } from '../../queries/orders/refunds.ts'

interface RefundRequest {
  orderId: string | null
  reason: RefundReason
  now: number
  /** Counts up when the provider has failed the previous refund. */
  seq?: number
  /** Delay before the first attempt, in ms. */
  after?: number
}

/**
 * Records a full refund as due; returns false if the payment already has one. The caller must have written the
 * payment's row in the same transaction, which locks it.
 */
export async function createRefund(
  trx: Trx,
  payment: { id: string; amount: number },
  { orderId, reason, now, seq = 1, after = 0 }: RefundRequest
): Promise<boolean> {
  if ((await sumRefunds(trx, payment.id)) > 0) return false
  const id = `rf_${payment.id}_${seq}`
  const body = { amount: payment.amount, speed: 'normal', notes: { order: orderId ?? '', reason }, receipt: id }
  return insertRefund(trx, {
    id,
    payment_id: payment.id,
    seq,
    order_id: orderId,
    amount: paise(payment.amount),
    reason,
    body: JSON.stringify(body),
    next_at: new Date(now + after).toISOString(),
    created_at: new Date(now).toISOString()
  })
}
