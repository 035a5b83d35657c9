import { formatPaise } from '#lib/money.ts'
import type { OrderRow } from '../db/order-tables.ts'
import type { Mail } from '../gateways/mail.ts'
import { addressText, customerOf, dayText, ownerMail, shopperMail, type MailDeps } from './order-parts.ts'

/** To the shopper, as an order goes on its way. */
export function movedMail(deps: MailDeps, order: OrderRow, to: 'packed' | 'delivered'): Mail {
  const { order_no, delivery_date } = order
  if (to === 'delivered') {
    const subject = `Your order ${order_no} has been delivered`
    const blocks = [
      'It should be with you now. We hope that it tastes of home.',
      'If something is broken, spoiled, wrong or missing, please tell us today.'
    ]
    return shopperMail(deps, order, { about: to, subject, blocks })
  }
  const when =
    delivery_date === null ? 'It leaves our kitchen next.' : `It is to be with you on ${dayText(delivery_date)}.`
  const subject = `Your order ${order_no} is packed`
  return shopperMail(deps, order, { about: to, subject, blocks: [`Everything is packed. ${when}`, addressText(order)] })
}

/** To the shopper and to the kitchen, which need not go on. */
export function cancelledMails(deps: MailDeps, order: OrderRow): Mail[] {
  const { order_no, total } = order
  return [
    shopperMail(deps, order, {
      about: 'cancelled',
      subject: `Your order ${order_no} is cancelled`,
      blocks: [`We have cancelled your order ${order_no}, as you asked.`, refundText(order)]
    }),
    ownerMail(deps, order, {
      about: 'cancelled',
      subject: `Order ${order_no} is cancelled`,
      blocks: [`${customerOf(order).name} has cancelled order ${order_no}. ${formatPaise(total)} goes back by itself.`]
    })
  ]
}

/** To the shopper, of an order that the shop can't keep. */
export function withdrawnMail(deps: MailDeps, order: OrderRow, reason: string): Mail {
  const { order_no } = order
  return shopperMail(deps, order, {
    about: 'cancelled',
    subject: `Your order ${order_no} is cancelled`,
    blocks: [`We are sorry: we had to cancel your order ${order_no}.`, reason, refundText(order)]
  })
}

function refundText({ total }: OrderRow): string {
  return total === 0
    ? 'It had cost nothing, so nothing comes back to you.'
    : `Your payment of ${formatPaise(total)} goes back to you in full. It takes 5 to 8 days to appear in your account.`
}
