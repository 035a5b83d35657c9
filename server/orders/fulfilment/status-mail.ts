import type { FulfilmentStatus } from '#lib/order.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { Block, Mail } from '../../platform/mail/mail.ts'
import { type MailDeps, shopperMail } from '../mails.ts'
import { formatDay, placeText } from './delivery-texts.ts'

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
