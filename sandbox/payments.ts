import {
  newPayment,
  newRefund,
  RazorpayError,
  type Attempt,
  type Labels,
  type Order,
  type Payment,
  type Refund
} from './objects.ts'
import { find, list, save, unixNow, type Provider, queueEvent } from './store.ts'

interface CaptureOption {
  capture?: 'automatic' | 'manual'
  /** In minutes after the creation of a payment. */
  capture_options?: { automatic_expiry_period?: number; manual_expiry_period?: number }
}

const MAX_EXPIRY_MINUTES = 7200
/** In seconds. A refund that will fail is pending until then. */
const FAILURE_DELAY = 1

export function attemptPayment(
  provider: Provider,
  orderId: string,
  attempt: Attempt
): Promise<Payment> {
  return provider.store.write(() => {
    const order = find(provider.store, 'orders', orderId)
    expectPayable(provider, order)
    const payment = startPayment(provider, order, attempt)
    return attempt.outcome === 'failed' ? fail(provider, payment) : succeed(provider, payment)
  })
}

export function capturePayment(provider: Provider, id: string, amount: number): Promise<Payment> {
  const { store } = provider
  return store.write(() => {
    const payment = find(store, 'payments', id)
    if (payment.captured) throw new RazorpayError('This payment has already been captured')
    if (payment.status !== 'authorized') throw new RazorpayError('This payment is not authorized')
    if (amount !== payment.amount)
      throw new RazorpayError('Capture amount must be equal to the amount authorized.')
    expectUnpaid(find(store, 'orders', payment.order_id))
    return capture(provider, payment)
  })
}

function expectUnpaid({ status }: Order) {
  if (status === 'paid') throw new RazorpayError('Payment already done for this order.')
}

export function expectPayable({ store }: Provider, order: Order): void {
  expectUnpaid(order)
  const payments = list(store, 'payments', 'order_id = @id', { id: order.id })
  if (payments.some(({ status }) => status === 'authorized'))
    throw new RazorpayError('A payment for this order is authorized already.')
}

export function startPayment(provider: Provider, order: Order, attempt: Attempt): Payment {
  const payment = newPayment(order, attempt, unixNow(provider))
  save(provider.store, 'payments', payment)
  const status = order.status === 'paid' ? 'paid' : 'attempted'
  save(provider.store, 'orders', { ...order, status, attempts: order.attempts + 1 })
  return payment
}

export function succeed(provider: Provider, payment: Payment): Payment {
  const { capture: mode, capture_options: times = {} } = captureOptionOf(provider, payment)
  const isInTime = !isOlder(provider, payment, times.automatic_expiry_period)
  const isPaid = find(provider.store, 'orders', payment.order_id).status === 'paid'
  const authorized = authorize(provider, payment)
  return mode === 'automatic' && isInTime && !isPaid ? capture(provider, authorized) : authorized
}

function captureOptionOf({ store }: Provider, { order_id }: Payment): CaptureOption {
  const row = store.sql('select capture from orders where id = ?').get(order_id)
  return JSON.parse((row as { capture: string }).capture) as CaptureOption
}

function isOlder(provider: Provider, { created_at }: Payment, minutes = MAX_EXPIRY_MINUTES) {
  return unixNow(provider) > created_at + minutes * 60
}

export function fail(provider: Provider, payment: Payment): Payment {
  return saveAndReport(provider, 'payment.failed', { ...payment, status: 'failed' })
}

export function authorize(provider: Provider, payment: Payment): Payment {
  if (payment.status === 'authorized') return payment
  return saveAndReport(provider, 'payment.authorized', { ...payment, status: 'authorized' })
}

export function capture(provider: Provider, payment: Payment): Payment {
  const changed: Payment = { ...payment, status: 'captured', captured: true }
  const captured = saveAndReport(provider, 'payment.captured', changed)
  const order = find(provider.store, 'orders', payment.order_id)
  if (order.status !== 'paid') {
    const paid: Order = { ...order, status: 'paid', amount_paid: order.amount, amount_due: 0 }
    save(provider.store, 'orders', paid)
    queueEvent(provider, 'order.paid', { payment: captured, order: paid })
  }
  return captured
}

function saveAndReport(provider: Provider, event: string, payment: Payment): Payment {
  save(provider.store, 'payments', payment)
  queueEvent(provider, event, { payment })
  return payment
}

/** A second call with the same key and body returns the first refund. */
export function refundPayment(
  provider: Provider,
  paymentId: string,
  request: Labels & { amount: number | undefined },
  key: string | null
): Promise<Refund> {
  const { store } = provider
  const requestJson = JSON.stringify([paymentId, request])
  return store.write(() => {
    const earlier = store.sql('select id, request from refunds where idempotency_key = ?').get(key)
    if (earlier) {
      const { id, request: earlierRequest } = earlier as { id: string; request: string }
      if (earlierRequest === requestJson) return find(store, 'refunds', id)
      const text = 'Different request with the same idempotency key has already been processed.'
      throw new RazorpayError(text, {}, 409)
    }
    const payment = find(store, 'payments', paymentId)
    const { amount = payment.amount - payment.amount_refunded, ...labels } = request
    if (payment.amount_refunded === payment.amount)
      throw new RazorpayError('The payment has been fully refunded already.')
    if (!payment.captured)
      throw new RazorpayError('The payment status should be captured for action to be taken')
    if (payment.amount_refunded + amount > payment.amount)
      throw new RazorpayError('The refund amount provided is greater than amount captured.')
    const refund = newRefund(payment, amount, labels, unixNow(provider))
    if (provider.behaviour.willRefundFail()) refund.status = 'pending'
    save(store, 'refunds', refund, { idempotency_key: key, request: requestJson })
    const refunded = withRefunded(payment, payment.amount_refunded + refund.amount)
    save(store, 'payments', refunded)
    if (refund.status === 'processed')
      queueEvent(provider, 'refund.processed', { refund, payment: refunded })
    return refund
  })
}

function withRefunded(payment: Payment, amount: number): Payment {
  const isFull = amount === payment.amount
  return {
    ...payment,
    status: isFull ? 'refunded' : 'captured',
    amount_refunded: amount,
    refund_status: isFull ? 'full' : amount > 0 ? 'partial' : null
  }
}

export async function runMaintenance(provider: Provider): Promise<void> {
  const { store } = provider
  const now = unixNow(provider)
  const expired = list(store, 'payments', "status = 'authorized'", {}).filter(payment => {
    const { capture_options: times } = captureOptionOf(provider, payment)
    return isOlder(provider, payment, times?.manual_expiry_period)
  })
  const failing = list(store, 'refunds', "status = 'pending' and created_at <= @latest", {
    latest: now - FAILURE_DELAY
  })
  if (expired.length + failing.length === 0) return
  await store.write(() => {
    for (const payment of expired)
      save(store, 'payments', { ...withRefunded(payment, payment.amount), captured: false })
    for (const pending of failing) {
      const refund: Refund = { ...pending, status: 'failed' }
      save(store, 'refunds', refund)
      const payment = find(store, 'payments', refund.payment_id)
      const restored = withRefunded(payment, payment.amount_refunded - refund.amount)
      save(store, 'payments', restored)
      queueEvent(provider, 'refund.failed', { refund, payment: restored })
    }
  })
}
