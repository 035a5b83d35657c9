import { toOneLine } from '#lib/contract/formats.ts'
import { formatPaise, multiply, sumPaise, type Paise } from '#lib/money.ts'
import { arrivalDay } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import type { OrderLineRow, OrderRow } from '../platform/db/order-tables.ts'
import type { Db } from '../platform/db/tables.ts'
import { type Block, type Mail, mailBody } from '../platform/mail/mail.ts'
import { readContact, type ShopContact } from '../settings/settings.ts'
import type { MoveReason } from './checkout/rules.ts'
import { customerOf, addressOf } from './queries.ts'
import { invoiceText } from './tax/invoices.ts'
import { formatDate, formatIndianTime } from '#lib/time.ts'

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

export interface OrderMail {
  mailType: string
  subject: string
  blocks: readonly Block[]
}

export function placedMails(
  deps: MailDeps,
  order: OrderRow,
  lines: readonly OrderLineRow[],
  moveReason: MoveReason | undefined
): Mail[] {
  const { moved_from } = order
  const hasMoved = moved_from !== null && moveReason !== undefined
  const moved = hasMoved ? `${formatDate(moved_from)} ${MOVE_REASONS[moveReason]}. ` : ''
  const items = itemRows(order, lines)
  const money = formatPaise(order.total)
  const { note, event_at } = order
  const wishes = [
    ...(event_at === null ? [] : [`Event: ${formatIndianTime(event_at)}`]),
    ...(note === '' ? [] : [`Note: ${note}`])
  ]
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
      subject: `Order ${order.order_no}: ${money} from ${customerOf(order).name}`,
      blocks: [items, moved + taskText(order), ...wishes, addressText(order)]
    })
  ]
}

export function cancelledMails(deps: MailDeps, order: OrderRow, refund: Paise): Mail[] {
  const { order_no } = order
  return [
    cancelledMail(deps, order, [
      `We have cancelled your order ${order_no} as you asked.`,
      refundText(order, refund)
    ]),
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
  return cancelledMail(deps, order, [
    `We are sorry: we had to cancel your order ${order_no}.`,
    reason,
    refundText(order, refund)
  ])
}

function cancelledMail(deps: MailDeps, order: OrderRow, blocks: readonly Block[]): Mail {
  const subject = `Your order ${order.order_no} is cancelled`
  return shopperMail(deps, order, { mailType: 'cancelled', subject, blocks })
}

function refundText({ total, payment_state, changes }: OrderRow, refund: Paise): string {
  if (total === 0) return 'Nothing was charged.'
  if (refund === 0 && payment_state === 'refund_due') return 'Your refund is already on its way.'
  if (refund === 0) return 'Your payment has already been refunded.'
  const what =
    refund === total && changes === 0
      ? `your payment of ${formatPaise(total)} in full`
      : `the remaining ${formatPaise(refund)}`
  return `We will refund ${what}. It takes 5 to 8 days to reach your account.`
}

export function shopperMailId(mailType: string, orderId: string): string {
  return `${ORDER_MAIL_PREFIX}${mailType}-${orderId}`
}

export function shopperMail(
  { shop, config }: MailDeps,
  order: OrderRow,
  { mailType, subject, blocks }: OrderMail
): Mail {
  const { name, email } = customerOf(order)
  const ways = [`write to ${shop.email}`, ...(shop.phone === '' ? [] : [`call ${shop.phone}`])]
  const closing = [
    `See your order: ${config.siteUrl}${paths.orders}`,
    `Questions? Please ${ways.join(' or ')} and mention order number ${order.order_no}.`,
    shop.signature
  ]
  return {
    id: shopperMailId(mailType, order.id),
    to: email,
    replyTo: { name: shop.name, address: shop.email },
    subject,
    ...mailBody(
      subject,
      [`Vanakkam ${toOneLine(name)},`, ...blocks, ...closing],
      `${config.siteUrl}/kolam.png`
    )
  }
}

export function adminMail(
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

const dayOf = ({ delivery_date, created_at }: OrderRow): string =>
  formatDate(arrivalDay({ createdAt: created_at, deliveryDate: delivery_date }))

function deliveryText(order: OrderRow): string {
  const day = dayOf(order)
  if (order.delivery_method === 'pickup') return `You can pick it up at our kitchen on ${day}.`
  if (order.delivery_method === 'courier')
    return `We’ll send it by courier. It should reach you on ${day}.`
  return `We’ll deliver it on ${day}.`
}

const MOVE_REASONS: Readonly<Record<MoveReason, string>> = {
  too_soon: 'is earlier than we can have the order ready',
  closed: 'is not open for orders',
  full: 'was no longer free when the payment arrived'
}

function taskText(order: OrderRow): string {
  const day = dayOf(order)
  if (order.delivery_method === 'pickup') return `Pickup on ${day}.`
  const zone = order.delivery_zone ? ` (${order.delivery_zone})` : ''
  return order.delivery_method === 'courier'
    ? `Send by courier${zone}, to arrive on ${day}.`
    : `Deliver${zone} on ${day}.`
}

export function placeText(order: OrderRow, pickupPlace: string): string {
  return order.delivery_method === 'pickup'
    ? `Pickup at:\n${pickupPlace}`
    : `Delivery address:\n${addressText(order)}`
}

function addressText(order: OrderRow): string {
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
    `Phone ${phone}`
  ]
    .filter(line => line !== undefined && line !== '')
    .join('\n')
}
