import type { CartLine } from './cart/line.ts'
import {
  type CancelBlock,
  DELIVERY_DAYS_AHEAD,
  type OrderStatus,
  type PaymentStatus
} from './constants.ts'
import { toWhatsAppLink } from './contract/formats.ts'
import { t, texts } from './contract/texts.ts'
import type { Gift, Order, OrderChange } from './contract/orders.ts'
import { type DeliveryMethod, type FulfilmentStatus, FULFILMENT_STEPS } from './contract/names.ts'
import type { PackSize } from './contract/values.ts'
import { formatRupees, fromRupees, sumPaise, toPaise, toRupees } from './money.ts'
import { formatPack } from './product.ts'
import { dateFormat, DAY, formatShortDay, toDayInIndia } from './time.ts'

export const STATUS_LABELS = texts<Record<OrderStatus, string>>({
  pending: 'Pending',
  packed: 'Packed',
  shipped: 'Shipped',
  ready: 'Ready for pickup',
  delivered: 'Delivered',
  checking: 'Checking payment',
  expired: 'Not paid',
  cancelled: 'Cancelled'
})

/** Returns an unknown status unchanged: the server may already run a newer version. */
export function toStatusLabel(
  status: string,
  { deliveryMethod }: Pick<Order, 'deliveryMethod'>
): string {
  const labels: Partial<Record<string, string>> = STATUS_LABELS
  if (status === 'delivered' && deliveryMethod === 'pickup') return t('Picked up')
  return labels[status] ?? status
}

const STATUS_TEXTS = texts<Record<OrderStatus, string>>({
  pending: 'We have your order and will prepare it.',
  packed: 'Packed. It will leave soon or is on its way.',
  shipped: 'On its way with the courier.',
  ready: 'Ready. You can pick it up at our kitchen.',
  delivered: 'Delivered. We hope you like it!',
  checking: 'Your bank has not confirmed the payment yet. Please don’t pay again.',
  expired: 'Not paid, so no order was placed.',
  cancelled: 'This order was cancelled.'
})

export function toStatusText({
  status,
  deliveryMethod
}: Pick<Order, 'status' | 'deliveryMethod'>): string {
  if (status === 'delivered' && deliveryMethod === 'pickup')
    return t('Picked up. We hope you like it!')
  if (status !== 'packed' || (deliveryMethod ?? 'own') === 'own') return STATUS_TEXTS[status]
  return t(
    deliveryMethod === 'pickup'
      ? 'Packed. You can pick it up soon.'
      : 'Packed. The courier takes it soon.'
  )
}

export const METHOD_LABELS = texts<Record<DeliveryMethod, string>>({
  own: 'Own delivery',
  courier: 'Courier',
  pickup: 'Pickup'
})

const PAYMENT_LABELS = texts<Record<PaymentStatus, string>>({
  pending: 'Being checked',
  completed: 'Paid',
  refunding: 'Refund sent (5–8 days)',
  refunded: 'Refunded',
  failed: 'Not paid'
})

type Payment = Pick<Order, 'paymentStatus' | 'refunds'>

export function toPaymentLabel({ paymentStatus, refunds }: Payment): string {
  return paymentStatus === 'refunding' && refunds && refunds.due > 0
    ? t('Refund delayed')
    : PAYMENT_LABELS[paymentStatus]
}

export function listRefundTexts({ paymentStatus, refunds }: Payment): string[] {
  if (!refunds || paymentStatus === 'refunded') return []
  const { processed, open, due } = refunds
  return [
    processed > 0 && t('{amount} refunded', { amount: formatRupees(processed) }),
    open > 0 && t('Refund of {amount} on its way (5–8 days)', { amount: formatRupees(open) }),
    due > 0 && t('{amount} still to be refunded', { amount: formatRupees(due) })
  ].filter(text => text !== false)
}

/** In rupees. Less than the total if the shop has refunded more than credit notes say. */
export function toCancelRefund({
  totalAmount,
  refunds
}: Pick<Order, 'totalAmount' | 'refunds'>): number {
  if (!refunds) return totalAmount
  return toRupees(
    toPaise(fromRupees(totalAmount) + fromRupees(refunds.due) - fromRupees(refunds.surplus))
  )
}

export const CANCEL_BLOCK_TEXTS = texts<Record<CancelBlock, string>>({
  perishable: 'We make this for your order, so it can’t be cancelled online.',
  later_day: 'Orders can be cancelled online only on the day of ordering.',
  packed: 'This order is packed, so it can no longer be cancelled online.',
  shipped: 'This order is on its way, so it can no longer be cancelled online.'
})

export function listFulfilmentSteps(
  order: Pick<Order, 'deliveryMethod'>
): readonly FulfilmentStatus[] {
  return FULFILMENT_STEPS[order.deliveryMethod ?? 'own']
}

interface TimelineStep {
  status: OrderStatus
  at?: string
}

export function listTimelineSteps(
  order: Pick<Order, 'history' | 'status' | 'deliveryMethod'>
): TimelineStep[] {
  const { history, status } = order
  const steps = listFulfilmentSteps(order)
  const current = steps.findIndex(step => step === status)
  const future = status === 'checking' ? steps : current < 0 ? [] : steps.slice(current + 1)
  return [...history, ...future.map(step => ({ status: step }))]
}

type Delivery = Pick<Order, 'createdAt' | 'deliveryDate' | 'deliveryMethod'>

/** Before the owner has set rules, orders have no date, and are due as early as possible. */
export function arrivalDay({
  deliveryDate,
  createdAt
}: {
  deliveryDate?: string | null | undefined
  createdAt: string
}): string {
  return deliveryDate ?? toDayInIndia(Date.parse(createdAt) + DELIVERY_DAYS_AHEAD.earliest * DAY)
}

export function listNextSteps(order: Delivery, sendsMail: boolean): string[] {
  const { deliveryMethod = 'own' } = order
  const day = formatDay(arrivalDay(order))
  const arrivals = {
    own: order.deliveryDate
      ? t('Delivery on {day}.', { day })
      : t('Arrives {day}.', { day: formatShortDay(arrivalDay(order)) }),
    courier: t('We send it by courier. It reaches you on {day}.', { day }),
    pickup: t('You pick it up at our kitchen on {day}.', { day })
  }
  const mails = {
    own: t('We email you when it is packed and delivered.'),
    courier: t('We email you when it is packed and on its way.'),
    pickup: t('We email you when it is packed and ready for pickup.')
  }
  return [
    t('We prepare and pack your order.'),
    arrivals[deliveryMethod],
    sendsMail
      ? `${mails[deliveryMethod]} ${t('You can also follow it under My Orders.')}`
      : t('You can follow it under My Orders.')
  ]
}

export function aboutOrderText(number: string): string {
  return t('Vanakkam! About order {number}:', { number })
}

/** Some phones cut longer links. */
const MAX_LINK = 1980

/** Without the last lines of a long cart. */
export function aboutCartText(lines: readonly CartLine[]): string {
  const items = lines.map(({ name, quantity, packSize }) =>
    formatItem({ product: { name }, quantity: quantity.value, packSize })
  )
  const compose = (count: number) =>
    [
      t('Vanakkam! I have a question about my cart:'),
      ...items.slice(0, count),
      ...(count < items.length ? [t('… and {count} more', { count: items.length - count })] : [])
    ].join('\n')
  let count = items.length
  while (count > 0 && toWhatsAppLink(undefined, compose(count)).length > MAX_LINK) count--
  return compose(count)
}

export function listCreditNotes(order: Pick<Order, 'changes' | 'creditNoteNumber'>): string[] {
  const { changes = [], creditNoteNumber } = order
  return [...changes.map(change => change.creditNoteNumber), creditNoteNumber].filter(
    number => number !== undefined
  )
}

interface CountedItem {
  product: { name: string }
  quantity: number
  packSize?: Pick<PackSize, 'value' | 'unit'> | undefined
}

export function formatItem({ product, quantity, packSize }: CountedItem): string {
  return `${quantity} × ${product.name}${packSize ? ` (${formatPack(packSize)})` : ''}`
}

/** Refunds that are processed or on their way, in rupees. */
export function toRefunded({ refunds }: Pick<Order, 'refunds'>): number {
  if (!refunds) return 0
  return toRupees(toPaise(fromRupees(refunds.processed) + fromRupees(refunds.open)))
}

/** With the credit notes of changes. In rupees. */
export function toInvoicedTotal({
  totalAmount,
  changes = []
}: Pick<Order, 'totalAmount' | 'changes'>): number {
  return toRupees(sumPaise([totalAmount, ...changes.map(each => each.credited)].map(fromRupees)))
}

export function listChangeTexts(change: OrderChange, invoiced: number): string[] {
  const { items, keepsItems, refunded, reason, deliveryDate, hasNewPhone, hasNewAddress } = change
  const [amount, total] = [formatRupees(refunded), formatRupees(invoiced)]
  return [
    ...items.map(({ product, quantity, packSize }) => {
      const item = `${quantity} × ${product.name}${packSize ? `, ${formatPack(packSize)}` : ''}`
      return keepsItems ? item : t('Removed: {item}', { item })
    }),
    refunded > 0 && t('Refunded {amount} of {total}', { amount, total }),
    reason,
    deliveryDate !== undefined && t('New delivery date: {day}', { day: formatDay(deliveryDate) }),
    hasNewPhone && t('New phone number'),
    hasNewAddress && t('New delivery address')
  ].filter(text => typeof text === 'string')
}

export function formatDelivery(order: Delivery): string {
  const { deliveryMethod } = order
  const day = formatDay(arrivalDay(order))
  if (deliveryMethod === 'pickup') return t('{day}, pickup at our kitchen', { day })
  return deliveryMethod === 'courier' ? t('{day}, by courier', { day }) : day
}

/** Whom the parcel is for. A gift is picked up by the customer. */
export function recipientOf({
  deliveryMethod,
  gift,
  customerDetails
}: Pick<Order, 'deliveryMethod' | 'gift'> & { customerDetails: { name: string } }): string {
  return (deliveryMethod !== 'pickup' && gift?.name) || customerDetails.name
}

export function giftLines(gift: Gift | undefined): string[] {
  if (!gift) return []
  const { name, message } = gift
  const mark =
    name === ''
      ? t('Gift: no prices in the parcel')
      : t('Gift for {name}: no prices in the parcel', { name })
  return message === '' ? [mark] : [mark, ...message.split('\n')]
}

export const formatDay: (day: string) => string = dateFormat({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC'
})
