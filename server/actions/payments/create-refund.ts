import { paise } from '#lib/money.ts'
import type { RefundReason } from '../../db/order-tables.ts'
import type { Trx } from '../../db/tables.ts'
import { insertRefund, sumRefunds } from '../../queries/orders/refunds.ts'

interface Debt {
  orderId: string | null
  reason: RefundReason
  now: number
  /** Rises when the provider gave up an earlier try. */
  seq?: number
  /** Until it is begun, in ms. */
  after?: number
}

/**
 * Notes that a payment goes back in full; false when it does already. The payment's row must have been written in the same
 * transaction, so that nobody else owes it at the same time.
 */
export async function owe(
  trx: Trx,
  payment: { id: string; amount: number },
  { orderId, reason, now, seq = 1, after = 0 }: Debt
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
