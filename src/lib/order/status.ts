import type { OrderStatus, PaymentStatus } from '../constants.ts'
import type { Order } from '../contract/orders.ts'
import { formatDay } from './delivery.ts'

export const STATUS_LABELS: Record<OrderStatus, string> = {
  pending: 'Pending',
  packed: 'Packed',
  delivered: 'Delivered',
  checking: 'Checking payment',
  expired: 'Not paid',
  cancelled: 'Cancelled'
}

export const STATUS_TEXTS: Record<OrderStatus, string> = {
  pending: 'We have your order and will cook it fresh.',
  packed: 'Packed. It will leave soon or is on its way.',
  delivered: 'Delivered. We hope you like it!',
  checking: 'Your bank has not confirmed the payment yet. Please don’t pay again.',
  expired: 'Not paid, so no order was placed.',
  cancelled: 'This order was cancelled.'
}

export const PAYMENT_LABELS: Record<PaymentStatus, string> = {
  pending: 'Being checked',
  completed: 'Paid',
  refunding: 'Refund sent (5–8 days)',
  refunded: 'Refunded',
  failed: 'Not paid'
}

const FULFILMENT_STEPS = ['pending', 'packed', 'delivered'] as const

export interface TimelineStep {
  status: OrderStatus
  at?: string
}

/** Returns past and future steps. A cancelled or unpaid order has no future steps. */
export function listTimelineSteps({ history, status }: Pick<Order, 'history' | 'status'>): TimelineStep[] {
  const current = FULFILMENT_STEPS.findIndex(step => step === status)
  const future = status === 'checking' ? FULFILMENT_STEPS : current < 0 ? [] : FULFILMENT_STEPS.slice(current + 1)
  return [...history, ...future.map(step => ({ status: step }))]
}

export function listNextSteps({ deliveryDate }: Pick<Order, 'deliveryDate'>): string[] {
  return [
    'We cook your order fresh and pack it.',
    deliveryDate
      ? `Delivery on ${formatDay(deliveryDate)}.`
      : 'We’ll deliver as soon as everything is ready, within 7 days.',
    'We e-mail you when it is packed and delivered. You can also follow it under My Orders.'
  ]
}

export function formatDelivery({ deliveryDate }: Pick<Order, 'deliveryDate'>): string {
  return deliveryDate ? formatDay(deliveryDate) : 'As soon as possible, within 7 days'
}
