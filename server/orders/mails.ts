import { toOneLine } from '#lib/account/forms.ts'
import { formatPaise, multiply, sumPaise, toPaise, type Paise } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import type { IsoTime } from '#lib/time.ts'
import type { OrderLineRow, OrderRow } from '../platform/db/order-tables.ts'
import type { RefundReason, RefundRow, ReversalRow } from '../platform/db/payment-tables.ts'
import type { Db } from '../platform/db/tables.ts'
import { type Block, type Mail, mailBody } from '../platform/mail/mail.ts'
import { readContact, type ShopContact } from '../settings/settings.ts'
import {
  addressText,
  deliveryText,
  movedText,
  placeText,
  taskText,
  wishTexts
} from './desk/delivery-texts.ts'
import type { MoveReason } from './checkout/delivery.ts'
import { customerOf } from './queries.ts'
import { invoiceText } from './tax/invoices.ts'

export const ORDER_MAIL_PREFIX = 'order-'

export interface MailDeps {
  shop: ShopContact
  config: { siteUrl: string }
}

export async function readMailDeps(
  db: Db,
  { config }: Pick<MailDeps, 'config'>
): Promise<MailDeps> {
  return { shop: await readContact(db), config }
}

interface OrderMail {
  mailType: string
  subject: string
  blocks: readonly Block[]
}

interface RefusedPayment {
  payment: { id: string; amount: number }
  order: OrderRow | undefined
  payer?: { name: string; email: string } | undefined
  reason: RefundReason
}

const REASONS: Record<RefundReason, string> = {
  second_payment: 'The order was paid twice; this is the second payment.',
  too_late: 'The payment arrived after the order had expired or was cancelled.',
  mismatch: 'The amount paid differs from the order total.',
  unknown_order: 'We have no order for this payment.',
  unclaimed: 'We couldn’t create an order for this payment.',
  cancelled: 'The order was cancelled.',
  changed: 'The order was changed.'
}

export function placedMails(
  deps: MailDeps,
  order: OrderRow,
  lines: readonly OrderLineRow[],
  moveReason: MoveReason | undefined
): Mail[] {
  const moved = movedText(order, moveReason)
  const items = itemRows(order, lines)
  const wishes = wishTexts(order)
  const thanks = `Thank you for your order ${order.order_no}. We’ve received your payment.`
  return [
    shopperMail(deps, order, {
      mailType: 'placed',
      subject: `Your order ${order.order_no} at ${deps.shop.name}`,
      blocks: [
        thanks,
        items,
        invoiceText(order, lines),
        moved + deliveryText(order),
        placeText(order, deps.shop.pickupPlace),
        ...wishes
      ]
    }),
    adminMail(deps, order, {
      mailType: 'placed',
      subject: `Order ${order.order_no}: ${formatPaise(order.total)} from ${customerOf(order).name}`,
      blocks: [items, moved + taskText(order), ...wishes, addressText(order)]
    })
  ]
}

export function cancelledMails(deps: MailDeps, order: OrderRow, refund: Paise): Mail[] {
  const { order_no } = order
  return [
    shopperMail(deps, order, {
      mailType: 'cancelled',
      subject: `Your order ${order_no} is cancelled`,
      blocks: [`We have cancelled your order ${order_no} as you asked.`, refundText(order, refund)]
    }),
    adminMail(deps, order, {
      mailType: 'cancelled',
      subject: `Order ${order_no} is cancelled`,
      blocks: [
        `${toOneLine(customerOf(order).name)} cancelled this order.`,
        refund === 0
          ? 'Nothing is left to refund.'
          : `${formatPaise(refund)} will be refunded automatically.`
      ]
    })
  ]
}

export function cancelledByShopMail(
  deps: MailDeps,
  order: OrderRow,
  { reason, refund }: { reason: string; refund: Paise }
): Mail {
  const { order_no } = order
  return shopperMail(deps, order, {
    mailType: 'cancelled',
    subject: `Your order ${order_no} is cancelled`,
    blocks: [
      `We are sorry: we had to cancel your order ${order_no}.`,
      reason,
      refundText(order, refund)
    ]
  })
}

function refundText({ total, payment_state }: OrderRow, refund: Paise): string {
  if (total === 0) return 'Nothing was charged.'
  if (refund === 0 && payment_state === 'refund_due') return 'Your refund is already on its way.'
  if (refund === 0) return 'Your payment has already been refunded.'
  const what =
    refund === total
      ? `your payment of ${formatPaise(total)} in full`
      : `the remaining ${formatPaise(refund)}`
  return `We will refund ${what}. It takes 5 to 8 days to reach your account.`
}

export function refusedMails(
  deps: MailDeps,
  { payment, order, payer, reason }: RefusedPayment
): Mail[] {
  const amount = formatPaise(toPaise(payment.amount))
  const mailType = `refused-${payment.id}`
  const intro = `We are refunding your payment of ${amount} in full. ${REASONS[reason]}`
  const timing = 'You don’t need to do anything. The money reaches your account in 5 to 8 days.'
  const adminBlocks = [
    `${amount} will be refunded automatically. ${REASONS[reason]}`,
    `Payment ${payment.id}`
  ]
  if (order) {
    const subject = `Your payment for ${order.order_no} is being refunded`
    return [
      shopperMail(deps, order, { mailType, subject, blocks: [intro, timing] }),
      adminMail(deps, order, {
        mailType,
        subject: `Order ${order.order_no}: refund of ${amount}`,
        blocks: adminBlocks
      })
    ]
  }
  const id = `${ORDER_MAIL_PREFIX}${mailType}`
  const adminSubject = `Refund of ${amount}`
  const adminMails: Mail[] = [
    {
      id: `${id}-owner`,
      to: deps.shop.email,
      subject: adminSubject,
      ...mailBody(adminSubject, adminBlocks)
    }
  ]
  if (!payer) return adminMails
  const subject = 'Your payment is being refunded'
  const blocks = [`Vanakkam ${toOneLine(payer.name)},`, intro, timing, deps.shop.signature]
  return [{ id, to: payer.email, subject, ...mailBody(subject, blocks) }, ...adminMails]
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

/**
 * `isStopped`: the shop no longer tries. The mail's id contains the time, so that a later failure
 * gets a new mail.
 */
export function refundStuckMail(
  { shop, config }: MailDeps,
  refund: RefundRow,
  { isStopped, at }: { isStopped: boolean; at: IsoTime }
): Mail {
  const { id, amount, payment_id } = refund
  const subject = `Refund of ${formatPaise(amount)} failed: please ${isStopped ? 'decide what to do' : 'check Razorpay'}`
  const next = isStopped
    ? `The shop no longer tries. Please try again, or pay the money back by hand: ${config.siteUrl}${paths.adminOrders}`
    : 'Please check the Razorpay dashboard: the account balance may be too low. The shop tries again for a day.'
  return {
    id: `${ORDER_MAIL_PREFIX}refund-${isStopped ? 'stopped' : 'stuck'}-${id}-${at}`,
    to: shop.email,
    subject,
    ...mailBody(subject, [`Razorpay has not made the refund ${id} of payment ${payment_id}.`, next])
  }
}

interface ReportedReversal {
  reversal: Pick<ReversalRow, 'id' | 'kind' | 'amount' | 'payment_id'>
  order: OrderRow | undefined
  isCancelled: boolean
}

export function reversalMail(
  deps: MailDeps,
  { reversal, order, isCancelled }: ReportedReversal
): Mail {
  const { id, kind, amount, payment_id } = reversal
  const money = formatPaise(amount)
  const event =
    kind === 'dispute'
      ? `The customer’s bank disputes ${money}`
      : `${money} was refunded at Razorpay`
  const mailType = `reversal-${id}`
  const subject = `${order ? `Order ${order.order_no}` : `Payment ${payment_id}`}: ${kind} of ${money} at Razorpay`
  const next = isCancelled
    ? 'The order is cancelled and its items are back in stock.'
    : order?.payment_state === 'paid'
      ? 'If the order is not delivered yet, check it before you pack or deliver it.'
      : 'The shop refunds only what has not gone back yet.'
  const blocks = [
    `${event} (${id}).`,
    ...(kind === 'dispute' ? ['Please answer the dispute in the Razorpay dashboard.'] : []),
    next
  ]
  if (order) return adminMail(deps, order, { mailType, subject, blocks })
  return {
    id: `${ORDER_MAIL_PREFIX}${mailType}`,
    to: deps.shop.email,
    subject,
    ...mailBody(subject, blocks)
  }
}

export function wrongKeyMail(shop: MailDeps['shop'], day: string): Mail {
  const subject = 'Razorpay refuses the shop’s API key: nobody can pay'
  return {
    id: `${ORDER_MAIL_PREFIX}wrong-key-${day}`,
    to: shop.email,
    subject,
    ...mailBody(subject, [
      'Razorpay answered that the API key or its secret is wrong. Until this is fixed, checkouts fail.',
      'Please compare RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET with the key in the Razorpay dashboard, then restart the shop.'
    ])
  }
}

/** Returns the mail's id. A second mail with the same id is not sent. */
export function shopperMailId(mailType: string, orderId: string): string {
  return `${ORDER_MAIL_PREFIX}${mailType}-${orderId}`
}

export function shopperMail(
  { shop, config }: MailDeps,
  order: OrderRow,
  { mailType, subject, blocks }: OrderMail
): Mail {
  const { name, email } = customerOf(order)
  const closing = [
    `See your order: ${config.siteUrl}${paths.orders}`,
    questionsText(shop, order.order_no),
    shop.signature
  ]
  return {
    id: shopperMailId(mailType, order.id),
    to: email,
    replyTo: { name: shop.name, address: shop.email },
    subject,
    ...mailBody(subject, [`Vanakkam ${toOneLine(name)},`, ...blocks, ...closing])
  }
}

function questionsText({ email, phone }: ShopContact, orderNumber: string): string {
  const ways = [`write to ${email}`, ...(phone === '' ? [] : [`call ${phone}`])].join(' or ')
  return `Questions? Please ${ways} and mention order number ${orderNumber}.`
}

function adminMail(
  { shop, config }: MailDeps,
  order: OrderRow,
  { mailType, subject, blocks }: OrderMail
): Mail {
  const { name, email } = customerOf(order)
  const closing = [
    ...(email === '' ? [] : [`Customer’s email: ${email}`]),
    `Open the order: ${config.siteUrl}${paths.adminOrders}?order=${order.id}`
  ]
  return {
    id: `${ORDER_MAIL_PREFIX}${mailType}-owner-${order.id}`,
    to: shop.email,
    replyTo: { name, address: email },
    subject,
    ...mailBody(subject, [...blocks, ...closing])
  }
}

function itemRows(order: OrderRow, lines: readonly OrderLineRow[]): Block {
  const rows = lines.map(({ quantity, name, pack_value, pack_unit, percent, price }) => {
    const pack = formatPack({ value: pack_value, unit: pack_unit })
    const text = `${quantity} × ${name}, ${pack}${percent === null ? '' : ` (${percent}% off)`}`
    return [text, formatPaise(multiply(price, quantity))] as const
  })
  const off = sumPaise(lines.map(line => line.coupon_discount))
  const coupon = off > 0 ? [[`Coupon ${order.coupon_code}`, `−${formatPaise(off)}`] as const] : []
  const fee = order.delivery_fee > 0 ? [['Delivery', formatPaise(order.delivery_fee)] as const] : []
  return [...rows, ...coupon, ...fee, ['Total', formatPaise(order.total)]]
}
