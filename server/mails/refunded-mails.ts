import { formatPaise } from '#lib/money.ts'
import type { OrderRow, RefundRow } from '../db/order-tables.ts'
import type { Mail } from '../gateways/mail.ts'
import { mailBody } from './mail-page.ts'
import { ORDER_MAIL, ownerMail, shopperMail, type MailDeps } from './order-parts.ts'

/** The provider has taken a refund: the money is under way. */
export function refundedMails(deps: MailDeps, order: OrderRow, { id, amount, payment_id }: RefundRow): Mail[] {
  const about = `refunded-${id}`
  const money = formatPaise(amount)
  return [
    shopperMail(deps, order, {
      about,
      subject: `${money} for ${order.order_no} is on its way back to you`,
      blocks: [
        `We have sent ${money} back to the account, card or UPI address that you paid from.`,
        'It takes 5 to 8 days to appear there, depending on your bank.',
        `The number of your payment is ${payment_id}, if your bank asks for it.`
      ]
    }),
    ownerMail(deps, order, {
      about,
      subject: `Order ${order.order_no}: ${money} is refunded`,
      blocks: [`${money} of payment ${payment_id} is on its way back to the shopper.`]
    })
  ]
}

/** A person must look: the provider does not make a refund that is owed. */
export function refundStuckMail({ shop }: MailDeps, { id, amount, payment_id }: RefundRow): Mail {
  const subject = `A refund of ${formatPaise(amount)} does not get through`
  return {
    id: `${ORDER_MAIL}refund-stuck-${id}`,
    to: shop.email,
    subject,
    ...mailBody(subject, [
      `The payment provider does not make the refund ${id} of payment ${payment_id}.`,
      'Please look at it on the dashboard: the balance of the account may be too small. If it is not made within a day, make it there by hand.'
    ])
  }
}
