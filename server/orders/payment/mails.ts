import { toOneLine } from '#lib/contract/formats.ts'
import { t, text } from '#lib/contract/texts.ts'
import { formatPaise, toPaise } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import type { IsoTime } from '#lib/time.ts'
import type {
  OrderRow,
  RefundReason,
  RefundRow,
  ReversalRow
} from '../../platform/db/order-tables.ts'
import type { UserRow } from '../../platform/db/tables.ts'
import { inLanguage } from '../../platform/language.ts'
import type { Block, Mail } from '../../platform/mail/mail.ts'
import { mailFromShop, mailToShop } from '../../settings/contact.ts'
import {
  adminMail,
  type MailDeps,
  ORDER_MAIL_PREFIX,
  type OrderMail,
  shopperMail
} from '../mails.ts'

const REASONS: Record<RefundReason, string> = {
  second_payment: text('The order was paid twice; this is the second payment.'),
  too_late: text('The payment arrived after the order had expired or was cancelled.'),
  mismatch: text('The amount paid differs from the order total.'),
  unknown_order: text('We have no order for this payment.'),
  unclaimed: text('We couldn’t create an order for this payment.'),
  cancelled: text('The order was cancelled.'),
  changed: text('The order was changed.')
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
    payer?: Pick<UserRow, 'name' | 'email' | 'language'> | undefined
    reason: RefundReason
  }
): Mail[] {
  const amount = formatPaise(toPaise(payment.amount))
  const mailType = `refused-${payment.id}`
  const forShopper = () => [
    t('We are refunding your payment of {amount} in full. {reason}', {
      amount,
      reason: t(REASONS[reason])
    }),
    t('You don’t need to do anything. The money reaches your account in 5 to 8 days.')
  ]
  const forShop = () => [
    t('{amount} will be refunded automatically. {reason}', { amount, reason: t(REASONS[reason]) }),
    t('Payment {id}', { id: payment.id })
  ]
  if (order) {
    const { order_no } = order
    return [
      shopperMail(deps, order, () => ({
        mailType,
        subject: t('Your payment for {order} is being refunded', { order: order_no }),
        blocks: forShopper()
      })),
      adminMail(deps, order, () => ({
        mailType,
        subject: t('Order {order}: refund of {amount}', { order: order_no, amount }),
        blocks: forShop()
      }))
    ]
  }
  const copy = aboutMoney(deps.shop, () => ({
    mailType: `${mailType}-owner`,
    subject: t('Refund of {amount}', { amount }),
    blocks: forShop()
  }))
  if (!payer) return [copy]
  const mail = inLanguage(payer.language, () => {
    const greeting = t('Vanakkam {name},', { name: toOneLine(payer.name) })
    return mailFromShop(deps.shop, {
      id: ORDER_MAIL_PREFIX + mailType,
      to: payer.email,
      subject: t('Your payment is being refunded'),
      blocks: [greeting, ...forShopper()]
    })
  })
  return [mail, copy]
}

export function refundedMails(
  deps: MailDeps,
  order: OrderRow,
  { id, amount, payment_id }: RefundRow
): Mail[] {
  const values = { amount: formatPaise(amount), order: order.order_no }
  return [
    shopperMail(deps, order, () => ({
      mailType: `refunded-${id}`,
      subject: t('Refund of {amount} for {order} is on its way', values),
      blocks: [
        t('We have refunded {amount} to the account, card or UPI ID that you paid from.', values),
        t('It takes 5 to 8 days to appear there, depending on your bank.'),
        t('Payment reference: {id}', { id: payment_id })
      ]
    })),
    adminMail(deps, order, () => ({
      mailType: `refunded-${id}`,
      subject: t('Order {order}: {amount} refunded', values),
      blocks: [
        t('The refund of {amount} is on its way to the customer.', values),
        t('Payment {id}', { id: payment_id })
      ]
    }))
  ]
}

/** The mail's id contains the time, so that a later failure gets a new mail. */
export function refundStuckMail(
  { shop, config }: MailDeps,
  { id, amount: paise, payment_id }: RefundRow,
  { isStopped, at }: { isStopped: boolean; at: IsoTime }
): Mail {
  const amount = formatPaise(paise)
  return aboutMoney(shop, () => ({
    mailType: `refund-${isStopped ? 'stopped' : 'stuck'}-${id}-${at}`,
    subject: t(
      isStopped
        ? 'Refund of {amount} failed: please decide what to do'
        : 'Refund of {amount} failed: please check Razorpay',
      { amount }
    ),
    blocks: [
      t('Razorpay has not made the refund {id} of payment {payment}.', { id, payment: payment_id }),
      ...(isStopped
        ? [
            t('The shop no longer tries. Please try again, or pay the money back by hand.'),
            openOrders(config)
          ]
        : [
            t(
              'Please check the Razorpay dashboard: the account balance may be too low. ' +
                'The shop tries again for a day.'
            )
          ])
    ]
  }))
}

export function reversalMail(
  deps: MailDeps,
  { id, payment_id, ...reversal }: Pick<ReversalRow, 'id' | 'kind' | 'amount' | 'payment_id'>,
  order: OrderRow | undefined,
  isCancelled: boolean
): Mail {
  const amount = formatPaise(reversal.amount)
  const isDispute = reversal.kind === 'dispute'
  const openText = () =>
    order?.payment_state === 'paid'
      ? t('If the order is not delivered yet, check it before you pack or deliver it.')
      : t('The shop refunds only what has not gone back yet.')
  const compose = (): OrderMail => ({
    mailType: `reversal-${id}`,
    subject: t(
      isDispute
        ? '{subject}: dispute of {amount} at Razorpay'
        : '{subject}: refund of {amount} at Razorpay',
      {
        subject: order
          ? t('Order {number}', { number: order.order_no })
          : t('Payment {id}', { id: payment_id }),
        amount
      }
    ),
    blocks: [
      t(
        isDispute
          ? 'The customer’s bank disputes {amount} ({id}).'
          : '{amount} was refunded at Razorpay ({id}).',
        { amount, id }
      ),
      ...(isDispute ? [t('Please answer the dispute in the Razorpay dashboard.')] : []),
      isCancelled
        ? t('The order is cancelled. Packs that you count are back in stock.')
        : openText()
    ]
  })
  return order ? adminMail(deps, order, compose) : aboutMoney(deps.shop, compose)
}

export function unmatchedMail(
  { shop, config }: MailDeps,
  { id, amount }: { id: string; amount: number },
  orderNumber: string | null
): Mail {
  return aboutMoney(shop, () => ({
    mailType: `unmatched-${id}`,
    subject: t('Payment of {amount} without an order: refund or keep?', {
      amount: formatPaise(toPaise(amount))
    }),
    blocks: [
      t(
        'A customer paid the order {order}, which is not in the shop’s database, for example ' +
          'because an older backup was restored.',
        { order: orderNumber ?? t('(without number)') }
      ),
      t('Payment {id}. The Razorpay dashboard shows the amount and the customer.', { id }),
      t('Please decide whether to refund it.'),
      openOrders(config)
    ]
  }))
}

/** `day` is in the mail's id, so that one mail is sent a day. */
export function wrongKeyMail(shop: MailDeps['shop'], day: string): Mail {
  return aboutMoney(shop, () => ({
    mailType: `wrong-key-${day}`,
    subject: t('Razorpay refuses the shop’s API key: nobody can pay'),
    blocks: [
      t(
        'Razorpay answered that the API key or its secret is wrong. ' +
          'Until this is fixed, checkouts fail.'
      ),
      t(
        'Please enter key id and key secret again under Settings → Payments. If that page says ' +
          '“Set on the server”, ask the person who runs it.'
      )
    ]
  }))
}

function openOrders({ siteUrl }: MailDeps['config']): Block {
  return { label: t('Open the orders'), url: `${siteUrl}${paths.adminOrders}` }
}

function aboutMoney(shop: MailDeps['shop'], compose: () => OrderMail): Mail {
  return mailToShop(shop, () => {
    const { mailType, ...letter } = compose()
    return { ...letter, id: ORDER_MAIL_PREFIX + mailType }
  })
}
