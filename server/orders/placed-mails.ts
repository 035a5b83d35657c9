import { formatPaise } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import type { OrderLineRow, OrderRow } from '../platform/db/order-tables.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { addressText, customerOf, formatDay, itemRows, adminMail, shopperMail, type MailDeps } from './order-parts.ts'

const MAIL_TYPE = 'placed'

export function placedMails(deps: MailDeps, order: OrderRow, lines: readonly OrderLineRow[]): Mail[] {
  const items = itemRows(order, lines)
  const address = addressText(order)
  const when =
    order.delivery_date === null
      ? 'We’ll cook and send it within 7 days.'
      : `We’ll deliver it on ${formatDay(order.delivery_date)}.`
  const thanks = `Thank you for your order ${order.order_no}. We’ve received your payment.`
  return [
    shopperMail(deps, order, {
      mailType: MAIL_TYPE,
      subject: `Your order ${order.order_no} at ${deps.shop.name}`,
      blocks: [thanks, items, when, `Delivery address:\n${address}`]
    }),
    adminMail(deps, order, {
      mailType: MAIL_TYPE,
      subject: `Order ${order.order_no}: ${formatPaise(order.total)} from ${customerOf(order).name}`,
      blocks: [
        items,
        order.delivery_date === null
          ? 'No date chosen (send within 7 days).'
          : `Deliver on ${formatDay(order.delivery_date)}.`,
        address,
        `${deps.config.siteUrl}${paths.adminOrders}?order=${order.id}`
      ]
    })
  ]
}
