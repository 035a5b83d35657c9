import { formatPhone, toOneLine } from '#lib/contract/formats.ts'
import { t, text } from '#lib/contract/texts.ts'
import { formatPaise, multiply, sumPaise, type Paise } from '#lib/money.ts'
import { arrivalDay, giftLines } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import type { OrderLineRow, OrderRow } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'
import { inLanguage } from '../platform/language.ts'
import type { Block, Mail } from '../platform/mail/mail.ts'
import { mailFromShop, mailToShop, readContact, type ShopContact } from '../settings/contact.ts'
import type { MoveReason } from './checkout/rules.ts'
import { type LinkDeps, readOrderLink } from './link.ts'
import { customerOf, addressOf, giftOf, lineName } from './queries.ts'
import { invoiceText } from './tax/invoices.ts'
import { formatDate, formatIndianTime } from '#lib/time.ts'

export const ORDER_MAIL_PREFIX = 'order-'

export interface MailDeps {
  shop: ShopContact
  config: { siteUrl: string }
  /** Undefined if the order is not paid. */
  orderLink?: string | undefined
}

/** Mails to the shopper need `order`. */
export async function readMailDeps(trx: Trx, deps: LinkDeps, order?: OrderRow): Promise<MailDeps> {
  const found = order && (await readOrderLink(trx, deps, order))
  return { shop: await readContact(trx), config: deps.config, orderLink: found?.link }
}

export interface OrderMail {
  mailType: string
  subject: string
  blocks: readonly Block[]
}

/** Called in the language of its reader. */
type Compose = () => OrderMail

export function placedMails(
  deps: MailDeps,
  order: OrderRow,
  lines: readonly OrderLineRow[],
  moveReason: MoveReason | undefined
): Mail[] {
  const { order_no, moved_from, note, event_at, gift } = order
  const moved = () =>
    moved_from === null || moveReason === undefined
      ? []
      : [t(MOVED[moveReason], { day: formatDate(moved_from) })]
  const wishes = () => [
    ...(event_at === null ? [] : [t('Event: {time}', { time: formatIndianTime(event_at) })]),
    ...(note === '' ? [] : [t('Note: {note}', { note })]),
    ...(gift === '' ? [] : [giftLines(giftOf(order)).join('\n')])
  ]
  return [
    shopperMail(deps, order, () => ({
      mailType: 'placed',
      subject: t('Your order {order} at {shop}', { order: order_no, shop: deps.shop.name }),
      blocks: [
        t('Thank you for your order {order}. We’ve received your payment.', { order: order_no }),
        itemRows(order, lines),
        invoiceText(order, lines),
        [...moved(), deliveryText(order)].join(' '),
        placeText(order, deps.shop.pickupPlace),
        ...wishes()
      ]
    })),
    adminMail(deps, order, () => ({
      mailType: 'placed',
      subject: t('Order {order}: {total} from {name}', {
        order: order_no,
        total: formatPaise(order.total),
        name: customerOf(order).name
      }),
      blocks: [
        itemRows(order, lines),
        [...moved(), taskText(order)].join(' '),
        ...wishes(),
        addressText(order)
      ]
    }))
  ]
}

export function cancelledMails(deps: MailDeps, order: OrderRow, refund: Paise): Mail[] {
  return [
    cancelledMail(deps, order, () => [
      t('We have cancelled your order {order} as you asked.', { order: order.order_no }),
      refundText(order, refund)
    ]),
    adminMail(deps, order, () => ({
      mailType: 'cancelled',
      subject: t('Order {order} is cancelled', { order: order.order_no }),
      blocks: [
        t('{name} cancelled this order.', { name: toOneLine(customerOf(order).name) }),
        refund === 0
          ? t('Nothing is left to refund.')
          : t('{amount} will be refunded automatically.', { amount: formatPaise(refund) })
      ]
    }))
  ]
}

export function cancelledByShopMail(
  deps: MailDeps,
  order: OrderRow,
  { reason, refund }: { reason: string; refund: Paise }
): Mail {
  return cancelledMail(deps, order, () => [
    t('We are sorry: we had to cancel your order {order}.', { order: order.order_no }),
    // The shop's own reasons are texts of the code.
    t(reason),
    refundText(order, refund)
  ])
}

function cancelledMail(deps: MailDeps, order: OrderRow, compose: () => readonly Block[]): Mail {
  return shopperMail(deps, order, () => ({
    mailType: 'cancelled',
    subject: t('Your order {order} is cancelled', { order: order.order_no }),
    blocks: compose()
  }))
}

function refundText({ total, payment_state, changes }: OrderRow, refund: Paise) {
  if (total === 0) return t('Nothing was charged.')
  if (refund === 0 && payment_state === 'refund_due') return t('Your refund is already on its way.')
  if (refund === 0) return t('Your payment has already been refunded.')
  const amount = formatPaise(refund)
  return refund === total && changes === 0
    ? t(
        'We will refund your payment of {amount} in full. ' +
          'It takes 5 to 8 days to reach your account.',
        { amount }
      )
    : t('We will refund the remaining {amount}. It takes 5 to 8 days to reach your account.', {
        amount
      })
}

export function shopperMailId(mailType: string, orderId: string): string {
  return `${ORDER_MAIL_PREFIX}${mailType}-${orderId}`
}

export function shopperMail(deps: MailDeps, order: OrderRow, compose: Compose): Mail {
  return inLanguage(order.language, () => {
    const { shop, config, orderLink = `${config.siteUrl}${paths.orders}` } = deps
    const { name, email } = customerOf(order)
    const { mailType, subject, blocks } = compose()
    const contact = { email: shop.email, phone: shop.phone, order: order.order_no }
    const closing = [
      { label: t('See your order'), url: orderLink },
      t(
        shop.phone === ''
          ? 'Questions? Please write to {email} and mention order number {order}.'
          : 'Questions? Please write to {email} or call {phone} and mention order number {order}.',
        contact
      )
    ]
    return mailFromShop(shop, {
      id: shopperMailId(mailType, order.id),
      to: email,
      subject,
      blocks: [t('Vanakkam {name},', { name: toOneLine(name) }), ...blocks, ...closing]
    })
  })
}

export function adminMail(deps: MailDeps, order: OrderRow, compose: Compose): Mail {
  return mailToShop(deps.shop, () => {
    const { name, email } = customerOf(order)
    const { mailType, subject, blocks } = compose()
    const link = `${deps.config.siteUrl}${paths.adminOrders}?order=${order.id}`
    const closing = [
      ...(email === '' ? [] : [t('Customer’s email: {email}', { email })]),
      { label: t('Open the order'), url: link }
    ]
    return {
      id: `${ORDER_MAIL_PREFIX}${mailType}-owner-${order.id}`,
      replyTo: { name, address: email },
      subject,
      blocks: [...blocks, ...closing]
    }
  })
}

function itemRows(order: OrderRow, lines: readonly OrderLineRow[]): Block {
  const rows = lines.map(line => {
    const { quantity, pack_value, pack_unit, percent, price } = line
    const pack = formatPack({ value: pack_value, unit: pack_unit })
    const item = { quantity, name: lineName(order, line), pack }
    const row =
      percent === null
        ? t('{quantity} × {name}, {pack}', item)
        : t('{quantity} × {name}, {pack} ({percent}% off)', { ...item, percent })
    return [row, formatPaise(multiply(price, quantity))] as const
  })
  const { coupon_code: code, delivery_fee: fee, total } = order
  const off = sumPaise(lines.map(line => line.coupon_discount))
  return [
    ...rows,
    ...(off > 0
      ? [[t('Coupon {code}', { code: code ?? '' }), `−${formatPaise(off)}`] as const]
      : []),
    ...(fee > 0 ? [[t('Delivery'), formatPaise(fee)] as const] : []),
    [t('Total'), formatPaise(total), 'total']
  ]
}

const dayOf = ({ delivery_date, created_at }: OrderRow) =>
  formatDate(arrivalDay({ createdAt: created_at, deliveryDate: delivery_date }))

export function deliveryText(order: OrderRow): string {
  const day = dayOf(order)
  if (order.delivery_method === 'pickup')
    return t('You can pick it up at our kitchen on {day}.', { day })
  if (order.delivery_method === 'courier')
    return t('We’ll send it by courier. It should reach you on {day}.', { day })
  return t('We’ll deliver it on {day}.', { day })
}

const MOVED: Readonly<Record<MoveReason, string>> = {
  too_soon: text('{day} is earlier than we can have the order ready.'),
  closed: text('{day} is not open for orders.'),
  full: text('{day} was no longer free when the payment arrived.')
}

function taskText(order: OrderRow) {
  const [day, zone] = [dayOf(order), order.delivery_zone ?? '']
  if (order.delivery_method === 'pickup') return t('Pickup on {day}.', { day })
  if (order.delivery_method === 'courier')
    return zone === ''
      ? t('Send by courier, to arrive on {day}.', { day })
      : t('Send by courier ({zone}), to arrive on {day}.', { zone, day })
  return zone === ''
    ? t('Deliver on {day}.', { day })
    : t('Deliver ({zone}) on {day}.', { zone, day })
}

export function placeText(order: OrderRow, pickupPlace: string): string {
  return order.delivery_method === 'pickup'
    ? t('Pickup at:\n{place}', { place: pickupPlace })
    : t('Delivery address:\n{address}', { address: addressText(order) })
}

function addressText(order: OrderRow) {
  const { name, phone } = customerOf(order)
  const { apartmentOrSuite, street, landmark, city, district, state, pincode, country } =
    addressOf(order)
  const place =
    district === undefined || district === '' || district === city ? city : `${city}, ${district}`
  return [
    name,
    apartmentOrSuite,
    street,
    landmark,
    `${place} ${pincode}`,
    `${state}, ${country}`,
    t('Phone {phone}', { phone: formatPhone(phone) })
  ]
    .filter(line => line !== undefined && line !== '')
    .join('\n')
}
