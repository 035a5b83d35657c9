import type { OrderStatus, PaymentStatus } from './constants.ts'
import type { Order } from './contract/orders.ts'
import { formatDay } from './delivery.ts'

/** What an order's status is called; colour is never the only sign. */
export const STATUS_WORDS: Record<OrderStatus, string> = {
  pending: 'Pending',
  packed: 'Packed',
  delivered: 'Delivered',
  checking: 'Checking payment',
  expired: 'Not paid',
  cancelled: 'Cancelled'
}

/** What it means for who waits. */
export const STATUS_MEANS: Record<OrderStatus, string> = {
  pending: 'We have your order and cook it fresh.',
  packed: 'It is packed, and about to leave or on its way.',
  delivered: 'It has arrived. We hope you like it!',
  checking: 'Your bank has not confirmed the payment yet. Please do not pay again.',
  expired: 'Nothing was paid, so nothing was ordered.',
  cancelled: 'This order was cancelled.'
}

export const PAYMENT_WORDS: Record<PaymentStatus, string> = {
  pending: 'Being checked',
  completed: 'Paid',
  refunding: 'On its way back to you: 5 to 8 days',
  refunded: 'Refunded',
  failed: 'Not paid'
}

const WAY = ['pending', 'packed', 'delivered'] as const

/** A point on an order's way: reached at a time (ISO), or still to come. */
export interface Step {
  status: OrderStatus
  at?: string
}

/** Where an order has been, and where it is still to come; one that left the way has nothing before it. */
export function stepsOf({ history, status }: Pick<Order, 'history' | 'status'>): Step[] {
  const reached = WAY.findIndex(step => step === status)
  const ahead = status === 'checking' ? WAY : reached < 0 ? [] : WAY.slice(reached + 1)
  return [...history, ...ahead.map(step => ({ status: step }))]
}

/** What happens next, and when, as the confirmation says it. */
export function nextSteps({ deliveryDate }: Pick<Order, 'deliveryDate'>): string[] {
  return [
    'We cook your order fresh and pack it.',
    deliveryDate
      ? `It is due on ${formatDay(deliveryDate)}.`
      : 'It leaves us within 7 days, on the first day on which everything in it is fresh.',
    'We e-mail you when it is packed and when it is delivered; you can follow it under My Orders.'
  ]
}

/** 'Monday, 23 November', or that none was chosen. */
export function deliveryWords({ deliveryDate }: Pick<Order, 'deliveryDate'>): string {
  return deliveryDate ? formatDay(deliveryDate) : 'As soon as it is fresh, within 7 days'
}
