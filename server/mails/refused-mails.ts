import { formatPaise, paise } from '#lib/money.ts'
import type { OrderRow, RefundReason } from '../db/order-tables.ts'
import type { Mail } from '../gateways/mail.ts'
import { mailBody } from './mail-page.ts'
import { ORDER_MAIL, ownerMail, shopperMail, type MailDeps } from './order-parts.ts'

interface Refused {
  payment: { id: string; amount: number }
  /** None for money that was paid for nothing that we know. */
  order: OrderRow | undefined
  /** Who paid, where there is no order to tell. */
  payer?: { name: string; email: string } | undefined
  reason: RefundReason
}

const WHY: Record<RefundReason, string> = {
  second_payment: 'It was paid already: this payment came besides.',
  too_late: 'The payment came after we had let go of what was kept for it, and something of it is sold out now.',
  mismatch: 'The amount that was paid is not what the order costs.',
  unknown_order: 'It was paid for an order that the shop does not have.',
  unclaimed: 'It was paid, but no order followed that could be made.',
  cancelled: 'The order was cancelled.'
}

/** Money that can't become an order goes back: to the shopper that it does, to the owner why. */
export function refusedMails(deps: MailDeps, { payment, order, payer, reason }: Refused): Mail[] {
  const amount = formatPaise(paise(payment.amount))
  const about = `refused-${payment.id}`
  const sorry = `We give back your payment of ${amount} in full. ${WHY[reason]}`
  const patience = 'You need not do anything. The money appears in your account within 5 to 8 days.'
  const alert = [`${amount} is given back. ${WHY[reason]}`, `Payment ${payment.id}`]
  if (order) {
    const subject = `Your payment for ${order.order_no} goes back to you`
    return [
      shopperMail(deps, order, { about, subject, blocks: [sorry, patience] }),
      ownerMail(deps, order, { about, subject: `Order ${order.order_no}: ${amount} is given back`, blocks: alert })
    ]
  }
  const id = `${ORDER_MAIL}${about}`
  const subject = 'Your payment goes back to you'
  const toOwner = `${amount} is given back`
  const mails: Mail[] = [{ id: `${id}-owner`, to: deps.shop.email, subject: toOwner, ...mailBody(toOwner, alert) }]
  if (!payer) return mails
  const blocks = [`Vanakkam ${payer.name},`, sorry, patience, deps.shop.name]
  return [{ id, to: payer.email, subject, ...mailBody(subject, blocks) }, ...mails]
}
