import { randomInt } from 'node:crypto'
import * as z from 'zod/mini'
import { MINUTE, SECOND } from '#lib/time.ts'
import {
  alreadyPaidError,
  amount,
  createId,
  currency,
  DECLINED_BY_BANK,
  NO_ERROR,
  notes,
  parseInput,
  RazorpayError,
  receipt,
  reusedKeyError,
  type Order,
  type Payment,
  type Refund
} from './protocol.ts'
import {
  findEntity,
  findRefundByKey,
  insertRefund,
  listAuthorized,
  listOrderPayments,
  listPendingRefunds,
  readCaptureRule,
  saveOrder,
  savePayment,
  saveRefund,
  unixNow,
  type Provider
} from './store.ts'
import { queueEvent } from './webhooks.ts'

interface Attempt {
  orderId: string
  /** Must equal the order's amount. */
  amount?: number | undefined
  outcome: 'paid' | 'failed'
  email?: string | undefined
  contact?: string | undefined
  description?: string | undefined
}

const CaptureRequest = z.strictObject({ amount, currency })

const RefundRequest = z.strictObject({
  amount: z.optional(amount.check(z.minimum(100, 'The amount must be at least INR 1.00'))),
  speed: z.optional(z.enum(['normal', 'optimum'], 'The speed is invalid.')),
  notes: z.optional(notes),
  receipt: z.optional(z.nullable(receipt))
})

/** A refund that will fail stays pending for this number of seconds. */
const FAILURE_DELAY = 1
const WRONG_AMOUNT =
  'Your payment amount is different from your order amount. To pay successfully, please try using right amount.'
const FEE_RATE = 0.02
const FEE_TAX_RATE = 0.18

export function attemptPayment(provider: Provider, attempt: Attempt): Promise<Payment> {
  const { store } = provider
  return store.write(() => {
    const order = findEntity(store, 'orders', attempt.orderId)
    expectPayable(provider, order)
    if (attempt.amount !== undefined && attempt.amount !== order.amount)
      throw new RazorpayError(WRONG_AMOUNT)
    const payment = startPayment(provider, order, attempt)
    return attempt.outcome === 'failed' ? fail(provider, payment) : succeed(provider, payment)
  })
}

export function capturePayment(provider: Provider, id: string, body: unknown): Promise<Payment> {
  const request = parseInput(CaptureRequest, body)
  const { store } = provider
  return store.write(() => {
    const payment = findEntity(store, 'payments', id)
    if (payment.captured) throw new RazorpayError('This payment has already been captured')
    if (payment.status !== 'authorized') {
      throw new RazorpayError(
        'Only payments which have been authorized and not yet captured can be captured'
      )
    }
    if (request.amount !== payment.amount) {
      throw new RazorpayError('Capture amount must be equal to the amount authorized.', {
        field: 'amount'
      })
    }
    if (findEntity(store, 'orders', payment.order_id).status === 'paid') throw alreadyPaidError()
    return capture(provider, payment)
  })
}

export function refundUncaptured(provider: Provider): Promise<number> {
  const { store, clock } = provider
  return store.write(() => {
    const expiredPayments = listAuthorized(store).filter(({ order_id, created_at }) => {
      const { manualExpiry } = readCaptureRule(store, order_id)
      return clock() > created_at * SECOND + manualExpiry * MINUTE
    })
    for (const payment of expiredPayments) {
      savePayment(store, {
        ...payment,
        status: 'refunded',
        amount_refunded: payment.amount,
        refund_status: 'full'
      })
    }
    return expiredPayments.length
  })
}

export function expectPayable({ store }: Provider, order: Order): void {
  if (order.status === 'paid') throw alreadyPaidError()
  const isAuthorized = listOrderPayments(store, order.id).some(
    ({ status }) => status === 'authorized'
  )
  if (isAuthorized) throw new RazorpayError('A payment for this order is authorized already.')
}

export function startPayment(
  provider: Provider,
  order: Order,
  attempt: Omit<Attempt, 'orderId'>
): Payment {
  const payment = createPayment(provider, order, attempt)
  savePayment(provider.store, payment)
  const status = order.status === 'paid' ? 'paid' : 'attempted'
  saveOrder(provider.store, { ...order, status, attempts: order.attempts + 1 })
  return payment
}

function createPayment(
  provider: Provider,
  order: Order,
  attempt: Omit<Attempt, 'orderId'>
): Payment {
  const isFailure = attempt.outcome === 'failed'
  const vpa = isFailure ? 'failure@razorpay' : 'success@razorpay'
  return {
    id: createId('pay'),
    entity: 'payment',
    amount: order.amount,
    currency: order.currency,
    status: 'created',
    order_id: order.id,
    invoice_id: null,
    international: false,
    method: 'upi',
    amount_refunded: 0,
    refund_status: null,
    captured: false,
    description: attempt.description ?? null,
    card_id: null,
    bank: null,
    wallet: null,
    vpa,
    email: attempt.email ?? 'void@razorpay.com',
    contact: attempt.contact ?? '+919000090000',
    notes: order.notes,
    fee: null,
    tax: null,
    ...NO_ERROR,
    acquirer_data: { rrn: null },
    created_at: unixNow(provider),
    upi: { vpa, flow: 'intent' }
  }
}

/** Authorises the payment, and captures it if the order says so. */
export function succeed(provider: Provider, payment: Payment): Payment {
  const authorized = authorize(provider, payment)
  return isCapturedAutomatically(provider, payment) ? capture(provider, authorized) : authorized
}

function isCapturedAutomatically(
  { store, clock }: Provider,
  { order_id, created_at }: Payment
): boolean {
  const { automatic, automaticExpiry } = readCaptureRule(store, order_id)
  if (!automatic || findEntity(store, 'orders', order_id).status === 'paid') return false
  return clock() <= created_at * SECOND + automaticExpiry * MINUTE
}

export function fail(provider: Provider, payment: Payment): Payment {
  const failedPayment: Payment = { ...payment, ...DECLINED_BY_BANK, status: 'failed' }
  savePayment(provider.store, failedPayment)
  queueEvent(provider, 'payment.failed', { payment: failedPayment })
  return failedPayment
}

export function authorize(provider: Provider, payment: Payment): Payment {
  if (payment.status === 'authorized') return payment
  const rrn = String(randomInt(1e12)).padStart(12, '0')
  const authorized: Payment = {
    ...payment,
    ...NO_ERROR,
    status: 'authorized',
    acquirer_data: { rrn }
  }
  savePayment(provider.store, authorized)
  queueEvent(provider, 'payment.authorized', { payment: authorized })
  return authorized
}

export function capture(provider: Provider, payment: Payment): Payment {
  const { store } = provider
  const fee = Math.round(payment.amount * FEE_RATE)
  const tax = Math.round(fee * FEE_TAX_RATE)
  const captured: Payment = { ...payment, status: 'captured', captured: true, fee: fee + tax, tax }
  savePayment(store, captured)
  queueEvent(provider, 'payment.captured', { payment: captured })
  const order = findEntity(store, 'orders', payment.order_id)
  if (order.status !== 'paid') {
    const paidOrder: Order = { ...order, status: 'paid', amount_paid: order.amount, amount_due: 0 }
    saveOrder(store, paidOrder)
    queueEvent(provider, 'order.paid', { payment: captured, order: paidOrder })
  }
  return captured
}

/** A second call with the same key and body returns the first refund. Throws RazorpayError. */
export function refundPayment(
  provider: Provider,
  paymentId: string,
  body: unknown,
  key?: string
): Promise<Refund> {
  const request = parseInput(RefundRequest, body)
  const requestJson = JSON.stringify([paymentId, request])
  const { store } = provider
  return store.write(() => {
    const existing = key === undefined ? undefined : findRefundByKey(store, key)
    if (existing && existing.request !== requestJson) throw reusedKeyError()
    if (existing) return existing.refund
    const payment = findEntity(store, 'payments', paymentId)
    const refund = createRefund(provider, payment, request)
    insertRefund(store, refund, key, requestJson)
    const refundedPayment = withRefundedAmount(payment, payment.amount_refunded + refund.amount)
    savePayment(store, refundedPayment)
    if (refund.status === 'processed')
      queueEvent(provider, 'refund.processed', { refund, payment: refundedPayment })
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
      const payment = findEntity(store, 'payments', refund.payment_id)
      const restoredPayment = withRefundedAmount(payment, payment.amount_refunded - refund.amount)
      savePayment(store, restoredPayment)
      queueEvent(provider, 'refund.failed', { refund: failedRefund, payment: restoredPayment })
    }
    return pending.length
  })
}

function createRefund(
  provider: Provider,
  payment: Payment,
  request: z.infer<typeof RefundRequest>
): Refund {
  if (payment.amount_refunded === payment.amount)
    throw new RazorpayError('The payment has been fully refunded already.')
  if (!payment.captured)
    throw new RazorpayError('The payment status should be captured for action to be taken')
  const refundable = payment.amount - payment.amount_refunded
  const refundAmount = request.amount ?? refundable
  if (refundAmount > refundable) {
    throw new RazorpayError('The refund amount provided is greater than amount captured.', {
      field: 'amount'
    })
  }
  return {
    id: createId('rfnd'),
    entity: 'refund',
    amount: refundAmount,
    currency: payment.currency,
    payment_id: payment.id,
    notes: request.notes ?? [],
    receipt: request.receipt ?? null,
    acquirer_data: { arn: null },
    created_at: unixNow(provider),
    batch_id: null,
    status: provider.behaviour.willRefundFail() ? 'pending' : 'processed',
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
