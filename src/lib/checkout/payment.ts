import type { Order, PaymentState } from '../contract/orders.ts'
import { CHECKOUT_MESSAGES, attemptFailed } from './messages.ts'

/** What Razorpay Checkout passes to its success handler. */
export interface RazorpayResponse {
  razorpay_payment_id: string
  razorpay_order_id: string
  razorpay_signature: string
}

export interface PaymentNotice {
  title: string
  text?: string
  kind: 'info' | 'failure'
}

export type Payment =
  | { status: 'idle'; notice?: PaymentNotice }
  /** The server reserves stock and creates the provider order. */
  | { status: 'ordering' }
  /** Loading the provider's script. */
  | { status: 'loading'; orderId: string }
  /** The provider's window is open; after a failed attempt (`refusal`) the shopper can try again in it. */
  | { status: 'open'; orderId: string; refusal?: string }
  /** The window was closed; the shopper may have paid anyway, so the server asks the provider. */
  | { status: 'syncing'; orderId: string; refusal?: string }
  /** Paid; the response is being sent to the server. */
  | { status: 'confirming'; orderId: string; response: RazorpayResponse }
  /** Paid, but the server has not accepted the response yet. */
  | { status: 'unconfirmed'; orderId: string; response?: RazorpayResponse; reason: string }
  /** The bank has not confirmed yet. */
  | { status: 'checking'; orderId: string }
  /** The page was opened with an order id in its URL. */
  | { status: 'returning'; orderId: string }
  | { status: 'syncFailed'; orderId: string; reason: string }
  | { status: 'loginRequired'; orderId: string }
  | { status: 'placed'; order: Order }
  | { status: 'refunded'; reason: string }

export type PaymentEvent =
  | { type: 'started' }
  | { type: 'failed'; notice?: PaymentNotice }
  | { type: 'orderCreated'; orderId: string }
  | { type: 'settled'; order: Order }
  | { type: 'opened' }
  | { type: 'declined'; reason: string }
  | { type: 'paid'; response: RazorpayResponse }
  | { type: 'closed' }
  | { type: 'confirmed'; order: Order }
  /** `final`: sending the same response again cannot succeed. */
  | { type: 'confirmFailed'; reason: string; final: boolean }
  | { type: 'refunded'; reason: string }
  | { type: 'synced'; state: PaymentState }
  | { type: 'syncFailed'; reason: string }
  | { type: 'returned'; orderId: string; loggedIn: boolean }
  | { type: 'left' }

/** State transition; an event that does not apply to the current state changes nothing. */
export function nextPayment(payment: Payment, event: PaymentEvent): Payment {
  switch (payment.status) {
    case 'idle':
      if (event.type === 'started') return { status: 'ordering' }
      return event.type === 'returned' ? afterReturn(event) : payment
    case 'ordering':
    case 'loading':
      return whilePreparing(payment, event)
    case 'open':
      if (event.type === 'declined') return { ...payment, refusal: event.reason }
      if (event.type === 'closed') return { ...payment, status: 'syncing' }
      return event.type === 'paid'
        ? { status: 'confirming', orderId: payment.orderId, response: event.response }
        : payment
    case 'syncing':
      // Some browsers report the close before the payment.
      if (event.type === 'paid') return { status: 'confirming', orderId: payment.orderId, response: event.response }
      if (event.type === 'syncFailed')
        return { status: 'idle', notice: cancelledNotice(CHECKOUT_MESSAGES.paymentSyncFailed) }
      return event.type === 'synced'
        ? afterSync(event.state, cancelledNotice(payment.refusal && attemptFailed(payment.refusal)))
        : payment
    case 'confirming':
    case 'unconfirmed':
      return whileConfirming(payment, event)
    case 'checking':
      return event.type === 'synced' ? afterSync(event.state, NOT_PAID) : payment
    case 'returning':
    case 'syncFailed':
    case 'loginRequired':
      if (event.type === 'returned') return afterReturn(event)
      if (event.type === 'syncFailed') return { status: 'syncFailed', orderId: payment.orderId, reason: event.reason }
      if (event.type === 'synced') return afterSync(event.state, NOT_PAID)
      return event.type === 'left' ? { status: 'idle' } : payment
    case 'placed':
    case 'refunded':
      return event.type === 'left' ? { status: 'idle' } : payment
  }
}

export function orderIdOf(payment: Payment): string | undefined {
  return 'orderId' in payment ? payment.orderId : payment.status === 'placed' ? payment.order._id : undefined
}

export function isProcessing({ status }: Payment): boolean {
  return status !== 'idle' && status !== 'placed' && status !== 'refunded'
}

function afterReturn({ orderId, loggedIn }: PaymentEvent & { type: 'returned' }): Payment {
  return { status: loggedIn ? 'returning' : 'loginRequired', orderId }
}

const NOT_PAID: PaymentNotice = {
  title: CHECKOUT_MESSAGES.paymentNotCompleted,
  text: CHECKOUT_MESSAGES.paymentNothingCharged,
  kind: 'info'
}

function cancelledNotice(text = CHECKOUT_MESSAGES.paymentNothingCharged as string): PaymentNotice {
  return { title: CHECKOUT_MESSAGES.paymentCancelled, text, kind: 'info' }
}

function whilePreparing(payment: Payment & { status: 'ordering' | 'loading' }, event: PaymentEvent): Payment {
  if (event.type === 'failed') return { status: 'idle', ...(event.notice && { notice: event.notice }) }
  if (payment.status === 'loading')
    return event.type === 'opened' ? { status: 'open', orderId: payment.orderId } : payment
  if (event.type === 'settled') return { status: 'placed', order: event.order }
  return event.type === 'orderCreated' ? { status: 'loading', orderId: event.orderId } : payment
}

function whileConfirming(payment: Payment & { status: 'confirming' | 'unconfirmed' }, event: PaymentEvent): Payment {
  if (event.type === 'refunded') return { status: 'refunded', reason: event.reason }
  if (event.type === 'confirmed') {
    const { status, _id } = event.order
    return status === 'checking' ? { status: 'checking', orderId: _id } : { status: 'placed', order: event.order }
  }
  if (event.type === 'confirmFailed') {
    const reason = payment.status === 'unconfirmed' ? payment.reason : event.reason
    const { orderId, response } = payment
    return { status: 'unconfirmed', orderId, reason, ...(response && !event.final && { response }) }
  }
  // The response shows that the shopper paid, so 'unpaid' only means that the provider is slow.
  const decided = event.type === 'synced' && event.state.state !== 'unpaid' && event.state.state !== 'checking'
  return decided ? afterSync(event.state, NOT_PAID) : payment
}

function afterSync({ state, order }: PaymentState, unpaid: PaymentNotice): Payment {
  if (state === 'paid') return { status: 'placed', order }
  if (state === 'checking') return { status: 'checking', orderId: order._id }
  if (state === 'unpaid') return { status: 'idle', notice: unpaid }
  return {
    status: 'refunded',
    reason: order.paidAt ? CHECKOUT_MESSAGES.orderWasCancelled : CHECKOUT_MESSAGES.paymentRefunded
  }
}
