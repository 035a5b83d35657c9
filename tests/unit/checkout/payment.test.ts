import { describe, expect, test } from 'vitest'
import {
  isProcessing,
  nextPayment,
  type Payment,
  type PaymentEvent,
  type RazorpayResponse
} from '#lib/checkout/payment.ts'
import { makeOrder } from '../../support/orders.ts'

const PAYMENT_RESPONSE: RazorpayResponse = {
  razorpay_payment_id: 'pay_1',
  razorpay_order_id: 'order_1',
  razorpay_signature: 'sig'
}
const ORDER = makeOrder({ _id: 'o-1' })
const CHECKING = makeOrder({ _id: 'o-1', status: 'checking', paymentStatus: 'pending' })

const started: PaymentEvent = { type: 'started' }
const opened: PaymentEvent = { type: 'opened', orderId: 'o-1' }
const paid: PaymentEvent = { type: 'paid', response: PAYMENT_RESPONSE }
const closed: PaymentEvent = { type: 'closed' }
const declined: PaymentEvent = { type: 'declined', reason: 'Insufficient funds.' }
const confirmFailed = (final = false): PaymentEvent => ({
  type: 'confirmFailed',
  reason: 'No network.',
  final
})
const synced = (state: 'paid' | 'checking' | 'unpaid' | 'refunded'): PaymentEvent => ({
  type: 'synced',
  state: { state, order: state === 'checking' ? CHECKING : ORDER }
})

function paymentAfter(...events: PaymentEvent[]): Payment {
  return events.reduce(nextPayment, { status: 'idle' } as Payment)
}

describe('Successful payment', () => {
  test('has the states ordering, loading, open, confirming and placed in this order', () => {
    expect(paymentAfter(started).status).toBe('preparing')
    expect(paymentAfter(started, opened)).toEqual({ status: 'open', orderId: 'o-1' })
    expect(paymentAfter(started, opened, paid)).toEqual({
      status: 'confirming',
      orderId: 'o-1',
      response: PAYMENT_RESPONSE
    })
    expect(paymentAfter(started, opened, paid, { type: 'confirmed', order: ORDER })).toEqual({
      status: 'placed',
      order: ORDER
    })
  })

  test('a free order needs no payment window', () => {
    expect(paymentAfter(started, { type: 'settled', order: ORDER })).toEqual({
      status: 'placed',
      order: ORDER
    })
  })

  test('can succeed after a declined attempt', () => {
    expect(paymentAfter(started, opened, declined, paid).status).toBe('confirming')
  })

  test('a payment that is reported after the window was closed counts as paid', () => {
    expect(paymentAfter(started, opened, closed, paid).status).toBe('confirming')
  })
})

describe('Payment that could not be started', () => {
  test('shows the reason and can be retried', () => {
    const notice = {
      title: 'Failed to create Razorpay order',
      text: 'Busy.',
      kind: 'failure'
    } as const
    const payment = paymentAfter(started, { type: 'failed', notice })
    expect(payment).toEqual({ status: 'idle', notice })
    expect(nextPayment(payment, started)).toEqual({ status: 'preparing' })
  })
})

describe('Closing the payment window', () => {
  const cancelled = [started, opened, closed]

  test('checks the payment before showing a result', () => {
    expect(paymentAfter(...cancelled)).toEqual({ status: 'syncing', orderId: 'o-1' })
    expect(isProcessing(paymentAfter(...cancelled))).toBe(true)
  })

  test("shows 'Payment was cancelled.' if nothing was paid", () => {
    expect(paymentAfter(...cancelled, synced('unpaid'))).toMatchObject({
      status: 'idle',
      notice: { title: 'Payment was cancelled.', kind: 'info' }
    })
  })

  test('shows the decline reason of a failed attempt', () => {
    const payment = paymentAfter(started, opened, declined, closed, synced('unpaid'))
    expect(payment).toMatchObject({
      notice: {
        title: 'The payment didn’t go through',
        text: expect.stringContaining('Insufficient funds.') as unknown,
        kind: 'failure'
      }
    })
  })

  test('shows the order if the payment has succeeded', () => {
    expect(paymentAfter(...cancelled, synced('paid')).status).toBe('placed')
    expect(paymentAfter(...cancelled, synced('checking'))).toEqual({
      status: 'checking',
      orderId: 'o-1'
    })
  })

  test('tells the shopper to look at My Orders if the network is down', () => {
    const payment = paymentAfter(...cancelled, { type: 'syncFailed', reason: 'No network.' })
    expect(payment).toMatchObject({
      notice: {
        title: 'Payment was cancelled.',
        text: expect.stringContaining('under My Orders') as unknown
      }
    })
  })
})

describe('Payment that could not be confirmed', () => {
  const unconfirmed = [started, opened, paid, confirmFailed()]

  test('keeps the proof of payment and the error message, and is never shown as unpaid', () => {
    expect(paymentAfter(...unconfirmed)).toEqual({
      status: 'unconfirmed',
      orderId: 'o-1',
      response: PAYMENT_RESPONSE,
      reason: 'No network.'
    })
    expect(paymentAfter(...unconfirmed, synced('unpaid')).status).toBe('unconfirmed')
    expect(paymentAfter(...unconfirmed, synced('checking')).status).toBe('unconfirmed')
  })

  test('deletes a proof of payment that the API rejects permanently', () => {
    expect(paymentAfter(...unconfirmed, confirmFailed(true))).toEqual({
      status: 'unconfirmed',
      orderId: 'o-1',
      reason: 'No network.'
    })
  })

  test('ends as placed or refunded', () => {
    expect(paymentAfter(...unconfirmed, { type: 'confirmed', order: ORDER }).status).toBe('placed')
    expect(paymentAfter(...unconfirmed, synced('paid')).status).toBe('placed')
    expect(paymentAfter(...unconfirmed, synced('refunded')).status).toBe('refunded')
    expect(paymentAfter(...unconfirmed, { type: 'refunded', reason: 'Sold out.' })).toEqual({
      status: 'refunded',
      reason: 'Sold out.'
    })
  })
})

describe('Pending payment', () => {
  const pending = [started, opened, paid, { type: 'confirmed', order: CHECKING } as const]

  test('has the state checking until the API reports paid, refunded or unpaid', () => {
    expect(paymentAfter(...pending)).toEqual({ status: 'checking', orderId: 'o-1' })
    expect(paymentAfter(...pending, synced('checking')).status).toBe('checking')
    expect(paymentAfter(...pending, { type: 'syncFailed', reason: 'x' }).status).toBe('checking')
    expect(paymentAfter(...pending, synced('paid')).status).toBe('placed')
    expect(paymentAfter(...pending, synced('refunded')).status).toBe('refunded')
    expect(paymentAfter(...pending, synced('unpaid'))).toMatchObject({
      status: 'idle',
      notice: { title: 'The payment was not completed.' }
    })
  })
})

describe('Returning to an order', () => {
  const returned: PaymentEvent = { type: 'returned', orderId: 'o-1', loggedIn: true }

  test('checks the state of the order', () => {
    expect(paymentAfter(returned)).toEqual({ status: 'loadingOrder', orderId: 'o-1' })
    expect(paymentAfter(returned, synced('paid'))).toEqual({ status: 'placed', order: ORDER })
    expect(paymentAfter(returned, synced('unpaid')).status).toBe('idle')
  })

  test('can be retried after a network failure', () => {
    const syncFailed = paymentAfter(returned, { type: 'syncFailed', reason: 'No network.' })
    expect(syncFailed).toEqual({ status: 'syncFailed', orderId: 'o-1', reason: 'No network.' })
    expect(nextPayment(syncFailed, synced('paid')).status).toBe('placed')
  })

  test('requires login', () => {
    const loginRequired = paymentAfter({ type: 'returned', orderId: 'o-1', loggedIn: false })
    expect(loginRequired).toEqual({ status: 'loginRequired', orderId: 'o-1' })
    expect(nextPayment(loginRequired, returned)).toEqual({ status: 'loadingOrder', orderId: 'o-1' })
  })

  test('does not interrupt a payment that has been started', () => {
    expect(paymentAfter(started, returned).status).toBe('preparing')
  })
})

test('duplicate or late events do not change a payment', () => {
  const placed = paymentAfter(started, opened, paid, { type: 'confirmed', order: ORDER })
  for (const event of [
    started,
    opened,
    paid,
    closed,
    declined,
    confirmFailed(),
    synced('unpaid'),
    synced('refunded')
  ])
    expect(nextPayment(placed, event)).toBe(placed)
  const ordering = paymentAfter(started)
  for (const event of [started, paid, closed, synced('paid')])
    expect(nextPayment(ordering, event)).toBe(ordering)
})
