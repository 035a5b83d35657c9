import * as z from 'zod/mini'
import { MINUTE, SECOND } from '#lib/time.ts'
import { newId, NO_ERROR, REFUSED_BY_BANK, type Order, type Payment } from './entities.ts'
import { announce } from './events.ts'
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
import { alreadyPaid, noSuchId, Refusal } from './refusal.ts'
import { amount, currency, read } from './requests.ts'

/** How the bank takes an attempt. `pending`: it has not answered. `held`: it allows it, and nobody collects it yet. */
export type Outcome = 'paid' | 'failed' | 'pending' | 'held'

export interface Attempt {
  orderId: string
  /** What the shopper was shown; anything but the order's is refused. */
  amount?: number | undefined
  outcome: Outcome
  email?: string | undefined
  contact?: string | undefined
  description?: string | undefined
  /** Also when the order is paid, as it happens to a shopper with two open banks. */
  again?: boolean
}

const CaptureRequest = z.strictObject({ amount, currency })

/** A shopper's attempt to pay an order. Throws Refusal. */
export function attemptPayment(provider: Provider, attempt: Attempt): Promise<Payment> {
  const { store } = provider
  return store.write(() => {
    const order = findOrder(store, attempt.orderId)
    if (!order) throw noSuchId()
    if (!attempt.again) expectOpen(provider, order)
    if (attempt.amount !== undefined && attempt.amount !== order.amount) throw otherAmount()
    const payment = newPayment(provider, order, attempt)
    savePayment(store, payment)
    saveOrder(store, {
      ...order,
      status: order.status === 'paid' ? 'paid' : 'attempted',
      attempts: order.attempts + 1
    })
    return settle(provider, payment, attempt.outcome)
  })
}

/** The bank's answer to an attempt, however late and whatever it said before. Throws Refusal. */
export function answerLate(provider: Provider, id: string, outcome: Outcome | 'collected'): Promise<Payment> {
  const { store } = provider
  return store.write(() => {
    const payment = findPayment(store, id)
    if (!payment) throw noSuchId()
    if (payment.captured || payment.status === 'refunded') throw new Refusal('This payment is settled')
    if (outcome === 'collected') return collect(provider, authorize(provider, payment))
    return settle(provider, payment, outcome)
  })
}

/** Throws Refusal. */
export function capturePayment(provider: Provider, id: string, body: unknown): Promise<Payment> {
  const request = read(CaptureRequest, body)
  const { store } = provider
  return store.write(() => {
    const payment = findPayment(store, id)
    if (!payment) throw noSuchId()
    if (payment.captured) throw new Refusal('This payment has already been captured')
    if (payment.status !== 'authorized') {
      throw new Refusal('Only payments which have been authorized and not yet captured can be captured')
    }
    if (request.amount !== payment.amount) {
      throw new Refusal('Capture amount must be equal to the amount authorized.', { field: 'amount' })
    }
    if (findOrder(store, payment.order_id)?.status === 'paid') throw alreadyPaid()
    return collect(provider, payment)
  })
}

/** Gives back what was allowed and collected by nobody in time; says how many payments that were. */
export function returnUncollected(provider: Provider): Promise<number> {
  const { store, clock } = provider
  return store.write(() => {
    const late = listAuthorized(store).filter(({ order_id, created_at }) => {
      const minutes = findCaptureRule(store, order_id)?.manualExpiry ?? 0
      return clock() > created_at * SECOND + minutes * MINUTE
    })
    for (const payment of late) {
      savePayment(store, { ...payment, status: 'refunded', amount_refunded: payment.amount, refund_status: 'full' })
    }
    return late.length
  })
}

function expectOpen({ store }: Provider, order: Order): void {
  if (order.status === 'paid') throw alreadyPaid()
  const held = listOrderPayments(store, order.id).some(({ status }) => status === 'authorized')
  if (held) throw new Refusal('A payment for this order is authorized already.')
}

function otherAmount(): Refusal {
  return new Refusal(
    'Your payment amount is different from your order amount. To pay successfully, please try using right amount.'
  )
}

function newPayment(provider: Provider, order: Order, attempt: Attempt): Payment {
  const fails = attempt.outcome === 'failed'
  const vpa = fails ? 'failure@razorpay' : 'success@razorpay'
  return {
    id: newId('pay', provider.random),
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

function settle(provider: Provider, payment: Payment, outcome: Outcome): Payment {
  if (outcome === 'pending') return payment
  if (outcome === 'failed') return fail(provider, payment)
  const authorized = authorize(provider, payment)
  return outcome === 'paid' && isCollectedByItself(provider, payment) ? collect(provider, authorized) : authorized
}

function isCollectedByItself({ store, clock }: Provider, { order_id, created_at }: Payment): boolean {
  const rule = findCaptureRule(store, order_id)
  if (!rule?.automatic || findOrder(store, order_id)?.status === 'paid') return false
  return clock() <= created_at * SECOND + rule.automaticExpiry * MINUTE
}

function fail(provider: Provider, payment: Payment): Payment {
  const failed: Payment = { ...payment, ...REFUSED_BY_BANK, status: 'failed' }
  savePayment(provider.store, failed)
  announce(provider, 'payment.failed', { payment: failed })
  return failed
}

function authorize(provider: Provider, payment: Payment): Payment {
  if (payment.status === 'authorized') return payment
  const rrn = String(Math.floor(provider.random() * 1e12)).padStart(12, '0')
  const authorized: Payment = { ...payment, ...NO_ERROR, status: 'authorized', acquirer_data: { rrn } }
  savePayment(provider.store, authorized)
  announce(provider, 'payment.authorized', { payment: authorized })
  return authorized
}

function collect(provider: Provider, payment: Payment): Payment {
  const { store } = provider
  const fee = Math.round(payment.amount * FEE)
  const tax = Math.round(fee * TAX_ON_FEE)
  const captured: Payment = { ...payment, status: 'captured', captured: true, fee: fee + tax, tax }
  savePayment(store, captured)
  announce(provider, 'payment.captured', { payment: captured })
  const order = findOrder(store, payment.order_id)
  if (order && order.status !== 'paid') {
    const paid: Order = { ...order, status: 'paid', amount_paid: order.amount, amount_due: 0 }
    saveOrder(store, paid)
    announce(provider, 'order.paid', { payment: captured, order: paid })
  }
  return captured
}

const FEE = 0.02
const TAX_ON_FEE = 0.18
