import { expect, test } from 'vitest'
import {
  nextPayment,
  type Payment,
  type PaymentEvent,
  type RazorpayResponse
} from '#lib/checkout/payment.ts'
import { makeOrder } from '../../support/orders.ts'

const response: RazorpayResponse = {
  razorpay_payment_id: 'pay_1',
  razorpay_order_id: 'order_1',
  razorpay_signature: 'sig'
}
const ORDER = makeOrder({ _id: 'o-1' })

const started: PaymentEvent = { type: 'started' }
const opened: PaymentEvent = { type: 'opened', orderId: 'o-1' }
const paid: PaymentEvent = { type: 'paid', response }
const confirmed: PaymentEvent = { type: 'confirmed', order: ORDER }
const closed: PaymentEvent = { type: 'closed' }
const declined: PaymentEvent = { type: 'declined', reason: 'Insufficient funds.' }
const syncFailed: PaymentEvent = { type: 'syncFailed', reason: 'No network.' }
const confirmFailed = (final = false): PaymentEvent => ({
  type: 'confirmFailed',
  reason: 'No network.',
  final
})
const synced = (state: 'paid' | 'checking' | 'unpaid' | 'refunded'): PaymentEvent => ({
  type: 'synced',
  state: { state, order: ORDER }
})

function paymentAfter(...events: PaymentEvent[]): Payment {
  return events.reduce(nextPayment, { status: 'idle' } as Payment)
}

test('A payment that is reported after a declined attempt or after the window was closed counts as paid', () => {
  const confirming = { status: 'confirming', orderId: 'o-1', response }
  expect(paymentAfter(started, opened, declined, paid)).toEqual(confirming)
  expect(paymentAfter(started, opened, closed, paid)).toEqual(confirming)
})

test.for([
  ['a declined attempt', [declined, closed, synced('unpaid')], /didn’t go through.*Insufficient/],
  ['no attempt', [closed, synced('unpaid')], /^Payment was cancelled\./],
  ['a network failure', [closed, syncFailed], /^Payment was cancelled\..*under My Orders/]
] as const)('The window closed after %s leads to a notice', ([, events, text]) => {
  const payment = paymentAfter(started, opened, ...events)
  const { title, text: detail = '' } = (payment.status === 'idle' && payment.notice) || {
    title: ''
  }
  expect(`${title} ${detail}`).toMatch(text)
})

test('A payment that could not be confirmed keeps its proof until the API rejects it, and is never shown as unpaid', () => {
  const unconfirmed = [started, opened, paid, confirmFailed()]
  const state = { status: 'unconfirmed', orderId: 'o-1', reason: 'No network.' }
  expect(paymentAfter(...unconfirmed)).toEqual({ ...state, response })
  expect(paymentAfter(...unconfirmed, synced('unpaid')).status).toBe('unconfirmed')
  expect(paymentAfter(...unconfirmed, synced('checking')).status).toBe('unconfirmed')
  expect(paymentAfter(...unconfirmed, confirmFailed(true))).toEqual(state)
  expect(paymentAfter(...unconfirmed, synced('paid')).status).toBe('placed')
  expect(paymentAfter(...unconfirmed, synced('refunded')).status).toBe('refunded')
})

test('Duplicate, late and unrelated events do not change a payment', () => {
  const placed = paymentAfter(started, opened, paid, confirmed)
  const late = [started, opened, paid, closed, declined, confirmFailed(), synced('unpaid')]
  for (const event of [...late, synced('refunded')]) expect(nextPayment(placed, event)).toBe(placed)
  const preparing = paymentAfter(started)
  const returned = { type: 'returned', orderId: 'o-1', loggedIn: true } as const
  for (const event of [started, paid, closed, synced('paid'), returned])
    expect(nextPayment(preparing, event)).toBe(preparing)
})
