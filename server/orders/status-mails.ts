import { formatPaise } from '#lib/money.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { addressText, customerOf, formatDay, adminMail, shopperMail, type MailDeps } from './order-parts.ts'

export function statusMail(deps: MailDeps, order: OrderRow, status: 'packed' | 'delivered'): Mail {
  const { order_no, delivery_date } = order
  if (status === 'delivered') {
    const subject = `Your order ${order_no} has been delivered`
    const blocks = [
      'Your order has been delivered. We hope it tastes of home!',
      'Something broken, spoiled, wrong or missing? Please tell us today.'
    ]
    return shopperMail(deps, order, { mailType: status, subject, blocks })
  }
  const subject = `Your order ${order_no} is packed`
  const text =
    delivery_date === null
      ? 'Your order is packed and leaves our kitchen soon.'
      : `Your order is packed. It should reach you on ${formatDay(delivery_date)}.`
  return shopperMail(deps, order, { mailType: status, subject, blocks: [text, addressText(order)] })
}

export function cancelledMails(deps: MailDeps, order: OrderRow): Mail[] {
  const { order_no, total } = order
  return [
    shopperMail(deps, order, {
      mailType: 'cancelled',
      subject: `Your order ${order_no} is cancelled`,
      blocks: [`We have cancelled your order ${order_no} as you asked.`, refundText(order)]
    }),
    adminMail(deps, order, {
      mailType: 'cancelled',
      subject: `Order ${order_no} is cancelled`,
      blocks: [
        `${customerOf(order).name} cancelled this order.`,
        total === 0 ? 'Nothing was charged.' : `${formatPaise(total)} will be refunded automatically.`
      ]
    })
  ]
}

export function cancelledByShopMail(deps: MailDeps, order: OrderRow, reason: string): Mail {
  const { order_no } = order
  return shopperMail(deps, order, {
    mailType: 'cancelled',
    subject: `Your order ${order_no} is cancelled`,
    blocks: [`We are sorry: we had to cancel your order ${order_no}.`, reason, refundText(order)]
  })
}

function refundText({ total }: OrderRow): string {
  return total === 0
    ? 'Nothing was charged.'
    : `We will refund your payment of ${formatPaise(total)} in full. It takes 5 to 8 days to reach your account.`
}
