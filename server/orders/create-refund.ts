import { toPaise } from '#lib/money.ts'
import type { RefundReason } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'
import { insertRefund, sumRefunds } from './refund-queries.ts'

interface RefundRequest {
  orderId: string | null
  reason: RefundReason
  now: number
  /** 1 for the first refund of a payment. Each refund that replaces a failed one has the next number. */
  seq?: number
  /** Delay before the first attempt, in ms. */
  delay?: number
}

/** Returns false if the payment already has a refund. The caller must lock the payment's row first. */
export async function createRefund(
  trx: Trx,
  payment: { id: string; amount: number },
  { orderId, reason, now, seq = 1, delay = 0 }: RefundRequest
): Promise<boolean> {
  if ((await sumRefunds(trx, payment.id)) > 0) return false
  const id = `rf_${payment.id}_${seq}`
  const body = { amount: payment.amount, speed: 'normal', notes: { order: orderId ?? '', reason }, receipt: id }
  return insertRefund(trx, {
    id,
    payment_id: payment.id,
    seq,
    order_id: orderId,
    amount: toPaise(payment.amount),
    reason,
    body: JSON.stringify(body),
    next_at: new Date(now + delay).toISOString(),
    created_at: new Date(now).toISOString()
  })
}
