import * as z from 'zod/mini'
import { newId, type Payment, type Refund } from './entities.ts'
import { queueEvent } from './events.ts'
import { unixNow, type Provider } from './provider.ts'
import { findKeyedRefund, findPayment, insertRefund, listPendingRefunds, savePayment, saveRefund } from './records.ts'
import { noSuchId, Refusal, usedKey } from './refusal.ts'
import { amount, notes, read, receipt } from './requests.ts'

const RefundRequest = z.strictObject({
  amount: z.optional(amount.check(z.minimum(100, 'The amount must be at least INR 1.00'))),
  speed: z.optional(z.enum(['normal', 'optimum'], 'The speed is invalid.')),
  notes: z.optional(notes),
  receipt: z.optional(z.nullable(receipt))
})

/** In seconds. */
const FAILS_AFTER = 1

/** Idempotent by key: the same request returns the first refund. Throws Refusal. */
export function refundPayment(provider: Provider, paymentId: string, body: unknown, key?: string): Promise<Refund> {
  const request = read(RefundRequest, body)
  const requestJson = JSON.stringify([paymentId, request])
  const { store } = provider
  return store.write(() => {
    const known = key === undefined ? undefined : findKeyedRefund(store, key)
    if (known && known.request !== requestJson) throw usedKey()
    if (known) return known.refund
    const payment = findPayment(store, paymentId)
    if (!payment) throw noSuchId()
    const refund = newRefund(provider, payment, request)
    insertRefund(store, refund, key, requestJson)
    const refunded = withRefunded(payment, payment.amount_refunded + refund.amount)
    savePayment(store, refunded)
    queueEvent(provider, 'refund.created', { refund, payment: refunded })
    if (refund.status === 'processed') queueEvent(provider, 'refund.processed', { refund, payment: refunded })
    return refund
  })
}

/** Returns the number of failed refunds. */
export function failPendingRefunds(provider: Provider): Promise<number> {
  const { store } = provider
  return store.write(() => {
    const pending = listPendingRefunds(store, unixNow(provider) - FAILS_AFTER)
    for (const refund of pending) {
      const failed: Refund = { ...refund, status: 'failed' }
      saveRefund(store, failed)
      const payment = findPayment(store, refund.payment_id)
      if (!payment) continue
      const restored = withRefunded(payment, payment.amount_refunded - refund.amount)
      savePayment(store, restored)
      queueEvent(provider, 'refund.failed', { refund: failed, payment: restored })
    }
    return pending.length
  })
}

function newRefund(provider: Provider, payment: Payment, request: z.infer<typeof RefundRequest>): Refund {
  if (payment.amount_refunded === payment.amount) throw new Refusal('The payment has been fully refunded already.')
  if (!payment.captured) throw new Refusal('The payment status should be captured for action to be taken')
  const left = payment.amount - payment.amount_refunded
  const sum = request.amount ?? left
  if (sum > left) {
    throw new Refusal('The refund amount provided is greater than amount captured.', { field: 'amount' })
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
    status: provider.faults.refundFails() ? 'pending' : 'processed',
    speed_processed: 'normal',
    speed_requested: 'normal'
  }
}

function withRefunded(payment: Payment, sum: number): Payment {
  const full = sum === payment.amount
  return {
    ...payment,
    status: full ? 'refunded' : 'captured',
    amount_refunded: sum,
    refund_status: full ? 'full' : sum > 0 ? 'partial' : null
  }
}
