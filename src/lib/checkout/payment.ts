import type { OrderRequest, PaymentState } from '../contract/checkout.ts'
import type { Order } from '../contract/orders.ts'
import { t } from '../contract/texts.ts'
import { attemptFailedText, CHECKOUT_MESSAGES } from './messages.ts'

export type RazorpayResponse = Pick<
  OrderRequest,
  'razorpay_payment_id' | 'razorpay_order_id' | 'razorpay_signature'
>

export interface PaymentNotice {
  title: string
  text?: string
  kind: 'info' | 'failure'
}

export type Payment =
  | { status: 'idle'; notice?: PaymentNotice | undefined }
  /** The server creates the order, then Razorpay's script is loaded. */
  | { status: 'preparing' }
  | { status: 'open'; orderId: string; declineReason?: string }
  /** The window was closed. The server asks the provider. */
  | { status: 'syncing'; orderId: string; declineReason?: string }
  | { status: 'confirming'; orderId: string; response: RazorpayResponse }
  /** Paid, but the server has not accepted the response yet. */
  | { status: 'unconfirmed'; orderId: string; response?: RazorpayResponse; reason: string }
  | { status: 'checking'; orderId: string }
  /** The page was opened with an order id in its URL. */
  | { status: 'loadingOrder'; orderId: string }
  | { status: 'syncFailed'; orderId: string; reason: string }
  | { status: 'loginRequired'; orderId: string }
  | { status: 'placed'; order: Order }
  | { status: 'refunded'; reason: string }

export type PaymentEvent =
  | { type: 'started' }
  | { type: 'failed'; notice?: PaymentNotice | undefined }
  | { type: 'settled'; order: Order }
  | { type: 'opened'; orderId: string }
  | { type: 'declined'; reason: string }
  | { type: 'paid'; response: RazorpayResponse }
  | { type: 'closed' }
  | { type: 'confirmed'; order: Order }
  /** `final`: sending it again cannot succeed. */
  | { type: 'confirmFailed'; reason: string; final: boolean }
  | { type: 'refunded'; reason: string }
  | { type: 'synced'; state: PaymentState }
  | { type: 'syncFailed'; reason: string }
  | { type: 'returned'; orderId: string; loggedIn: boolean }
  | { type: 'dismissed' }

/** Ignores events that don't apply to the state. */
export function nextPayment(payment: Payment, event: PaymentEvent): Payment {
  switch (payment.status) {
    case 'idle':
      if (event.type === 'started') return { status: 'preparing' }
      return event.type === 'returned' ? toReturnedState(event) : payment
    case 'preparing':
      if (event.type === 'failed') return { status: 'idle', notice: event.notice }
      if (event.type === 'settled') return { status: 'placed', order: event.order }
      return event.type === 'opened' ? { status: 'open', orderId: event.orderId } : payment
    case 'open':
      if (event.type === 'declined') return { ...payment, declineReason: event.reason }
      if (event.type === 'closed') return { ...payment, status: 'syncing' }
      return event.type === 'paid'
        ? { status: 'confirming', orderId: payment.orderId, response: event.response }
        : payment
    case 'syncing':
      // Some browsers send 'closed' before 'paid'.
      if (event.type === 'paid')
        return { status: 'confirming', orderId: payment.orderId, response: event.response }
      if (event.type === 'syncFailed')
        return {
          status: 'idle',
          notice: infoNotice(undefined, CHECKOUT_MESSAGES.paymentSyncFailed)
        }
      return event.type === 'synced'
        ? toSyncedState(
            event.state,
            payment.declineReason ? declinedNotice(payment.declineReason) : infoNotice()
          )
        : payment
    case 'confirming':
    case 'unconfirmed':
      return reduceConfirming(payment, event)
    case 'checking':
      if (event.type === 'returned' && !event.loggedIn) return toReturnedState(event)
      return event.type === 'synced' ? toSyncedState(event.state, unpaidNotice()) : payment
    case 'loadingOrder':
    case 'syncFailed':
    case 'loginRequired':
      if (event.type === 'returned') return toReturnedState(event)
      if (event.type === 'syncFailed')
        return { status: 'syncFailed', orderId: payment.orderId, reason: event.reason }
      if (event.type === 'synced') return toSyncedState(event.state, unpaidNotice())
      return event.type === 'dismissed' ? { status: 'idle' } : payment
    case 'placed':
    case 'refunded':
      return event.type === 'dismissed' ? { status: 'idle' } : payment
  }
}

export function findOrderId(payment: Payment): string | undefined {
  return 'orderId' in payment
    ? payment.orderId
    : payment.status === 'placed'
      ? payment.order._id
      : undefined
}

export function isProcessing({ status }: Payment): boolean {
  return status !== 'idle' && status !== 'placed' && status !== 'refunded'
}

function toReturnedState({ orderId, loggedIn }: PaymentEvent & { type: 'returned' }): Payment {
  return { status: loggedIn ? 'loadingOrder' : 'loginRequired', orderId }
}

const unpaidNotice = (): PaymentNotice => infoNotice(t('The payment was not completed.'))

function infoNotice(
  title: string = t('Payment was cancelled.'),
  text: string = CHECKOUT_MESSAGES.paymentNothingCharged
): PaymentNotice {
  return { title, text, kind: 'info' }
}

function declinedNotice(reason: string): PaymentNotice {
  return {
    title: t('The payment didn’t go through'),
    text: attemptFailedText(reason),
    kind: 'failure'
  }
}

function reduceConfirming(
  payment: Payment & { status: 'confirming' | 'unconfirmed' },
  event: PaymentEvent
): Payment {
  if (event.type === 'refunded') return { status: 'refunded', reason: event.reason }
  if (event.type === 'confirmed') {
    const { status, _id } = event.order
    return status === 'checking'
      ? { status: 'checking', orderId: _id }
      : { status: 'placed', order: event.order }
  }
  if (event.type === 'confirmFailed') {
    const reason = payment.status === 'unconfirmed' ? payment.reason : event.reason
    const { orderId, response } = payment
    return { status: 'unconfirmed', orderId, reason, ...(response && !event.final && { response }) }
  }
  // The provider needs more time.
  const isDecided =
    event.type === 'synced' && event.state.state !== 'unpaid' && event.state.state !== 'checking'
  return isDecided ? toSyncedState(event.state, unpaidNotice()) : payment
}

function toSyncedState({ state, order }: PaymentState, unpaid: PaymentNotice): Payment {
  if (state === 'paid') return { status: 'placed', order }
  if (state === 'checking') return { status: 'checking', orderId: order._id }
  if (state === 'unpaid') return { status: 'idle', notice: unpaid }
  return {
    status: 'refunded',
    reason: order.paidAt
      ? t('This order was cancelled. Full refund in 5–8 days.')
      : CHECKOUT_MESSAGES.paymentRefunded
  }
}
