import { CHECKOUT_MESSAGES } from './checkout/messages.ts'
import { isClosedOn, type ClosedDays } from './closed-days.ts'
import { DELIVERY_DAYS_AHEAD, LOCALE, type CancelBlock, type OrderStatus, type PaymentStatus } from './constants.ts'
import type { Order } from './contract/orders.ts'
import { DAY, toDayInIndia } from './time.ts'

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

function toDeliveryWindow(now: number): { earliest: string; latest: string } {
  return {
    earliest: toDayInIndia(now + DELIVERY_DAYS_AHEAD.earliest * DAY),
    latest: toDayInIndia(now + DELIVERY_DAYS_AHEAD.latest * DAY)
  }
}

const dayFormat = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })

export function formatDay(day: string): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`))
}

export function listDeliveryDates(now: number, closed: ClosedDays): string[] {
  const { earliest, latest } = toDeliveryWindow(now)
  const first = Date.parse(earliest)
  const count = (Date.parse(latest) - first) / DAY + 1
  const days = Array.from({ length: count }, (_, day) => new Date(first + day * DAY).toISOString().slice(0, 10))
  return days.filter(day => !isClosedOn(closed, day))
}

/** Also rejects a date that was valid when it was chosen but has become too early since. */
export function validateDeliveryDate(day: string, now: number, closed: ClosedDays): string | undefined {
  if (day === '') return undefined
  const { earliest, latest } = toDeliveryWindow(now)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || day > latest) return CHECKOUT_MESSAGES.deliveryDateInvalid
  if (day < earliest) return CHECKOUT_MESSAGES.deliveryDateTooEarly
  return isClosedOn(closed, day) ? CHECKOUT_MESSAGES.deliveryDateClosed : undefined
}
