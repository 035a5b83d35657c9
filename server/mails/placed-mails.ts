import { formatPaise } from '#lib/money.ts'
import type { OrderLineRow, OrderRow } from '../db/order-tables.ts'
import type { Mail } from '../gateways/mail.ts'
import { addressText, customerOf, dayText, itemRows, ownerMail, shopperMail, type MailDeps } from './order-parts.ts'

const ABOUT = 'placed'

/** To the shopper: that the order is paid and made. To the owner: what to cook, for when and for whom. */
export function placedMails(deps: MailDeps, order: OrderRow, lines: readonly OrderLineRow[]): Mail[] {
  const items = itemRows(order, lines)
  const address = addressText(order)
  const when =
    order.delivery_date === null
      ? 'We cook, pack and send it within the next days.'
      : `You asked for it on ${dayText(order.delivery_date)}.`
  const thanks = `Thank you for your order ${order.order_no}. It is paid, and we have begun with it.`
  return [
    shopperMail(deps, order, {
      about: ABOUT,
      subject: `Your order ${order.order_no} at ${deps.shop.name}`,
      blocks: [thanks, items, when, `It goes to:\n${address}`]
    }),
    ownerMail(deps, order, {
      about: ABOUT,
      subject: `Order ${order.order_no}: ${formatPaise(order.total)} from ${customerOf(order).name}`,
      blocks: [
        items,
        order.delivery_date === null ? 'No delivery date was chosen.' : `Wanted on ${dayText(order.delivery_date)}.`,
        address
      ]
    })
  ]
}
