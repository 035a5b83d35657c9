import { formatDate, formatIndianTime } from '#lib/time.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { MoveReason } from '../checkout/delivery.ts'
import { addressOf, customerOf } from '../queries.ts'

export function deliveryText({ delivery_date, delivery_method }: OrderRow): string {
  const day = delivery_date === null ? undefined : formatDay(delivery_date)
  if (delivery_method === 'pickup')
    return `You can pick it up at our kitchen${day ? ` on ${day}` : ' when it is ready'}.`
  if (delivery_method === 'courier' && day)
    return `We’ll send it by courier. It should reach you on ${day}.`
  return day ? `We’ll deliver it on ${day}.` : 'We’ll cook and send it within 7 days.'
}

const MOVE_REASONS: Readonly<Record<MoveReason, string>> = {
  too_soon: 'is earlier than we can have the order ready',
  closed: 'is not open for orders',
  full: 'was no longer free when the payment arrived'
}

/** Empty, or a sentence with a space after it. */
export function movedText({ moved_from }: OrderRow, reason: MoveReason | undefined): string {
  return moved_from === null || !reason ? '' : `${formatDay(moved_from)} ${MOVE_REASONS[reason]}. `
}

/** For the shop. All other texts of this file are for shoppers. */
export function taskText({ delivery_date, delivery_method, delivery_zone }: OrderRow): string {
  const day = delivery_date === null ? undefined : formatDay(delivery_date)
  if (delivery_method === 'pickup')
    return day ? `Pickup on ${day}.` : 'Pickup as soon as it is ready.'
  const zone = delivery_zone ? ` (${delivery_zone})` : ''
  if (delivery_method === 'courier' && day) return `Send by courier${zone}, to arrive on ${day}.`
  return day ? `Deliver${zone} on ${day}.` : `No date chosen (send within 7 days)${zone}.`
}

export function wishTexts({ note, event_at }: OrderRow): string[] {
  return [
    ...(event_at === null ? [] : [`Event: ${formatIndianTime(event_at)}`]),
    ...(note === '' ? [] : [`Note: ${note}`])
  ]
}

export function placeText(order: OrderRow, pickupPlace: string): string {
  return order.delivery_method === 'pickup'
    ? `Pickup at:\n${pickupPlace}`
    : `Delivery address:\n${addressText(order)}`
}

export function addressText(order: OrderRow): string {
  const { name, phone } = customerOf(order)
  const { apartmentOrSuite, street, landmark, city, district, state, pincode, country } =
    addressOf(order)
  const place =
    district === undefined || district === '' || district === city ? city : `${city}, ${district}`
  return [
    name,
    apartmentOrSuite,
    street,
    landmark,
    `${place} ${pincode}`,
    `${state}, ${country}`,
    `Phone ${phone}`
  ]
    .filter(line => line !== undefined && line !== '')
    .join('\n')
}

export function formatDay(day: string): string {
  return formatDate(`${day}T06:00:00.000Z`)
}
