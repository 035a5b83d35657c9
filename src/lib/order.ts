import { LOCALE, type CancelBlock, type OrderStatus, type PaymentStatus } from './constants.ts'
import type { Order } from './contract/orders.ts'

export const STATUS_LABELS: Record<OrderStatus, string> = {
  pending: 'Pending',
  packed: 'Packed',
  shipped: 'Shipped',
  ready: 'Ready for pickup',
  delivered: 'Delivered',
  checking: 'Checking payment',
  expired: 'Not paid',
  cancelled: 'Cancelled'
}

/** Returns the word itself for a status that this version does not know. */
export function toStatusLabel(status: string): string {
  const labels: Partial<Record<string, string>> = STATUS_LABELS
  return labels[status] ?? status
}

export const STATUS_TEXTS: Record<OrderStatus, string> = {
  pending: 'We have your order and will cook it fresh.',
  packed: 'Packed. It will leave soon or is on its way.',
  shipped: 'On its way with the courier.',
  ready: 'Ready. You can fetch it at our kitchen.',
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

export const CANCEL_BLOCK_TEXTS: Record<CancelBlock, string> = {
  perishable: 'We cook this fresh for you, so it can’t be cancelled online.',
  later_day: 'Orders can be cancelled online only on the day of ordering.',
  packed: 'This order is packed, so it can no longer be cancelled online.'
}

const FULFILMENT_STEPS = ['pending', 'packed', 'delivered'] as const

interface TimelineStep {
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

const dayFormat = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })

export function formatDay(day: string): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`))
}
