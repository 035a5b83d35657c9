import { formatPaise, toPaise } from '#lib/money.ts'
import type { OrderRow, RefundReason } from '../platform/db/order-tables.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { mailBody } from '../platform/mail/mail-page.ts'
import { ORDER_MAIL_PREFIX, adminMail, shopperMail, type MailDeps } from './order-parts.ts'

interface RefusedPayment {
  payment: { id: string; amount: number }
  order: OrderRow | undefined
  payer?: { name: string; email: string } | undefined
  reason: RefundReason
}

const REASONS: Record<RefundReason, string> = {
  second_payment: 'The order was paid twice; this is the second payment.',
  too_late: 'The payment arrived late and an item is now sold out.',
  mismatch: 'The amount paid differs from the order total.',
  unknown_order: 'We have no order for this payment.',
  unclaimed: 'We couldn’t create an order for this payment.',
  cancelled: 'The order was cancelled.'
}

export function refusedMails(deps: MailDeps, { payment, order, payer, reason }: RefusedPayment): Mail[] {
  const amount = formatPaise(toPaise(payment.amount))
  const mailType = `refused-${payment.id}`
  const intro = `We are refunding your payment of ${amount} in full. ${REASONS[reason]}`
  const timing = 'You don’t need to do anything. The money reaches your account in 5 to 8 days.'
  const adminBlocks = [`${amount} will be refunded automatically. ${REASONS[reason]}`, `Payment ${payment.id}`]
  if (order) {
    const subject = `Your payment for ${order.order_no} is being refunded`
    return [
      shopperMail(deps, order, { mailType, subject, blocks: [intro, timing] }),
      adminMail(deps, order, { mailType, subject: `Order ${order.order_no}: refund of ${amount}`, blocks: adminBlocks })
    ]
  }
  const id = `${ORDER_MAIL_PREFIX}${mailType}`
  const subject = 'Your payment is being refunded'
  const adminSubject = `Refund of ${amount}`
  const unknownOrderMail = {
    id: `${id}-owner`,
    to: deps.shop.email,
    subject: adminSubject,
    ...mailBody(adminSubject, adminBlocks)
  }
  const mails: Mail[] = [unknownOrderMail]
  if (!payer) return mails
  const blocks = [`Vanakkam ${payer.name},`, intro, timing, deps.shop.name]
  return [{ id, to: payer.email, subject, ...mailBody(subject, blocks) }, ...mails]
}
