import type { CustomerDetails, ShippingAddress } from '#lib/contract/orders.ts'
import type { ShopDetails } from '#lib/contract/shop.ts'
import { formatPaise } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { formatDate } from '#lib/time.ts'
import type { OrderLineRow, OrderRow } from '../platform/db/order-tables.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { mailBody, type Block } from '../platform/mail/mail-page.ts'

export interface MailDeps {
  shop: Pick<ShopDetails, 'name' | 'email' | 'phone'>
  config: { siteUrl: string }
}

export const ORDER_MAIL_PREFIX = 'order-'

/** Returns the mail's id. A second mail with the same id is not sent. */
export function shopperMailId(mailType: string, orderId: string): string {
  return `${ORDER_MAIL_PREFIX}${mailType}-${orderId}`
}

export function customerOf({ customer }: Pick<OrderRow, 'customer'>): CustomerDetails {
  return JSON.parse(customer) as CustomerDetails
}

export function addressOf({ address }: Pick<OrderRow, 'address'>): ShippingAddress {
  return JSON.parse(address) as ShippingAddress
}

export function shopperMail(
  { shop, config }: MailDeps,
  order: OrderRow,
  { mailType, subject, blocks }: { mailType: string; subject: string; blocks: readonly Block[] }
): Mail {
  const { name, email } = customerOf(order)
  const closing = [
    `See your order: ${config.siteUrl}${paths.orders}`,
    `Questions? Write to ${shop.email} or call ${shop.phone}. Please mention order number ${order.order_no}.`,
    shop.name
  ]
  return {
    id: shopperMailId(mailType, order.id),
    to: email,
    replyTo: { name: shop.name, address: shop.email },
    subject,
    ...mailBody(subject, [`Vanakkam ${name},`, ...blocks, ...closing])
  }
}

export function adminMail(
  { shop }: MailDeps,
  order: OrderRow,
  { mailType, subject, blocks }: { mailType: string; subject: string; blocks: readonly Block[] }
): Mail {
  const { name, email } = customerOf(order)
  return {
    id: `${ORDER_MAIL_PREFIX}${mailType}-owner-${order.id}`,
    to: shop.email,
    replyTo: { name, address: email },
    subject,
    ...mailBody(subject, blocks)
  }
}

export function itemRows(order: OrderRow, lines: readonly OrderLineRow[]): Block {
  const rows = lines.map(
    ({ quantity, name, pack_value, pack_unit, percent, total }) =>
      [
        `${quantity} × ${name}, ${pack_value} ${pack_unit}${percent === null ? '' : ` (${percent}% off)`}`,
        formatPaise(total)
      ] as const
  )
  return [...rows, ['Total', formatPaise(order.total)]]
}

export function addressText(order: OrderRow): string {
  const { name, phone } = customerOf(order)
  const { apartmentOrSuite, street, landmark, city, district, state, pincode, country } = addressOf(order)
  const place = district === undefined || district === '' || district === city ? city : `${city}, ${district}`
  return [name, apartmentOrSuite, street, landmark, `${place} ${pincode}`, `${state}, ${country}`, `Phone ${phone}`]
    .filter(line => line !== undefined && line !== '')
    .join('\n')
}

export function formatDay(day: string): string {
  return formatDate(`${day}T06:00:00.000Z`)
}
