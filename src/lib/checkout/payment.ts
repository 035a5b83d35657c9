import type { Order, PaymentState } from '../contract/orders.ts'
import { CHECKOUT_MESSAGES, attemptRefused } from './messages.ts'

/** What the provider's window hands over after a payment: it proves to the shop which order was paid. */
export interface Proof {
  razorpay_payment_id: string
  razorpay_order_id: string
  razorpay_signature: string
}

/** What came of the last try, for the shopper to read. */
export interface Said {
  title: string
  text?: string
  kind: 'info' | 'failure'
}

export type Payment =
  | { at: 'idle'; said?: Said }
  /** The shop prices the order, keeps the goods and asks the provider for an order of its own. */
  | { at: 'ordering' }
  /** The provider's script is on its way. */
  | { at: 'loading'; orderId: string }
  /** The provider's window is open; `refusal` is why the last attempt in it failed, which ends nothing. */
  | { at: 'open'; orderId: string; refusal?: string }
  /** The window was closed; whether money has moved all the same, only the provider knows. */
  | { at: 'asking'; orderId: string; refusal?: string }
  /** Paid, and the shop is told so. */
  | { at: 'finalising'; orderId: string; proof: Proof }
  /** Paid, but the shop could not be told yet. */
  | { at: 'unfinalised'; orderId: string; proof?: Proof; reason: string }
  /** The bank has not confirmed yet. */
  | { at: 'checking'; orderId: string }
  /** The page was opened at an order: on the way back from the provider, again, or from a bookmark. */
  | { at: 'returning'; orderId: string }
  | { at: 'unheard'; orderId: string; reason: string }
  /** Whose order it is can only be told to who is logged in. */
  | { at: 'unknown'; orderId: string }
  | { at: 'placed'; order: Order }
  | { at: 'refunded'; reason: string }

export type PaymentEvent =
  | { is: 'pressed' }
  | { is: 'refused'; said?: Said }
  | { is: 'ordered'; orderId: string }
  | { is: 'settled'; order: Order }
  | { is: 'opened' }
  | { is: 'declined'; reason: string }
  | { is: 'paid'; proof: Proof }
  | { is: 'closed' }
  /** The shop's answer to the proof. */
  | { is: 'answered'; order: Order }
  /** The shop has not taken the proof; `final` when the same proof will never do. */
  | { is: 'untold'; reason: string; final: boolean }
  | { is: 'moneyBack'; reason: string }
  /** How the payment stands, as the shop has heard from the provider. */
  | { is: 'told'; state: PaymentState }
  | { is: 'unheard'; reason: string }
  | { is: 'returned'; orderId: string; known: boolean }
  | { is: 'left' }

/** What a payment becomes by an event; one that does not belong to where it is changes nothing. */
export function next(payment: Payment, event: PaymentEvent): Payment {
  switch (payment.at) {
    case 'idle':
      if (event.is === 'pressed') return { at: 'ordering' }
      return event.is === 'returned' ? cameBack(event) : payment
    case 'ordering':
    case 'loading':
      return whilePreparing(payment, event)
    case 'open':
      if (event.is === 'declined') return { ...payment, refusal: event.reason }
      if (event.is === 'closed') return { ...payment, at: 'asking' }
      return event.is === 'paid' ? { at: 'finalising', orderId: payment.orderId, proof: event.proof } : payment
    case 'asking':
      // Some windows say that they were closed before they say that it was paid.
      if (event.is === 'paid') return { at: 'finalising', orderId: payment.orderId, proof: event.proof }
      if (event.is === 'unheard') return { at: 'idle', said: cancelled(CHECKOUT_MESSAGES.paymentUnheard) }
      return event.is === 'told'
        ? onceTold(event.state, cancelled(payment.refusal && attemptRefused(payment.refusal)))
        : payment
    case 'finalising':
    case 'unfinalised':
      return whileTelling(payment, event)
    case 'checking':
      return event.is === 'told' ? onceTold(event.state, NOT_PAID) : payment
    case 'returning':
    case 'unheard':
    case 'unknown':
      if (event.is === 'returned') return cameBack(event)
      if (event.is === 'unheard') return { at: 'unheard', orderId: payment.orderId, reason: event.reason }
      if (event.is === 'told') return onceTold(event.state, NOT_PAID)
      return event.is === 'left' ? { at: 'idle' } : payment
    case 'placed':
    case 'refunded':
      return event.is === 'left' ? { at: 'idle' } : payment
  }
}

/** The order that the page is about, if there is one already. */
export function orderOf(payment: Payment): string | undefined {
  return 'orderId' in payment ? payment.orderId : payment.at === 'placed' ? payment.order._id : undefined
}

/** Whether a press on Pay Now is still being worked on. */
export function isProcessing({ at }: Payment): boolean {
  return at !== 'idle' && at !== 'placed' && at !== 'refunded'
}

function cameBack({ orderId, known }: PaymentEvent & { is: 'returned' }): Payment {
  return { at: known ? 'returning' : 'unknown', orderId }
}

const NOT_PAID: Said = {
  title: CHECKOUT_MESSAGES.paymentNotCompleted,
  text: CHECKOUT_MESSAGES.paymentNothingCharged,
  kind: 'info'
}

function cancelled(text = CHECKOUT_MESSAGES.paymentNothingCharged as string): Said {
  return { title: CHECKOUT_MESSAGES.paymentCancelled, text, kind: 'info' }
}

function whilePreparing(payment: Payment & { at: 'ordering' | 'loading' }, event: PaymentEvent): Payment {
  if (event.is === 'refused') return { at: 'idle', ...(event.said && { said: event.said }) }
  if (payment.at === 'loading') return event.is === 'opened' ? { at: 'open', orderId: payment.orderId } : payment
  if (event.is === 'settled') return { at: 'placed', order: event.order }
  return event.is === 'ordered' ? { at: 'loading', orderId: event.orderId } : payment
}

function whileTelling(payment: Payment & { at: 'finalising' | 'unfinalised' }, event: PaymentEvent): Payment {
  if (event.is === 'moneyBack') return { at: 'refunded', reason: event.reason }
  if (event.is === 'answered') {
    const { status, _id } = event.order
    return status === 'checking' ? { at: 'checking', orderId: _id } : { at: 'placed', order: event.order }
  }
  if (event.is === 'untold') {
    const reason = payment.at === 'unfinalised' ? payment.reason : event.reason
    const { orderId, proof } = payment
    return { at: 'unfinalised', orderId, reason, ...(proof && !event.final && { proof }) }
  }
  // Somebody who holds a proof is not told that nothing was paid: the provider may only be slow.
  const heard = event.is === 'told' && event.state.state !== 'unpaid' && event.state.state !== 'checking'
  return heard ? onceTold(event.state, NOT_PAID) : payment
}

function onceTold({ state, order }: PaymentState, unpaid: Said): Payment {
  if (state === 'paid') return { at: 'placed', order }
  if (state === 'checking') return { at: 'checking', orderId: order._id }
  if (state === 'unpaid') return { at: 'idle', said: unpaid }
  return {
    at: 'refunded',
    reason: order.paidAt ? CHECKOUT_MESSAGES.orderWasCancelled : CHECKOUT_MESSAGES.paymentRefunded
  }
}
