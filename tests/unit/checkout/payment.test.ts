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
const orderCreated: PaymentEvent = { type: 'orderCreated', orderId: 'o-1' }
const opened: PaymentEvent = { type: 'opened' }
const paid: PaymentEvent = { type: 'paid', response: PAYMENT_RESPONSE }
const closed: PaymentEvent = { type: 'closed' }
const declined: PaymentEvent = { type: 'declined', reason: 'Insufficient funds.' }
const confirmFailed = (final = false): PaymentEvent => ({ type: 'confirmFailed', reason: 'No network.', final })
const synced = (state: 'paid' | 'checking' | 'unpaid' | 'refunded'): PaymentEvent => ({
  type: 'synced',
  state: { state, order: state === 'checking' ? CHECKING : ORDER }
})

function after(...events: PaymentEvent[]): Payment {
  return events.reduce(nextPayment, { status: 'idle' } as Payment)
}

describe('Successful payment', () => {
  test('goes through ordering, loading, open, confirming and placed', () => {
    expect(after(started).status).toBe('ordering')
    expect(after(started, orderCreated)).toEqual({ status: 'loading', orderId: 'o-1' })
    expect(after(started, orderCreated, opened)).toEqual({ status: 'open', orderId: 'o-1' })
    expect(after(started, orderCreated, opened, paid)).toEqual({
      status: 'confirming',
      orderId: 'o-1',
      response: PAYMENT_RESPONSE
    })
    expect(after(started, orderCreated, opened, paid, { type: 'confirmed', order: ORDER })).toEqual({
      status: 'placed',
      order: ORDER
    })
  })

  test('a free order needs no payment window', () => {
    expect(after(started, { type: 'settled', order: ORDER })).toEqual({ status: 'placed', order: ORDER })
  })

  test('can succeed after a declined attempt', () => {
    expect(after(started, orderCreated, opened, declined, paid).status).toBe('confirming')
  })

  test('a payment reported after the window closed counts as paid', () => {
    expect(after(started, orderCreated, opened, closed, paid).status).toBe('confirming')
  })
})

describe('Payment that could not be started', () => {
  test.for([[[started]], [[started, orderCreated]]] as const)('shows the reason and can be retried', ([events]) => {
    const notice = { title: 'Failed to create Razorpay order', text: 'Busy.', kind: 'failure' } as const
    const payment = after(...events, { type: 'failed', notice: notice })
    expect(payment).toEqual({ status: 'idle', notice: notice })
    expect(nextPayment(payment, started)).toEqual({ status: 'ordering' })
  })
})

describe('Closing the payment window', () => {
  const cancelled = [started, orderCreated, opened, closed]

  test('checks the payment before showing a result', () => {
    expect(after(...cancelled)).toEqual({ status: 'syncing', orderId: 'o-1' })
    expect(isProcessing(after(...cancelled))).toBe(true)
  })

  test("shows 'Payment was cancelled.' if nothing was paid", () => {
    expect(after(...cancelled, synced('unpaid'))).toMatchObject({
      status: 'idle',
      notice: { title: 'Payment was cancelled.', kind: 'info' }
    })
  })

  test('shows the decline reason of a failed attempt', () => {
    const payment = after(started, orderCreated, opened, declined, closed, synced('unpaid'))
    expect(payment).toMatchObject({ notice: { text: expect.stringContaining('Insufficient funds.') as unknown } })
  })

  test('shows the order if it was paid anyway', () => {
    expect(after(...cancelled, synced('paid')).status).toBe('placed')
    expect(after(...cancelled, synced('checking'))).toEqual({ status: 'checking', orderId: 'o-1' })
  })

  test('tells the shopper to check My Orders without network', () => {
    const payment = after(...cancelled, { type: 'syncFailed', reason: 'No network.' })
    expect(payment).toMatchObject({
      notice: { title: 'Payment was cancelled.', text: expect.stringContaining('under My Orders') as unknown }
    })
  })
})

describe('Payment that could not be confirmed', () => {
  const unconfirmed = [started, orderCreated, opened, paid, confirmFailed()]

  test('keeps its proof and reason and is never shown as unpaid', () => {
    expect(after(...unconfirmed)).toEqual({
      status: 'unconfirmed',
      orderId: 'o-1',
      response: PAYMENT_RESPONSE,
      reason: 'No network.'
    })
    expect(after(...unconfirmed, synced('unpaid')).status).toBe('unconfirmed')
    expect(after(...unconfirmed, synced('checking')).status).toBe('unconfirmed')
  })

  test('drops a proof that the API finally rejected', () => {
    expect(after(...unconfirmed, confirmFailed(true))).toEqual({
      status: 'unconfirmed',
      orderId: 'o-1',
      reason: 'No network.'
    })
  })

  test('ends as placed or refunded', () => {
    expect(after(...unconfirmed, { type: 'confirmed', order: ORDER }).status).toBe('placed')
    expect(after(...unconfirmed, synced('paid')).status).toBe('placed')
    expect(after(...unconfirmed, synced('refunded')).status).toBe('refunded')
    expect(after(...unconfirmed, { type: 'refunded', reason: 'Sold out.' })).toEqual({
      status: 'refunded',
      reason: 'Sold out.'
    })
  })
})

describe('Pending payment', () => {
  const pending = [started, orderCreated, opened, paid, { type: 'confirmed', order: CHECKING } as const]

  test('stays in checking until it is paid, refunded or not completed', () => {
    expect(after(...pending)).toEqual({ status: 'checking', orderId: 'o-1' })
    expect(after(...pending, synced('checking')).status).toBe('checking')
    expect(after(...pending, { type: 'syncFailed', reason: 'x' }).status).toBe('checking')
    expect(after(...pending, synced('paid')).status).toBe('placed')
    expect(after(...pending, synced('refunded')).status).toBe('refunded')
    expect(after(...pending, synced('unpaid'))).toMatchObject({
      status: 'idle',
      notice: { title: 'The payment was not completed.' }
    })
  })
})

describe('Returning to an order', () => {
  const returned: PaymentEvent = { type: 'returned', orderId: 'o-1', loggedIn: true }

  test('checks the state of the order', () => {
    expect(after(returned)).toEqual({ status: 'returning', orderId: 'o-1' })
    expect(after(returned, synced('paid'))).toEqual({ status: 'placed', order: ORDER })
    expect(after(returned, synced('unpaid')).status).toBe('idle')
  })

  test('can be retried without network', () => {
    const syncFailed = after(returned, { type: 'syncFailed', reason: 'No network.' })
    expect(syncFailed).toEqual({ status: 'syncFailed', orderId: 'o-1', reason: 'No network.' })
    expect(nextPayment(syncFailed, synced('paid')).status).toBe('placed')
  })

  test('requires login first', () => {
    const loginRequired = after({ type: 'returned', orderId: 'o-1', loggedIn: false })
    expect(loginRequired).toEqual({ status: 'loginRequired', orderId: 'o-1' })
    expect(nextPayment(loginRequired, returned)).toEqual({ status: 'returning', orderId: 'o-1' })
  })

  test('does not interrupt a running payment', () => {
    expect(after(started, returned).status).toBe('ordering')
  })
})

test('duplicate or late events do not change a payment', () => {
  const placed = after(started, orderCreated, opened, paid, { type: 'confirmed', order: ORDER })
  for (const event of [
    started,
    orderCreated,
    opened,
    paid,
    closed,
    declined,
    confirmFailed(),
    synced('unpaid'),
    synced('refunded')
  ])
    expect(nextPayment(placed, event)).toBe(placed)
  const ordering = after(started)
  for (const event of [started, paid, closed, synced('paid')]) expect(nextPayment(ordering, event)).toBe(ordering)
})
