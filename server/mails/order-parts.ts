import type { CustomerDetails, ShippingAddress } from '#lib/contract/orders.ts'
import type { ShopDetails } from '#lib/contract/shop.ts'
import { formatPaise } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { formatDate } from '#lib/time.ts'
import type { OrderLineRow, OrderRow } from '../db/order-tables.ts'
import type { Mail } from '../gateways/mail.ts'
import { mailBody, type Block } from './mail-page.ts'

/** What mails about orders are written with. */
export interface MailDeps {
  shop: Pick<ShopDetails, 'name' | 'email' | 'phone'>
  config: { siteUrl: string }
}

/** How the ids of these mails begin. */
export const ORDER_MAIL = 'order-'

/** By what a mail to who ordered is known, and sent once. */
export function shopperMailId(about: string, orderId: string): string {
  return `${ORDER_MAIL}${about}-${orderId}`
}

export function customerOf({ customer }: Pick<OrderRow, 'customer'>): CustomerDetails {
  return JSON.parse(customer) as CustomerDetails
}

export function addressOf({ address }: Pick<OrderRow, 'address'>): ShippingAddress {
  return JSON.parse(address) as ShippingAddress
}

/** A mail to who ordered: greeted by name, with where to look and whom to ask. */
export function shopperMail(
  { shop, config }: MailDeps,
  order: OrderRow,
  { about, subject, blocks }: { about: string; subject: string; blocks: readonly Block[] }
): Mail {
  const { name, email } = customerOf(order)
  const closing = [
    `You find your order at ${config.siteUrl}${paths.orders}`,
    `Questions? Write to ${shop.email} or call ${shop.phone}, and tell us the number ${order.order_no}.`,
    shop.name
  ]
  return {
    id: shopperMailId(about, order.id),
    to: email,
    replyTo: { name: shop.name, address: shop.email },
    subject,
    ...mailBody(subject, [`Vanakkam ${name},`, ...blocks, ...closing])
  }
}

/** A mail to who cooks and packs; an answer goes to who ordered. */
export function ownerMail(
  { shop }: MailDeps,
  order: OrderRow,
  { about, subject, blocks }: { about: string; subject: string; blocks: readonly Block[] }
): Mail {
  const { name, email } = customerOf(order)
  return {
    id: `${ORDER_MAIL}${about}-owner-${order.id}`,
    to: shop.email,
    replyTo: { name, address: email },
    subject,
    ...mailBody(subject, blocks)
  }
}

/** What was ordered and what it costs. */
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

/** Where it goes, as on a parcel. */
export function addressText(order: OrderRow): string {
  const { name, phone } = customerOf(order)
  const { apartmentOrSuite, street, landmark, city, district, state, pincode, country } = addressOf(order)
  const place = district === undefined || district === '' || district === city ? city : `${city}, ${district}`
  return [name, apartmentOrSuite, street, landmark, `${place} ${pincode}`, `${state}, ${country}`, `Phone ${phone}`]
    .filter(line => line !== undefined && line !== '')
    .join('\n')
}

/** '23 November 2026' of a day in India such as '2026-11-23'. */
export function dayText(day: string): string {
  return formatDate(`${day}T06:00:00.000Z`)
}
