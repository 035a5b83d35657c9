import { formatPaise } from '#lib/money.ts'
import type { OrderRow, RefundRow } from '../platform/db/order-tables.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { mailBody } from '../platform/mail/mail-page.ts'
import { ORDER_MAIL_PREFIX, adminMail, shopperMail, type MailDeps } from './order-parts.ts'

export function refundedMails(deps: MailDeps, order: OrderRow, { id, amount, payment_id }: RefundRow): Mail[] {
  const mailType = `refunded-${id}`
  const money = formatPaise(amount)
  return [
    shopperMail(deps, order, {
      mailType,
      subject: `Refund of ${money} for ${order.order_no} is on its way`,
      blocks: [
        `We have refunded ${money} to the account, card or UPI ID that you paid from.`,
        'It takes 5 to 8 days to appear there, depending on your bank.',
        `Payment reference: ${payment_id}`
      ]
    }),
    adminMail(deps, order, {
      mailType,
      subject: `Order ${order.order_no}: ${money} refunded`,
      blocks: [`The refund of ${money} is on its way to the customer.`, `Payment ${payment_id}`]
    })
  ]
}

export function refundStuckMail({ shop }: MailDeps, { id, amount, payment_id }: RefundRow): Mail {
  const subject = `Refund of ${formatPaise(amount)} failed: please check Razorpay`
  return {
    id: `${ORDER_MAIL_PREFIX}refund-stuck-${id}`,
    to: shop.email,
    subject,
    ...mailBody(subject, [
      `Razorpay has not made the refund ${id} of payment ${payment_id}.`,
      'Please check the Razorpay dashboard: the account balance may be too low.',
      'If the refund is not made within a day, make it there by hand.'
    ])
  }
}
