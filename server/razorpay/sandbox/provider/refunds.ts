import * as z from 'zod/mini'
import { createId, type Payment, type Refund } from './entities.ts'
import { queueEvent } from './events.ts'
import { unixNow, type Provider } from './provider.ts'
import { findRefundByKey, findPayment, insertRefund, listPendingRefunds, savePayment, saveRefund } from './records.ts'
import { unknownIdError, RazorpayError, reusedKeyError } from './errors.ts'
import { amount, notes, parseInput, receipt } from './requests.ts'

const RefundRequest = z.strictObject({
  amount: z.optional(amount.check(z.minimum(100, 'The amount must be at least INR 1.00'))),
  speed: z.optional(z.enum(['normal', 'optimum'], 'The speed is invalid.')),
  notes: z.optional(notes),
  receipt: z.optional(z.nullable(receipt))
})

/** A refund that will fail stays pending for this number of seconds. */
const FAILURE_DELAY = 1

/** A second call with the same key and body returns the first refund. Throws RazorpayError. */
export function refundPayment(provider: Provider, paymentId: string, body: unknown, key?: string): Promise<Refund> {
  const request = parseInput(RefundRequest, body)
  const requestJson = JSON.stringify([paymentId, request])
  const { store } = provider
  return store.write(() => {
    const existing = key === undefined ? undefined : findRefundByKey(store, key)
    if (existing && existing.request !== requestJson) throw reusedKeyError()
    if (existing) return existing.refund
    const payment = findPayment(store, paymentId)
    if (!payment) throw unknownIdError()
    const refund = createRefund(provider, payment, request)
    insertRefund(store, refund, key, requestJson)
    const refundedPayment = withRefundedAmount(payment, payment.amount_refunded + refund.amount)
    savePayment(store, refundedPayment)
    queueEvent(provider, 'refund.created', { refund, payment: refundedPayment })
    if (refund.status === 'processed') queueEvent(provider, 'refund.processed', { refund, payment: refundedPayment })
    return refund
  })
}

export function failPendingRefunds(provider: Provider): Promise<number> {
  const { store } = provider
  return store.write(() => {
    const pending = listPendingRefunds(store, unixNow(provider) - FAILURE_DELAY)
    for (const refund of pending) {
      const failedRefund: Refund = { ...refund, status: 'failed' }
      saveRefund(store, failedRefund)
      const payment = findPayment(store, refund.payment_id)
      if (!payment) continue
      const restoredPayment = withRefundedAmount(payment, payment.amount_refunded - refund.amount)
      savePayment(store, restoredPayment)
      queueEvent(provider, 'refund.failed', { refund: failedRefund, payment: restoredPayment })
    }
    return pending.length
  })
}

function createRefund(provider: Provider, payment: Payment, request: z.infer<typeof RefundRequest>): Refund {
  if (payment.amount_refunded === payment.amount)
    throw new RazorpayError('The payment has been fully refunded already.')
  if (!payment.captured) throw new RazorpayError('The payment status should be captured for action to be taken')
  const refundable = payment.amount - payment.amount_refunded
  const refundAmount = request.amount ?? refundable
  if (refundAmount > refundable) {
    throw new RazorpayError('The refund amount provided is greater than amount captured.', { field: 'amount' })
  }
  return {
    id: createId('rfnd', provider.random),
    entity: 'refund',
    amount: refundAmount,
    currency: payment.currency,
    payment_id: payment.id,
    notes: request.notes ?? [],
    receipt: request.receipt ?? null,
    acquirer_data: { arn: null },
    created_at: unixNow(provider),
    batch_id: null,
    status: provider.faults.willRefundFail() ? 'pending' : 'processed',
    speed_processed: 'normal',
    speed_requested: 'normal'
  }
}

function withRefundedAmount(payment: Payment, refundedAmount: number): Payment {
  const isFull = refundedAmount === payment.amount
  return {
    ...payment,
    status: isFull ? 'refunded' : 'captured',
    amount_refunded: refundedAmount,
    refund_status: isFull ? 'full' : refundedAmount > 0 ? 'partial' : null
  }
}
