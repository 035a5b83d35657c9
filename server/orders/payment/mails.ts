import { toOneLine } from '#lib/contract/formats.ts'
import { formatPaise, toPaise } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import type { IsoTime } from '#lib/time.ts'
import type {
  OrderRow,
  RefundReason,
  RefundRow,
  ReversalRow
} from '../../platform/db/order-tables.ts'
import { type Mail, mailBody } from '../../platform/mail/mail.ts'
import {
  adminMail,
  type MailDeps,
  ORDER_MAIL_PREFIX,
  type OrderMail,
  shopperMail
} from '../mails.ts'

const REASONS: Record<RefundReason, string> = {
  second_payment: 'The order was paid twice; this is the second payment.',
  too_late: 'The payment arrived after the order had expired or was cancelled.',
  mismatch: 'The amount paid differs from the order total.',
  unknown_order: 'We have no order for this payment.',
  unclaimed: 'We couldn’t create an order for this payment.',
  cancelled: 'The order was cancelled.',
  changed: 'The order was changed.'
}

export function refusedMails(
  deps: MailDeps,
  {
    payment,
    order,
    payer,
    reason
  }: {
    payment: { id: string; amount: number }
    order?: OrderRow
    payer?: { name: string; email: string } | undefined
    reason: RefundReason
  }
): Mail[] {
  const amount = formatPaise(toPaise(payment.amount))
  const mailType = `refused-${payment.id}`
  const forShopper = [
    `We are refunding your payment of ${amount} in full. ${REASONS[reason]}`,
    'You don’t need to do anything. The money reaches your account in 5 to 8 days.'
  ]
  const forShop = [
    `${amount} will be refunded automatically. ${REASONS[reason]}`,
    `Payment ${payment.id}`
  ]
  if (order) {
    const subject = `Your payment for ${order.order_no} is being refunded`
    const shopSubject = `Order ${order.order_no}: refund of ${amount}`
    return [
      shopperMail(deps, order, { mailType, subject, blocks: forShopper }),
      adminMail(deps, order, { mailType, subject: shopSubject, blocks: forShop })
    ]
  }
  const copy = { mailType: `${mailType}-owner`, subject: `Refund of ${amount}`, blocks: forShop }
  if (!payer) return [mailToShop(deps.shop, copy)]
  const subject = 'Your payment is being refunded'
  const blocks = [`Vanakkam ${toOneLine(payer.name)},`, ...forShopper, deps.shop.signature]
  return [
    { ...mailToShop(deps.shop, { mailType, subject, blocks }), to: payer.email },
    mailToShop(deps.shop, copy)
  ]
}

export function refundedMails(
  deps: MailDeps,
  order: OrderRow,
  { id, amount, payment_id }: RefundRow
): Mail[] {
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

/** The mail's id contains the time, so that a later failure gets a new mail. */
export function refundStuckMail(
  { shop, config }: MailDeps,
  { id, amount, payment_id }: RefundRow,
  { isStopped, at }: { isStopped: boolean; at: IsoTime }
): Mail {
  const request = isStopped ? 'decide what to do' : 'check Razorpay'
  const subject = `Refund of ${formatPaise(amount)} failed: please ${request}`
  const link = `${config.siteUrl}${paths.adminOrders}`
  const next = isStopped
    ? `The shop no longer tries. Please try again, or pay the money back by hand: ${link}`
    : 'Please check the Razorpay dashboard: the account balance may be too low. ' +
      'The shop tries again for a day.'
  return mailToShop(shop, {
    mailType: `refund-${isStopped ? 'stopped' : 'stuck'}-${id}-${at}`,
    subject,
    blocks: [`Razorpay has not made the refund ${id} of payment ${payment_id}.`, next]
  })
}

export function reversalMail(
  deps: MailDeps,
  { id, kind, amount, payment_id }: Pick<ReversalRow, 'id' | 'kind' | 'amount' | 'payment_id'>,
  order: OrderRow | undefined,
  isCancelled: boolean
): Mail {
  const money = formatPaise(amount)
  const isDispute = kind === 'dispute'
  const subject = order ? `Order ${order.order_no}` : `Payment ${payment_id}`
  const event = isDispute
    ? `The customer’s bank disputes ${money}`
    : `${money} was refunded at Razorpay`
  const openText =
    order?.payment_state === 'paid'
      ? 'If the order is not delivered yet, check it before you pack or deliver it.'
      : 'The shop refunds only what has not gone back yet.'
  const mail = {
    mailType: `reversal-${id}`,
    subject: `${subject}: ${kind} of ${money} at Razorpay`,
    blocks: [
      `${event} (${id}).`,
      ...(isDispute ? ['Please answer the dispute in the Razorpay dashboard.'] : []),
      isCancelled ? 'The order is cancelled. Packs that you count are back in stock.' : openText
    ]
  }
  return order ? adminMail(deps, order, mail) : mailToShop(deps.shop, mail)
}

export function unmatchedMail(
  { shop, config }: MailDeps,
  { id, amount }: { id: string; amount: number },
  orderNumber: string | null
): Mail {
  return mailToShop(shop, {
    mailType: `unmatched-${id}`,
    subject: `Payment of ${formatPaise(toPaise(amount))} without an order: refund or keep?`,
    blocks: [
      `A customer paid the order ${orderNumber ?? '(without number)'}, which is not in the ` +
        'shop’s database, for example because an older backup was restored.',
      `Payment ${id}. The Razorpay dashboard shows the amount and the customer.`,
      `Please decide whether to refund it: ${config.siteUrl}${paths.adminOrders}`
    ]
  })
}

/** `day` is in the mail's id, so that one mail is sent a day. */
export function wrongKeyMail(shop: MailDeps['shop'], day: string): Mail {
  return mailToShop(shop, {
    mailType: `wrong-key-${day}`,
    subject: 'Razorpay refuses the shop’s API key: nobody can pay',
    blocks: [
      'Razorpay answered that the API key or its secret is wrong. ' +
        'Until this is fixed, checkouts fail.',
      'Please enter key id and key secret again under Settings → Payments. If that page says ' +
        '“Set on the server”, ask the person who runs it.'
    ]
  })
}

function mailToShop({ email }: MailDeps['shop'], { mailType, subject, blocks }: OrderMail): Mail {
  return { id: `${ORDER_MAIL_PREFIX}${mailType}`, to: email, subject, ...mailBody(subject, blocks) }
}
