import type { FulfilmentStatus } from '#lib/order.ts'
import { formatDate, formatIndianTime } from '#lib/time.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { Block, Mail } from '../../platform/mail/mail.ts'
import { type MailDeps, shopperMail } from '../mails.ts'
import { addressOf, customerOf } from '../order-queries.ts'

type MailedStatus = Exclude<FulfilmentStatus, 'pending'>

export function statusMail(deps: MailDeps, order: OrderRow, status: MailedStatus): Mail {
  const [end, blocks] = TEXTS[status](order, placeText(order, deps.shop.pickupPlace))
  return shopperMail(deps, order, { mailType: status, subject: `Your order ${order.order_no} ${end}`, blocks })
}

type Texts = (order: OrderRow, place: string) => readonly [endOfSubject: string, blocks: readonly Block[]]

const TEXTS: Readonly<Record<MailedStatus, Texts>> = {
  packed: (order, place) => {
    const { delivery_method, delivery_date } = order
    if (delivery_method === 'pickup') {
      return ['is packed', ['Your order is packed. We’ll email you when you can pick it up.', place]]
    }
    const text =
      delivery_date === null ? 'Your order is packed and leaves our kitchen soon.' : arrivalText('is packed', order)
    return ['is packed', [text, place]]
  },
  shipped: (order, place) => {
    const { courier, tracking_number, tracking_link } = order
    const tracking = [
      ...(courier ? [['Courier', courier] as const] : []),
      ...(tracking_number ? [['Tracking number', tracking_number] as const] : [])
    ]
    const link = tracking_link ? [`Track it: ${tracking_link}`] : []
    return ['is on its way', [arrivalText('is on its way', order), tracking, ...link, place]]
  },
  ready: ({ delivery_date }, place) => {
    const day = delivery_date === null ? '' : ` You chose ${formatDay(delivery_date)}.`
    return ['is ready for pickup', [`Your order is ready. You can pick it up at our kitchen.${day}`, place]]
  },
  delivered: ({ delivery_method }) => {
    const end = delivery_method === 'pickup' ? 'has been picked up' : 'has been delivered'
    return [
      end,
      [
        `Your order ${end}. We hope it tastes of home!`,
        'Something broken, spoiled, wrong or missing? Please tell us today.'
      ]
    ]
  }
}

function arrivalText(state: string, { delivery_date }: OrderRow): string {
  const arrival = delivery_date === null ? '' : ` It should reach you on ${formatDay(delivery_date)}.`
  return `Your order ${state}.${arrival}`
}

/** For the shopper, as the other texts of this file unless they say otherwise. */
export function deliveryText({ delivery_date, delivery_method }: OrderRow): string {
  const day = delivery_date === null ? undefined : formatDay(delivery_date)
  if (delivery_method === 'pickup')
    return `You can pick it up at our kitchen${day ? ` on ${day}` : ' when it is ready'}.`
  if (delivery_method === 'courier' && day) return `We’ll send it by courier. It should reach you on ${day}.`
  return day ? `We’ll deliver it on ${day}.` : 'We’ll cook and send it within 7 days.'
}

/** Empty, or a sentence with a space after it. */
export function movedText({ moved_from }: OrderRow): string {
  return moved_from === null ? '' : `${formatDay(moved_from)} was no longer free when the payment arrived. `
}

/** For the shop. */
export function taskText({ delivery_date, delivery_method, delivery_zone }: OrderRow): string {
  const day = delivery_date === null ? undefined : formatDay(delivery_date)
  if (delivery_method === 'pickup') return day ? `Pickup on ${day}.` : 'Pickup as soon as it is ready.'
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
  return order.delivery_method === 'pickup' ? `Pickup at:\n${pickupPlace}` : `Delivery address:\n${addressText(order)}`
}

export function addressText(order: OrderRow): string {
  const { name, phone } = customerOf(order)
  const { apartmentOrSuite, street, landmark, city, district, state, pincode, country } = addressOf(order)
  const place = district === undefined || district === '' || district === city ? city : `${city}, ${district}`
  return [name, apartmentOrSuite, street, landmark, `${place} ${pincode}`, `${state}, ${country}`, `Phone ${phone}`]
    .filter(line => line !== undefined && line !== '')
    .join('\n')
}

export function formatDay(day: string): string {
  return formatDate(`${day}T06:00:00.000Z`)
}
