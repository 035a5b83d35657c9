import * as z from 'zod/mini'
import { newId, type Payment, type Refund } from './entities.ts'
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

/** Seconds for which a refund is pending before it fails. */
const FAILURE_DELAY = 1

/** Idempotent by key: the same request returns the first refund. Throws RazorpayError. */
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
    const refund = newRefund(provider, payment, request)
    insertRefund(store, refund, key, requestJson)
    const refunded = withRefundedAmount(payment, payment.amount_refunded + refund.amount)
    savePayment(store, refunded)
    queueEvent(provider, 'refund.created', { refund, payment: refunded })
    if (refund.status === 'processed') queueEvent(provider, 'refund.processed', { refund, payment: refunded })
    return refund
  })
}

export function failPendingRefunds(provider: Provider): Promise<number> {
  const { store } = provider
  return store.write(() => {
    const pending = listPendingRefunds(store, unixNow(provider) - FAILURE_DELAY)
    for (const refund of pending) {
      const failed: Refund = { ...refund, status: 'failed' }
      saveRefund(store, failed)
      const payment = findPayment(store, refund.payment_id)
      if (!payment) continue
      const restored = withRefundedAmount(payment, payment.amount_refunded - refund.amount)
      savePayment(store, restored)
      queueEvent(provider, 'refund.failed', { refund: failed, payment: restored })
    }
    return pending.length
  })
}

function newRefund(provider: Provider, payment: Payment, request: z.infer<typeof RefundRequest>): Refund {
  if (payment.amount_refunded === payment.amount)
    throw new RazorpayError('The payment has been fully refunded already.')
  if (!payment.captured) throw new RazorpayError('The payment status should be captured for action to be taken')
  const refundable = payment.amount - payment.amount_refunded
  const sum = request.amount ?? refundable
  if (sum > refundable) {
    throw new RazorpayError('The refund amount provided is greater than amount captured.', { field: 'amount' })
  }
  return {
    id: newId('rfnd', provider.random),
    entity: 'refund',
    amount: sum,
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

function withRefundedAmount(payment: Payment, sum: number): Payment {
  const isFull = sum === payment.amount
  return {
    ...payment,
    status: isFull ? 'refunded' : 'captured',
    amount_refunded: sum,
    refund_status: isFull ? 'full' : sum > 0 ? 'partial' : null
  }
}
