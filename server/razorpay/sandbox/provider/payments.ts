import * as z from 'zod/mini'
import { MINUTE, SECOND } from '#lib/time.ts'
import { createId, NO_ERROR, DECLINED_BY_BANK, type Order, type Payment } from './entities.ts'
import { queueEvent } from './events.ts'
import { unixNow, type Provider } from './provider.ts'
import {
  findCaptureRule,
  findOrder,
  findPayment,
  listAuthorized,
  listOrderPayments,
  saveOrder,
  savePayment
} from './records.ts'
import { alreadyPaidError, unknownIdError, RazorpayError } from './errors.ts'
import { amount, currency, parseInput } from './requests.ts'

/** `pending`: the bank has not answered. `authorized`: the payment is not captured automatically. */
export type Outcome = 'paid' | 'failed' | 'pending' | 'authorized'

export interface Attempt {
  orderId: string
  /** Must equal the order's amount. */
  amount?: number | undefined
  outcome: Outcome
  email?: string | undefined
  contact?: string | undefined
  description?: string | undefined
  allowSecondPayment?: boolean
}

const CaptureRequest = z.strictObject({ amount, currency })

export function attemptPayment(provider: Provider, attempt: Attempt): Promise<Payment> {
  const { store } = provider
  return store.write(() => {
    const order = findOrder(store, attempt.orderId)
    if (!order) throw unknownIdError()
    if (!attempt.allowSecondPayment) expectPayable(provider, order)
    if (attempt.amount !== undefined && attempt.amount !== order.amount) throw wrongAmountError()
    const payment = createPayment(provider, order, attempt)
    savePayment(store, payment)
    saveOrder(store, {
      ...order,
      status: order.status === 'paid' ? 'paid' : 'attempted',
      attempts: order.attempts + 1
    })
    return applyOutcome(provider, payment, attempt.outcome)
  })
}

/** Applies a late answer of the bank, which may contradict its first answer. Throws RazorpayError. */
export function changeOutcome(provider: Provider, id: string, outcome: Outcome | 'captured'): Promise<Payment> {
  const { store } = provider
  return store.write(() => {
    const payment = findPayment(store, id)
    if (!payment) throw unknownIdError()
    if (payment.captured || payment.status === 'refunded') throw new RazorpayError('This payment is settled')
    if (outcome === 'captured') return capture(provider, authorize(provider, payment))
    return applyOutcome(provider, payment, outcome)
  })
}

export function capturePayment(provider: Provider, id: string, body: unknown): Promise<Payment> {
  const request = parseInput(CaptureRequest, body)
  const { store } = provider
  return store.write(() => {
    const payment = findPayment(store, id)
    if (!payment) throw unknownIdError()
    if (payment.captured) throw new RazorpayError('This payment has already been captured')
    if (payment.status !== 'authorized') {
      throw new RazorpayError('Only payments which have been authorized and not yet captured can be captured')
    }
    if (request.amount !== payment.amount) {
      throw new RazorpayError('Capture amount must be equal to the amount authorized.', { field: 'amount' })
    }
    if (findOrder(store, payment.order_id)?.status === 'paid') throw alreadyPaidError()
    return capture(provider, payment)
  })
}

export function refundUncaptured(provider: Provider): Promise<number> {
  const { store, clock } = provider
  return store.write(() => {
    const expiredPayments = listAuthorized(store).filter(({ order_id, created_at }) => {
      const minutes = findCaptureRule(store, order_id)?.manualExpiry ?? 0
      return clock() > created_at * SECOND + minutes * MINUTE
    })
    for (const payment of expiredPayments) {
      savePayment(store, { ...payment, status: 'refunded', amount_refunded: payment.amount, refund_status: 'full' })
    }
    return expiredPayments.length
  })
}

function expectPayable({ store }: Provider, order: Order): void {
  if (order.status === 'paid') throw alreadyPaidError()
  const isAuthorized = listOrderPayments(store, order.id).some(({ status }) => status === 'authorized')
  if (isAuthorized) throw new RazorpayError('A payment for this order is authorized already.')
}

function wrongAmountError(): RazorpayError {
  return new RazorpayError(
    'Your payment amount is different from your order amount. To pay successfully, please try using right amount.'
  )
}

function createPayment(provider: Provider, order: Order, attempt: Attempt): Payment {
  const isFailure = attempt.outcome === 'failed'
  const vpa = isFailure ? 'failure@razorpay' : 'success@razorpay'
  return {
    id: createId('pay', provider.random),
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

function applyOutcome(provider: Provider, payment: Payment, outcome: Outcome): Payment {
  if (outcome === 'pending') return payment
  if (outcome === 'failed') return fail(provider, payment)
  const authorized = authorize(provider, payment)
  return outcome === 'paid' && isCapturedAutomatically(provider, payment) ? capture(provider, authorized) : authorized
}

function isCapturedAutomatically({ store, clock }: Provider, { order_id, created_at }: Payment): boolean {
  const rule = findCaptureRule(store, order_id)
  if (!rule?.automatic || findOrder(store, order_id)?.status === 'paid') return false
  return clock() <= created_at * SECOND + rule.automaticExpiry * MINUTE
}

function fail(provider: Provider, payment: Payment): Payment {
  const failedPayment: Payment = { ...payment, ...DECLINED_BY_BANK, status: 'failed' }
  savePayment(provider.store, failedPayment)
  queueEvent(provider, 'payment.failed', { payment: failedPayment })
  return failedPayment
}

function authorize(provider: Provider, payment: Payment): Payment {
  if (payment.status === 'authorized') return payment
  const rrn = String(Math.floor(provider.random() * 1e12)).padStart(12, '0')
  const authorized: Payment = { ...payment, ...NO_ERROR, status: 'authorized', acquirer_data: { rrn } }
  savePayment(provider.store, authorized)
  queueEvent(provider, 'payment.authorized', { payment: authorized })
  return authorized
}

function capture(provider: Provider, payment: Payment): Payment {
  const { store } = provider
  const fee = Math.round(payment.amount * FEE_RATE)
  const tax = Math.round(fee * FEE_TAX_RATE)
  const captured: Payment = { ...payment, status: 'captured', captured: true, fee: fee + tax, tax }
  savePayment(store, captured)
  queueEvent(provider, 'payment.captured', { payment: captured })
  const order = findOrder(store, payment.order_id)
  if (order && order.status !== 'paid') {
    const paidOrder: Order = { ...order, status: 'paid', amount_paid: order.amount, amount_due: 0 }
    saveOrder(store, paidOrder)
    queueEvent(provider, 'order.paid', { payment: captured, order: paidOrder })
  }
  return captured
}

const FEE_RATE = 0.02
const FEE_TAX_RATE = 0.18
